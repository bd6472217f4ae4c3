import { ComponentTree, type TreeNode } from './component-tree.js';

export type ComponentState = 'operational' | 'degraded' | 'partially-degraded';

/**
 * "determined by associated open notices or by ancestors and descendants": a component that an ongoing notice names
 * is degraded; one with a degraded ancestor or descendant is partially degraded. Siblings do not matter. A person
 * can set a component to `operational` whatever its ancestors and descendants are.
 */
export function computeComponentStates(
  nodes: readonly TreeNode[],
  degraded: ReadonlySet<number>,
  operational: ReadonlySet<number> = new Set(),
): Map<number, ComponentState> {
  const tree = new ComponentTree(nodes);
  const relations = tree.findRelations([...degraded].flatMap(id => tree.indexById.get(id) ?? []));
  const stateOf = ({ id }: TreeNode): ComponentState => {
    if (degraded.has(id)) return 'degraded';
    if (operational.has(id)) return 'operational';
    return relations[tree.indexById.get(id)!] ? 'partially-degraded' : 'operational';
  };
  return new Map(nodes.map(node => [node.id, stateOf(node)]));
}
