export type ComponentState = 'operational' | 'degraded' | 'partially-degraded';

export interface TreeNode {
  id: number;
  parentId: number | null;
}

/**
 * "determined by associated open notices or by ancestors and descendants": a component that an ongoing notice names
 * is degraded; one with a degraded ancestor or descendant is partially degraded. Siblings do not matter.
 *
 * Two loops over the components instead of recursion: nesting has no limit, but the stack does.
 */
export function computeComponentStates(
  tree: readonly TreeNode[],
  degraded: ReadonlySet<number>,
): Map<number, ComponentState> {
  const ordered = sortParentsFirst(tree);
  const isBelowDegraded = new Set<number>();
  for (const { id, parentId } of ordered) {
    if (parentId !== null && (degraded.has(parentId) || isBelowDegraded.has(parentId))) isBelowDegraded.add(id);
  }
  const isAboveDegraded = new Set<number>();
  for (const { id, parentId } of ordered.toReversed()) {
    if (parentId !== null && (degraded.has(id) || isAboveDegraded.has(id))) isAboveDegraded.add(parentId);
  }
  const stateOf = (id: number): ComponentState => {
    if (degraded.has(id)) return 'degraded';
    return isBelowDegraded.has(id) || isAboveDegraded.has(id) ? 'partially-degraded' : 'operational';
  };
  return new Map(tree.map(({ id }) => [id, stateOf(id)]));
}

/** Breadth-first order: roots, then their children, and so on. A component with an unknown parent counts as a root. */
function sortParentsFirst(tree: readonly TreeNode[]): TreeNode[] {
  const childrenOf = new Map<number, TreeNode[]>(tree.map(({ id }) => [id, []]));
  const ordered: TreeNode[] = [];
  for (const { id, parentId } of tree) {
    const siblings = parentId === null ? undefined : childrenOf.get(parentId);
    if (siblings) siblings.push({ id, parentId });
    else ordered.push({ id, parentId: null });
  }
  // The loop appends to the list that it iterates over.
  for (const { id } of ordered) for (const child of childrenOf.get(id) ?? []) ordered.push(child);
  return ordered;
}

/** True if a component is `ancestor` or one of its descendants, and so must not become its parent. */
export function isSelfOrDescendant(tree: readonly TreeNode[], id: number, ancestor: number): boolean {
  const parentOf = new Map(tree.map(node => [node.id, node.parentId]));
  let current: number | null = id;
  // Bounded by the size of the tree, so that a cycle in stored data cannot block the process.
  for (let step = 0; current !== null && step <= tree.length; step++) {
    if (current === ancestor) return true;
    current = parentOf.get(current) ?? null;
  }
  return false;
}
