import { type ComponentTree, relationFlags } from '../../components/component-tree.js';
import { getImpact, type Impact } from '../../notices/impact.rules.js';
import type { Outage, OutageState } from './outages.js';

/** Outages of the same components with the same impact: whom they affect is computed once. */
interface OutageGroup {
  isPlanned: boolean;
  /** Indexes in the list of components. */
  named: number[];
  /** By index of the component. */
  impacts: ReadonlyMap<number, Impact>;
  /** Indexes in the list of outages. */
  outages: number[];
}

/**
 * The outages that affect a component: those of a group, in one state, and before these the others. It is shared by
 * the components that all of them affect in the same states.
 */
export interface ComponentImpact {
  others: ComponentImpact | null;
  /** Indexes in the list of outages. */
  outages: readonly number[];
  state: OutageState;
}

/**
 * By index of the component: which outages affect it, and how; null if none does. Incidents follow the rule of
 * component states: a named component is degraded, or has an outage by the impact; its ancestors and descendants are
 * partially degraded. Maintenance counts for named components only. It takes time proportional to the components that
 * each group of outages affects: if they can be more than `limit` in all, there is no result.
 */
export function computeImpacts(
  tree: ComponentTree,
  outages: readonly Outage[],
  limit: number,
): readonly (ComponentImpact | null)[] | null {
  const groups = groupOutages(tree.indexById, outages);
  const bounds = groups.map(({ isPlanned, named }) => (isPlanned ? named.length : tree.boundRelations(named)));
  if (bounds.reduce((sum, bound) => sum + bound, 0) > limit) return null;
  const impacts = Array.from({ length: tree.indexById.size }, (): ComponentImpact | null => null);
  for (const group of groups) {
    const shared = new Map<ComponentImpact | null, ComponentImpact[]>();
    const affect = (component: number, state: OutageState) => {
      const others = impacts[component]!;
      const ofOthers = shared.get(others) ?? [];
      const known = ofOthers.find(each => each.state === state);
      impacts[component] = known ?? { others, outages: group.outages, state };
      if (!known) shared.set(others, [...ofOthers, impacts[component]]);
    };
    if (group.isPlanned) for (const component of group.named) affect(component, 'maintenance');
    else
      tree.visitRelations(group.named, (component, relation) =>
        affect(component, relation & relationFlags.named ? group.impacts.get(component)! : 'partially-degraded'),
      );
  }
  return impacts;
}

/** The outages of an impact with the state of each, in their order. */
export function listOutages(impact: ComponentImpact | null): { index: number; state: OutageState }[] {
  const listed: { index: number; state: OutageState }[] = [];
  for (let each = impact; each; each = each.others)
    for (const index of each.outages) listed.push({ index, state: each.state });
  return listed.sort((one, other) => one.index - other.index);
}

function groupOutages(indexById: ReadonlyMap<number, number>, outages: readonly Outage[]): OutageGroup[] {
  const groups = new Map<string, OutageGroup>();
  for (const [index, outage] of outages.entries()) {
    const { isPlanned, componentIds } = outage;
    const key = `${isPlanned} ${componentIds.map(id => `${id}${outage.impacts?.[id] ?? ''}`).join()}`;
    const group = groups.get(key);
    if (group) group.outages.push(index);
    else
      groups.set(key, {
        isPlanned,
        named: componentIds.flatMap(id => indexById.get(id) ?? []),
        impacts: new Map(componentIds.map(id => [indexById.get(id) ?? -1, getImpact(outage, id)])),
        outages: [index],
      });
  }
  return [...groups.values()];
}
