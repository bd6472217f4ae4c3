import type { PageSnapshot } from './snapshot.js';

export type Trouble = 'maintenance' | 'partially-degraded' | 'degraded';

/** Notices that name the very same components: what they do to each of these is worked out once. */
interface Group {
  isPlanned: boolean;
  named: number[];
  /** Places in the list of notices. */
  notices: number[];
}

/** What some groups do to a component: components with the same key have the same history. */
export interface Reach {
  key: string;
  touches: { notices: readonly number[]; state: Trouble }[];
}

/** Whether a notice tells of its components at all. A false alarm was nothing; a maintenance that never began neither. */
export const tells = ({ type, state, beganAt }: PageSnapshot['notices'][number]): boolean =>
  type !== 'general' && state !== 'false_alarm' && beganAt !== null;

const none = 0;
const above = 1;
const below = 2;
const named = 4;

/**
 * Which notices touch each component and how, by the rule of states: named: degraded; above or below a named one: partially. A maintenance counts for
 * what it names. A pass over the tree for each group of notices, however many components stand above and below each other.
 */
export function reachesOf(components: PageSnapshot['components'], notices: PageSnapshot['notices']): Reach[] {
  const placeOf = new Map(components.map(({ id }, place) => [id, place]));
  const parents = Int32Array.from(components, ({ parentId }) =>
    parentId === null ? -1 : (placeOf.get(parentId) ?? -1),
  );
  const order = parentsFirst(parents);
  const reaches: (Reach & { parts: string[] })[] = components.map(() => ({ key: '', parts: [], touches: [] }));
  const relations = new Uint8Array(components.length);
  for (const [index, group] of groupsOf(placeOf, notices).entries()) {
    relations.fill(none);
    for (const place of group.named) relations[place] = named;
    if (!group.isPlanned) spread(relations, parents, order);
    for (let place = 0; place < relations.length; place++) {
      const relation = relations[place]!;
      if (relation === none) continue;
      const isNamed = relation >= named;
      const { parts, touches } = reaches[place]!;
      parts.push(isNamed ? `${index}!` : `${index}`);
      touches.push({
        notices: group.notices,
        state: group.isPlanned ? 'maintenance' : isNamed ? 'degraded' : 'partially-degraded',
      });
    }
  }
  return reaches.map(({ parts, touches }) => ({ key: parts.join(), touches }));
}

function groupsOf(placeOf: ReadonlyMap<number, number>, notices: PageSnapshot['notices']): Group[] {
  const groups = new Map<string, Group>();
  for (const [place, notice] of notices.entries()) {
    if (!tells(notice)) continue;
    const key = `${notice.type} ${notice.componentIds.join()}`;
    const group = groups.get(key);
    if (group) group.notices.push(place);
    else
      groups.set(key, {
        isPlanned: notice.type === 'planned',
        named: notice.componentIds.flatMap(id => placeOf.get(id) ?? []),
        notices: [place],
      });
  }
  return [...groups.values()].filter(group => group.named.length);
}

/** Up from the last, down from the first: each component hands on what it has heard. */
function spread(relations: Uint8Array, parents: Int32Array, order: readonly number[]): void {
  for (let index = order.length - 1; index >= 0; index--) {
    const parent = parents[order[index]!]!;
    if (parent !== -1 && relations[order[index]!]! & (named | above)) relations[parent]! |= above;
  }
  for (const place of order) {
    const parent = parents[place]!;
    if (parent !== -1 && relations[parent]! & (named | below)) relations[place]! |= below;
  }
}

function parentsFirst(parents: Int32Array): number[] {
  const children = Map.groupBy(parents.keys(), place => parents[place]!);
  const order = [...(children.get(-1) ?? [])];
  // The list grows while it is walked.
  for (const place of order) for (const child of children.get(place) ?? []) order.push(child);
  return order;
}
