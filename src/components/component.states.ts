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
  const related = new Set<number>();
  tree.visitRelations(
    [...degraded].flatMap(id => tree.indexById.get(id) ?? []),
    index => related.add(index),
  );
  const stateOf = ({ id }: TreeNode): ComponentState => {
    if (degraded.has(id)) return 'degraded';
    if (operational.has(id)) return 'operational';
    return related.has(tree.indexById.get(id)!) ? 'partially-degraded' : 'operational';
  };
  return new Map(nodes.map(node => [node.id, stateOf(node)]));
}
