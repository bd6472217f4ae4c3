export type ComponentState = 'operational' | 'degraded' | 'partially-degraded';

export interface TreeNode {
  id: number;
  parentId: number | null;
}

/**
 * "determined by associated open notices or by ancestors and descendants": degraded is what a present notice names; partially degraded is
 * whatever has something degraded above or below it. Siblings do not matter.
 *
 * Loops instead of recursion, each component seen twice: nesting has no limit, and the stack has one.
 */
export function componentStates(tree: readonly TreeNode[], degraded: ReadonlySet<number>): Map<number, ComponentState> {
  const ordered = parentsFirst(tree);
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

/** Roots, their children, and so on. A parent that is not in the tree counts as none. */
function parentsFirst(tree: readonly TreeNode[]): TreeNode[] {
  const childrenOf = new Map<number, TreeNode[]>(tree.map(({ id }) => [id, []]));
  const ordered: TreeNode[] = [];
  for (const { id, parentId } of tree) {
    const siblings = parentId === null ? undefined : childrenOf.get(parentId);
    if (siblings) siblings.push({ id, parentId });
    else ordered.push({ id, parentId: null });
  }
  // The list grows while it is walked.
  for (const { id } of ordered) for (const child of childrenOf.get(id) ?? []) ordered.push(child);
  return ordered;
}

/** Whether a component is the other one or a descendant of it: what may not become the parent of that other one. */
export function isWithin(tree: readonly TreeNode[], id: number, ancestor: number): boolean {
  const parentOf = new Map(tree.map(node => [node.id, node.parentId]));
  let current: number | null = id;
  // Bounded by the size of the tree, so that a circle left in the data cannot hold the process.
  for (let step = 0; current !== null && step <= tree.length; step++) {
    if (current === ancestor) return true;
    current = parentOf.get(current) ?? null;
  }
  return false;
}
