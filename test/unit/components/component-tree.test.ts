import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  ComponentTree,
  flattenTree,
  isSelfOrAncestor,
  type LinkedNode,
  listAncestors,
  relationFlags,
  type TreeNode,
  placeComponents,
} from '../../../src/components/component-tree.js';

/**
 *  1 ─ 2 ─ 4
 *    └ 3
 *  5 ─ 6
 */
const nodes: TreeNode[] = [
  { id: 6, parentId: 5 },
  { id: 1, parentId: null },
  { id: 2, parentId: 1 },
  { id: 3, parentId: 1 },
  { id: 4, parentId: 2 },
  { id: 5, parentId: null },
];
const tree = new ComponentTree(nodes);

describe('isSelfOrDescendant', () => {
  test('is true for the component itself', () => expect(tree.isSelfOrDescendant(2, 2)).toBe(true));
  test('is true for a child', () => expect(tree.isSelfOrDescendant(4, 2)).toBe(true));
  test('is true for a deeper descendant', () => expect(tree.isSelfOrDescendant(4, 1)).toBe(true));
  test('is false for the parent', () => expect(tree.isSelfOrDescendant(2, 4)).toBe(false));
  test('is false for a sibling', () => expect(tree.isSelfOrDescendant(2, 3)).toBe(false));
  test('is false for another root', () => expect(tree.isSelfOrDescendant(4, 5)).toBe(false));
  test('is false for an unknown component', () => expect(tree.isSelfOrDescendant(4, 99)).toBe(false));
  test('ends and is false for an unrelated component in a cycle', () => {
    const cycle = new ComponentTree([
      { id: 1, parentId: 2 },
      { id: 2, parentId: 1 },
    ]);
    expect(cycle.isSelfOrDescendant(1, 3)).toBe(false);
  });
});

describe('visitRelations', () => {
  const { named, aboveNamed, belowNamed } = relationFlags;
  const findRelations = (any: ComponentTree, indexes: number[]) => {
    const relations: [number, number][] = [];
    any.visitRelations(indexes, (index, relation) => relations.push([index, relation]));
    expect(new Set(relations.map(([index]) => index)).size).toBe(relations.length);
    return new Map(relations);
  };
  const findById = (...ids: number[]) => {
    const relations = findRelations(
      tree,
      ids.map(id => tree.indexById.get(id)!),
    );
    return Object.fromEntries(nodes.map(({ id }, index) => [id, relations.get(index) ?? 0]));
  };

  test('flags the ancestors and descendants of a named component, but not its siblings', () => {
    expect(findById(2)).toEqual({ 1: aboveNamed, 2: named, 3: 0, 4: belowNamed, 5: 0, 6: 0 });
  });

  test('adds up the flags of several named components', () => {
    expect(findById(1, 4)).toMatchObject({ 1: named | aboveNamed, 2: aboveNamed | belowNamed, 3: belowNamed });
    expect(findById(1, 4)[4]).toBe(named | belowNamed);
  });

  test('flags nothing if no component is named', () => {
    expect(new Set(Object.values(findById()))).toEqual(new Set([0]));
  });

  test('agrees with isSelfOrDescendant for any tree in any order', () => {
    const trees = fc
      .array(fc.nat(), { minLength: 1, maxLength: 20 })
      .map(choices => choices.map((choice, index) => ({ id: index + 1, parentId: choice % (index + 1) || null })))
      .chain(list => fc.shuffledSubarray(list, { minLength: list.length }));
    fc.assert(
      fc.property(trees, fc.nat(), (list, pick) => {
        const any = new ComponentTree(list);
        const { id } = list[pick % list.length]!;
        const relations = findRelations(any, [any.indexById.get(id)!]);
        expect(any.boundRelations([any.indexById.get(id)!])).toBe(relations.size);
        const several = list.filter((_, index) => (pick + index) % 3 === 0).map(one => any.indexById.get(one.id)!);
        expect(any.boundRelations(several)).toBeGreaterThanOrEqual(findRelations(any, several).size);
        // Nothing is left of the visit before.
        expect(findRelations(any, [])).toEqual(new Map());
        for (const [index, other] of list.entries()) {
          const isAbove = other.id !== id && any.isSelfOrDescendant(id, other.id);
          const isBelow = other.id !== id && any.isSelfOrDescendant(other.id, id);
          expect(relations.get(index) ?? 0).toBe(
            (other.id === id ? named : 0) | (isAbove ? aboveNamed : 0) | (isBelow ? belowNamed : 0),
          );
        }
      }),
    );
  });
});

describe('the place of a component in a linked tree', () => {
  test('is below its parent, or at the root where that is unknown or a cycle', () => {
    const placed = placeComponents([
      { id: 3, parentId: 1 },
      { id: 1, parentId: null },
      { id: 4, parentId: 99 },
      { id: 5, parentId: 6 },
      { id: 6, parentId: 5 },
    ]);
    expect([...placed]).toEqual([
      [3, 1],
      [1, null],
      [4, null],
      [5, null],
      [6, null],
    ]);
  });

  test('is beside its parent below the 50th level', () => {
    const chain = Array.from({ length: 60 }, (_, index) => ({ id: index + 1, parentId: index || null }));
    const placed = placeComponents([...chain.toReversed(), { id: 100, parentId: 60 }]);
    expect(placed.get(50)).toBe(49);
    expect([51, 52, 60, 100].map(id => placed.get(id))).toEqual([49, 49, 49, 49]);
  });
});

describe('linked components', () => {
  interface Linked extends LinkedNode<Linked> {
    id: number;
    children: Linked[];
  }
  const link = (list: readonly TreeNode[]) => {
    const linked = new Map<number, Linked>(list.map(({ id }) => [id, { id, parent: null, children: [] }]));
    for (const { id, parentId } of list) {
      const node = linked.get(id)!;
      const parent = linked.get(parentId ?? 0) ?? null;
      node.parent = parent;
      parent?.children.push(node);
    }
    return linked;
  };
  const linked = link(nodes);
  const roots = [linked.get(1)!, linked.get(5)!];
  const ids = (list: readonly Linked[]) => list.map(({ id }) => id);

  test('flattenTree lists each component before its descendants, in the order of the children', () => {
    expect(ids(flattenTree(roots))).toEqual([1, 2, 4, 3, 5, 6]);
    expect(flattenTree([])).toEqual([]);
  });

  test('listAncestors lists the parent first, up to the limit', () => {
    expect(ids(listAncestors(linked.get(4)!))).toEqual([2, 1]);
    expect(ids(listAncestors(linked.get(4)!, 1))).toEqual([2]);
    expect(listAncestors(linked.get(1)!)).toEqual([]);
  });

  test('isSelfOrAncestor tests the component and all above it, and none below it', () => {
    const isWithin = (id: number, ancestor: number) => isSelfOrAncestor(linked.get(id)!, one => one.id === ancestor);
    expect([isWithin(4, 4), isWithin(4, 1), isWithin(1, 4), isWithin(3, 2)]).toEqual([true, true, false, false]);
  });

  test('may be nested 100,000 deep', () => {
    const deep = link(Array.from({ length: 100_000 }, (_, index) => ({ id: index + 1, parentId: index || null })));
    expect(flattenTree([deep.get(1)!])).toHaveLength(100_000);
    expect(listAncestors(deep.get(100_000)!)).toHaveLength(99_999);
  });
});
