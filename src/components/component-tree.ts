export interface TreeNode {
  id: number;
  parentId: number | null;
}

export interface LinkedNode<Node> {
  parent: Node | null;
  children: readonly Node[];
}

/** How a component relates to the named ones: a sum of these flags. */
export const relationFlags = { named: 1, aboveNamed: 2, belowNamed: 4 } as const;

const noParent = -1;

/**
 * The tree of a flat list of components. A component with an unknown parent counts as a root.
 * Every walk in this file is a loop: the depth of nesting is unlimited, the call stack is not.
 */
export class ComponentTree {
  /** The index of each component in the list, by id. */
  readonly indexById: ReadonlyMap<number, number>;
  /** By index. */
  private readonly parents: Int32Array;
  private readonly children: readonly (readonly number[])[];
  /** By index: how many ancestors and descendants the component has, and one for itself. */
  private readonly relationCounts: Int32Array;
  /** Of the components that are being visited, by index; otherwise 0. */
  private readonly flags: Uint8Array;

  constructor(nodes: readonly TreeNode[]) {
    this.indexById = new Map(nodes.map(({ id }, index) => [id, index]));
    this.parents = Int32Array.from(nodes, ({ parentId }) =>
      parentId === null ? noParent : (this.indexById.get(parentId) ?? noParent),
    );
    const children: number[][] = nodes.map(() => []);
    const parentsFirst: number[] = [];
    for (const [index, parent] of this.parents.entries())
      (parent === noParent ? parentsFirst : children[parent]!).push(index);
    // Breadth-first: the loop appends to the list that it iterates over.
    for (const index of parentsFirst) for (const child of children[index]!) parentsFirst.push(child);
    this.children = children;
    this.relationCounts = this.countRelations(parentsFirst);
    this.flags = new Uint8Array(nodes.length);
  }

  private countRelations(parentsFirst: readonly number[]): Int32Array {
    const depths = new Int32Array(this.parents.length);
    const sizes = new Int32Array(this.parents.length).fill(1);
    for (const index of parentsFirst) for (const child of this.children[index]!) depths[child] = depths[index]! + 1;
    for (const index of parentsFirst.toReversed())
      for (const child of this.children[index]!) sizes[index]! += sizes[child]!;
    return sizes.map((size, index) => size + depths[index]!);
  }

  /** How many components `visitRelations` visits, at most. */
  boundRelations(named: readonly number[]): number {
    const sum = named.reduce((count, index) => count + this.relationCounts[index]!, 0);
    return Math.min(sum, this.parents.length);
  }

  /**
   * Visits the named components, their ancestors and their descendants, each once. All are given by index. It takes
   * time proportional to the number of all of these.
   */
  visitRelations(named: readonly number[], visit: (index: number, relation: number) => void): void {
    const { parents, children, flags } = this;
    const related: number[] = [];
    const flag = (index: number, relation: number): boolean => {
      const before = flags[index]!;
      if (!before) related.push(index);
      flags[index] = before | relation;
      return (before & relation) === 0;
    };
    const { named: isNamed, aboveNamed, belowNamed } = relationFlags;
    for (const index of named) flag(index, isNamed);
    for (const index of named)
      for (let above = parents[index]!; above !== noParent && flag(above, aboveNamed); ) above = parents[above]!;
    const toVisit = [...named];
    for (let index = toVisit.pop(); index !== undefined; index = toVisit.pop())
      for (const child of children[index]!) if (flag(child, belowNamed)) toVisit.push(child);
    for (const index of related) {
      visit(index, flags[index]!);
      flags[index] = 0;
    }
  }

  /** True if a component is `ancestor` or one of its descendants, and so must not become its parent. */
  isSelfOrDescendant(id: number, ancestor: number): boolean {
    if (id === ancestor) return true;
    const ancestorIndex = this.indexById.get(ancestor);
    let index = this.indexById.get(id) ?? noParent;
    // Bounded by the size of the tree, so that a cycle in stored data cannot block the process.
    for (let step = 0; index !== noParent && step <= this.parents.length; step++) {
      if (index === ancestorIndex) return true;
      index = this.parents[index]!;
    }
    return false;
  }
}

type Linked<Node> = Node & { parent: Linked<Node> | null; children: Linked<Node>[] };

/**
 * How many levels a linked tree has at most: what is nested deeper stands beside its parent. To look at
 * the ancestors of each component then takes little time, however a page is nested.
 */
const maxLevels = 50;

/**
 * By id: the parent in a linked tree, or null. A component with an unknown parent is a root, and so are those of a
 * cycle in stored data and all below them.
 */
export function placeComponents(nodes: readonly TreeNode[]): Map<number, number | null> {
  const ids = new Set(nodes.map(({ id }) => id));
  const parentOf = ({ parentId }: TreeNode) => (parentId !== null && ids.has(parentId) ? parentId : null);
  const childrenOf = Map.groupBy(nodes, parentOf);
  const placed = new Map<number, { parentId: number | null; level: number }>();
  const toPlace = [...(childrenOf.get(null) ?? [])];
  // Breadth-first: the loop appends to the list that it iterates over.
  for (const node of toPlace) {
    const parentId = parentOf(node);
    const parent = parentId === null ? null : placed.get(parentId)!;
    if (parent && parent.level >= maxLevels) placed.set(node.id, parent);
    else placed.set(node.id, { parentId, level: (parent?.level ?? 0) + 1 });
    for (const child of childrenOf.get(node.id) ?? []) toPlace.push(child);
  }
  return new Map(nodes.map(({ id }) => [id, placed.get(id)?.parentId ?? null]));
}

/** The roots of a flat list. */
export function linkTree<Node extends TreeNode>(nodes: readonly Node[]): Linked<Node>[] {
  const linked = new Map<number, Linked<Node>>(
    nodes.map(node => [node.id, Object.assign({}, node, { parent: null, children: [] })]),
  );
  for (const [id, parentId] of placeComponents(nodes)) {
    const node = linked.get(id)!;
    node.parent = parentId === null ? null : linked.get(parentId)!;
    node.parent?.children.push(node);
  }
  return [...linked.values()].filter(({ parent }) => !parent);
}

/** Lists components depth-first: each one followed by all of its descendants. */
export function flattenTree<Node extends LinkedNode<Node>>(roots: readonly Node[]): Node[] {
  const ordered: Node[] = [];
  const stack = roots.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    ordered.push(node);
    for (let child = node.children.length - 1; child >= 0; child--) stack.push(node.children[child]!);
  }
  return ordered;
}

/** The ancestors of a component, its parent first, or only the nearest of them. */
export function listAncestors<Node extends LinkedNode<Node>>(node: Node, limit = Number.POSITIVE_INFINITY): Node[] {
  const ancestors: Node[] = [];
  for (let current = node.parent; current && ancestors.length < limit; current = current.parent)
    ancestors.push(current);
  return ancestors;
}

/** Whether a condition is true of a component or of one of its ancestors. */
export function isSelfOrAncestor<Node extends LinkedNode<Node>>(node: Node, isMatch: (node: Node) => boolean): boolean {
  for (let current: Node | null = node; current; current = current.parent) if (isMatch(current)) return true;
  return false;
}
