import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TreeNode } from '../../../src/components/component-tree.js';
import { type ComponentState, computeComponentStates } from '../../../src/components/component.states.js';

/**
 *  1 ─ 2 ─ 4
 *    └ 3
 *  5 ─ 6
 */
const tree: TreeNode[] = [
  { id: 1, parentId: null },
  { id: 2, parentId: 1 },
  { id: 3, parentId: 1 },
  { id: 4, parentId: 2 },
  { id: 5, parentId: null },
  { id: 6, parentId: 5 },
];

const states = (...degraded: number[]) => Object.fromEntries(computeComponentStates(tree, new Set(degraded)));

describe('computeComponentStates', () => {
  test('returns operational if nothing is degraded', () => {
    expect(new Set(Object.values(states()))).toEqual(new Set(['operational']));
  });

  test('returns partially-degraded for ancestors and descendants of a degraded component, not for siblings', () => {
    expect(states(2)).toEqual({
      1: 'partially-degraded',
      2: 'degraded',
      3: 'operational',
      4: 'partially-degraded',
      5: 'operational',
      6: 'operational',
    });
  });

  test('affects all descendants, not only children', () => {
    expect(states(1)).toMatchObject({
      1: 'degraded',
      2: 'partially-degraded',
      3: 'partially-degraded',
      4: 'partially-degraded',
    });
  });

  test('affects all ancestors, not only the parent', () => {
    expect(states(4)).toMatchObject({
      1: 'partially-degraded',
      2: 'partially-degraded',
      3: 'operational',
      4: 'degraded',
    });
  });

  test('returns degraded for a degraded component with a degraded ancestor', () => {
    expect(states(1, 4)).toMatchObject({ 1: 'degraded', 2: 'partially-degraded', 4: 'degraded' });
  });

  test('treats a component with an unknown parent as a root', () => {
    expect(computeComponentStates([{ id: 7, parentId: 99 }], new Set([99]))).toEqual(new Map([[7, 'operational']]));
  });

  test('returns every component, even if the data contains a cycle', () => {
    const cycle = [
      { id: 1, parentId: 2 },
      { id: 2, parentId: 1 },
    ];
    expect([...computeComponentStates(cycle, new Set([1])).keys()]).toEqual([1, 2]);
  });

  test('agrees with a naive implementation, on any tree in any order', () => {
    fc.assert(
      fc.property(shuffledTrees, fc.infiniteStream(fc.integer({ min: 0, max: 5 })), (nodes, dice) => {
        const degraded = new Set(nodes.filter(() => dice.next().value === 0).map(node => node.id));
        const found = computeComponentStates(nodes, degraded);
        for (const node of nodes) expect(found.get(node.id)).toBe(computeNaively(node, nodes, degraded));
      }),
      { numRuns: 300 },
    );
  });

  test('handles a tree 100,000 deep and one 200,000 wide', () => {
    const deep = Array.from({ length: 100_000 }, (_, id) => ({ id, parentId: id === 0 ? null : id - 1 }));
    const wide = Array.from({ length: 200_000 }, (_, id) => ({ id, parentId: id === 0 ? null : 0 }));
    expect(computeComponentStates(deep.toReversed(), new Set([99_999])).get(0)).toBe('partially-degraded');
    expect(computeComponentStates(deep, new Set([0])).get(99_999)).toBe('partially-degraded');
    expect(computeComponentStates(wide, new Set([199_999])).get(0)).toBe('partially-degraded');
  });
});

/** Arbitrary trees: the parent of each node is an earlier node or none; the list is then shuffled. */
const shuffledTrees = fc
  .array(fc.nat(), { maxLength: 25 })
  .map(choices => choices.map((choice, index): TreeNode => ({ id: index + 1, parentId: choice % (index + 1) || null })))
  .chain(nodes => fc.shuffledSubarray(nodes, { minLength: nodes.length }));

function computeNaively(node: TreeNode, nodes: TreeNode[], degraded: Set<number>): ComponentState {
  const ancestors = (of: TreeNode): TreeNode[] =>
    nodes.filter(other => other.id === of.parentId).flatMap(parent => [parent, ...ancestors(parent)]);
  const descendants = nodes.filter(other => ancestors(other).includes(node));
  if (degraded.has(node.id)) return 'degraded';
  return [...ancestors(node), ...descendants].some(other => degraded.has(other.id))
    ? 'partially-degraded'
    : 'operational';
}
