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
  /** The indexes, parents before their children. Without the components of a cycle in stored data. */
  private readonly parentsFirst: readonly number[];

  constructor(nodes: readonly TreeNode[]) {
    this.indexById = new Map(nodes.map(({ id }, index) => [id, index]));
    this.parents = Int32Array.from(nodes, ({ parentId }) =>
      parentId === null ? noParent : (this.indexById.get(parentId) ?? noParent),
    );
    const children: number[][] = nodes.map(() => []);
    const order: number[] = [];
    for (const [index, parent] of this.parents.entries()) (parent === noParent ? order : children[parent]!).push(index);
    // Breadth-first: the loop appends to the list that it iterates over.
    for (const index of order) for (const child of children[index]!) order.push(child);
    this.parentsFirst = order;
  }

  /** Flags the named components, their ancestors and their descendants. Named components are given by index. */
  findRelations(named: readonly number[]): Uint8Array {
    const relations = this.flagNamed(named);
    const { parents, parentsFirst } = this;
    const { named: isNamed, aboveNamed, belowNamed } = relationFlags;
    for (let position = parentsFirst.length - 1; position >= 0; position--) {
      const index = parentsFirst[position]!;
      const parent = parents[index]!;
      if (parent !== noParent && relations[index]! & (isNamed | aboveNamed)) relations[parent]! |= aboveNamed;
    }
    for (const index of parentsFirst) {
      const parent = parents[index]!;
      if (parent !== noParent && relations[parent]! & (isNamed | belowNamed)) relations[index]! |= belowNamed;
    }
    return relations;
  }

  flagNamed(named: readonly number[]): Uint8Array {
    const relations = new Uint8Array(this.parents.length);
    for (const index of named) relations[index] = relationFlags.named;
    return relations;
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

/** The roots of a flat list. A component with an unknown parent counts as a root. */
export function linkTree<Node extends TreeNode>(nodes: readonly Node[]): Linked<Node>[] {
  const linked = new Map<number, Linked<Node>>(
    nodes.map(node => [node.id, Object.assign({}, node, { parent: null, children: [] })]),
  );
  for (const node of linked.values()) {
    node.parent = node.parentId === null ? null : (linked.get(node.parentId) ?? null);
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
