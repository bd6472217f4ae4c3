import { ComponentTree, relationFlags, type TreeNode } from '../../components/component-tree.js';
import { getImpact, type Impact, worstImpactOf } from '../../notices/impact.rules.js';
import type { SnapshotNotice } from './snapshot.js';

/** From best to worst. */
export const outageStates = [
  'maintenance',
  'partially-degraded',
  'degraded',
  'partial-outage',
  'major-outage',
] as const;
export type OutageState = (typeof outageStates)[number];

/** Notices that name the same components with the same impact: it is computed once. */
interface NoticeGroup {
  isPlanned: boolean;
  /** Indexes in the list of components. */
  named: number[];
  /** By index of the component. */
  impacts: ReadonlyMap<number, Impact>;
  /** Indexes in the list of notices. */
  notices: number[];
}

/** What a history needs of a notice. Without an id it is a manual status of a component. */
export interface HistoryNotice
  extends Pick<SnapshotNotice, 'type' | 'state' | 'beganAt' | 'endedAt' | 'componentIds' | 'impacts' | 'recovered'> {
  id: number | null;
}

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
 * degraded, or has an outage by the impact; its ancestors and descendants are partially degraded. Maintenance counts
 * for named components only. It takes one pass over the tree per group of notices, whatever the depth of the tree.
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
      const incidentState = isNamed ? group.impacts.get(component)! : 'partially-degraded';
      const state = group.isPlanned ? 'maintenance' : incidentState;
      const { keyParts, outages } = impacts[component]!;
      keyParts.push(`${groupIndex} ${state}`);
      outages.push({ notices: group.notices, state });
    }
  }
  return impacts.map(({ keyParts, outages }) => ({ key: keyParts.join(), outages }));
}

/**
 * The impact of all notices on the page as a whole: that of an incident is its worst on a component, and at least a
 * degradation, whether or not it names components. That is the worst state of all components.
 */
export function computePageImpact(notices: readonly HistoryNotice[]): Pick<ComponentImpact, 'outages'> {
  const counted = [...notices.keys()].filter(index => countsAsOutage(notices[index]!));
  const stateOf = (index: number): OutageState =>
    notices[index]!.type === 'planned' ? 'maintenance' : worstImpactOf(notices[index]!);
  return {
    outages: [...Map.groupBy(counted, stateOf)].map(([state, indexes]) => ({ notices: indexes, state })),
  };
}

function groupNotices(indexById: ReadonlyMap<number, number>, notices: readonly HistoryNotice[]): NoticeGroup[] {
  const groups = new Map<string, NoticeGroup>();
  for (const [index, notice] of notices.entries()) {
    if (!countsAsOutage(notice)) continue;
    const key = `${notice.type} ${notice.componentIds.map(id => `${id}${notice.impacts?.[id] ?? ''}`).join()}`;
    const group = groups.get(key);
    if (group) group.notices.push(index);
    else
      groups.set(key, {
        isPlanned: notice.type === 'planned',
        named: notice.componentIds.flatMap(id => indexById.get(id) ?? []),
        impacts: new Map(notice.componentIds.map(id => [indexById.get(id) ?? -1, getImpact(notice, id)])),
        notices: [index],
      });
  }
  return [...groups.values()].filter(group => group.named.length);
}
