import { ComponentTree, relationFlags, type TreeNode } from '../../components/component-tree.js';
import type { PageSnapshot } from './snapshot.js';

export type OutageState = 'maintenance' | 'partially-degraded' | 'degraded';

/** Notices that name the same components: their impact is computed once. */
interface NoticeGroup {
  isPlanned: boolean;
  /** Indexes in the list of components. */
  named: number[];
  /** Indexes in the list of notices. */
  notices: number[];
}

/** What a history needs of a notice. */
export type HistoryNotice = Pick<
  PageSnapshot['notices'][number],
  'id' | 'type' | 'state' | 'beganAt' | 'endedAt' | 'componentIds'
>;

/** The impact of all notices on one component. Components with the same key have the same history. */
export interface ComponentImpact {
  key: string;
  outages: { notices: readonly number[]; state: OutageState }[];
}

/** Whether a notice counts in the history. False alarms and maintenance that never began do not. */
export const countsAsOutage = ({ type, state, beganAt }: HistoryNotice): boolean =>
  type !== 'general' && state !== 'false_alarm' && beganAt !== null;

/**
 * Which notices affect each component, and how. Incidents follow the rule of component states: a named component is
 * degraded, its ancestors and descendants are partially degraded. Maintenance counts for named components only.
 * It takes one pass over the tree per group of notices, whatever the depth of the tree.
 */
export function computeImpacts(components: readonly TreeNode[], notices: readonly HistoryNotice[]): ComponentImpact[] {
  const tree = new ComponentTree(components);
  const impacts: (ComponentImpact & { keyParts: string[] })[] = components.map(() => ({
    key: '',
    keyParts: [],
    outages: [],
  }));
  for (const [groupIndex, group] of groupNotices(tree.indexById, notices).entries()) {
    const relations = group.isPlanned ? tree.flagNamed(group.named) : tree.findRelations(group.named);
    for (let component = 0; component < relations.length; component++) {
      const relation = relations[component]!;
      if (!relation) continue;
      const isNamed = (relation & relationFlags.named) !== 0;
      const { keyParts, outages } = impacts[component]!;
      keyParts.push(isNamed ? `${groupIndex}!` : `${groupIndex}`);
      outages.push({
        notices: group.notices,
        state: group.isPlanned ? 'maintenance' : isNamed ? 'degraded' : 'partially-degraded',
      });
    }
  }
  return impacts.map(({ keyParts, outages }) => ({ key: keyParts.join(), outages }));
}

/**
 * The impact of all notices on the page as a whole: an incident degrades it, whether or not it names components.
 * That is the worst state of all components, since the components that an incident names are degraded.
 */
export function computePageImpact(notices: readonly HistoryNotice[]): Pick<ComponentImpact, 'outages'> {
  const counted = [...notices.keys()].filter(index => countsAsOutage(notices[index]!));
  const [planned, incidents] = [true, false].map(isPlanned =>
    counted.filter(index => (notices[index]!.type === 'planned') === isPlanned),
  );
  return {
    outages: [
      { notices: planned!, state: 'maintenance' },
      { notices: incidents!, state: 'degraded' },
    ],
  };
}

function groupNotices(indexById: ReadonlyMap<number, number>, notices: readonly HistoryNotice[]): NoticeGroup[] {
  const groups = new Map<string, NoticeGroup>();
  for (const [index, notice] of notices.entries()) {
    if (!countsAsOutage(notice)) continue;
    const key = `${notice.type} ${notice.componentIds.join()}`;
    const group = groups.get(key);
    if (group) group.notices.push(index);
    else
      groups.set(key, {
        isPlanned: notice.type === 'planned',
        named: notice.componentIds.flatMap(id => indexById.get(id) ?? []),
        notices: [index],
      });
  }
  return [...groups.values()].filter(group => group.named.length);
}
