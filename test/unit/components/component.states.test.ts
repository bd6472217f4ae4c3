import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type ComponentState,
  componentStates,
  isWithin,
  type TreeNode,
} from '../../../src/components/component.states.js';

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

const states = (...degraded: number[]) => Object.fromEntries(componentStates(tree, new Set(degraded)));

describe('the state of a component', () => {
  test('is operational while nothing is degraded', () => {
    expect(new Set(Object.values(states()))).toEqual(new Set(['operational']));
  });

  test('is partially degraded above and below what is degraded, and operational beside it', () => {
    expect(states(2)).toEqual({
      1: 'partially-degraded',
      2: 'degraded',
      3: 'operational',
      4: 'partially-degraded',
      5: 'operational',
      6: 'operational',
    });
  });

  test('reaches all descendants, not only children', () => {
    expect(states(1)).toMatchObject({
      1: 'degraded',
      2: 'partially-degraded',
      3: 'partially-degraded',
      4: 'partially-degraded',
    });
  });

  test('reaches all ancestors, not only the parent', () => {
    expect(states(4)).toMatchObject({
      1: 'partially-degraded',
      2: 'partially-degraded',
      3: 'operational',
      4: 'degraded',
    });
  });

  test('stays degraded where an ancestor is degraded too', () => {
    expect(states(1, 4)).toMatchObject({ 1: 'degraded', 2: 'partially-degraded', 4: 'degraded' });
  });

  test('takes a parent that is not in the tree for none', () => {
    expect(componentStates([{ id: 7, parentId: 99 }], new Set([99]))).toEqual(new Map([[7, 'operational']]));
  });

  test('is known for every component even if a circle was left in the data', () => {
    const circle = [
      { id: 1, parentId: 2 },
      { id: 2, parentId: 1 },
    ];
    expect([...componentStates(circle, new Set([1])).keys()]).toEqual([1, 2]);
  });

  test('agrees with the rule taken literally, on any tree in any order', () => {
    fc.assert(
      fc.property(shuffledTrees, fc.infiniteStream(fc.integer({ min: 0, max: 5 })), (nodes, draws) => {
        const degraded = new Set(nodes.filter(() => draws.next().value === 0).map(node => node.id));
        const found = componentStates(nodes, degraded);
        for (const node of nodes) expect(found.get(node.id)).toBe(literally(node, nodes, degraded));
      }),
      { numRuns: 300 },
    );
  });

  test('is found in a tree 100,000 deep and in one 200,000 wide', () => {
    const deep = Array.from({ length: 100_000 }, (_, id) => ({ id, parentId: id === 0 ? null : id - 1 }));
    const wide = Array.from({ length: 200_000 }, (_, id) => ({ id, parentId: id === 0 ? null : 0 }));
    expect(componentStates(deep.toReversed(), new Set([99_999])).get(0)).toBe('partially-degraded');
    expect(componentStates(deep, new Set([0])).get(99_999)).toBe('partially-degraded');
    expect(componentStates(wide, new Set([199_999])).get(0)).toBe('partially-degraded');
  });
});

/** The parent of each node is some node before it; then the list is shuffled. */
const shuffledTrees = fc
  .array(fc.nat(), { maxLength: 25 })
  .map(choices => choices.map((choice, index): TreeNode => ({ id: index + 1, parentId: choice % (index + 1) || null })))
  .chain(nodes => fc.shuffledSubarray(nodes, { minLength: nodes.length }));

function literally(node: TreeNode, nodes: TreeNode[], degraded: Set<number>): ComponentState {
  const ancestors = (of: TreeNode): TreeNode[] =>
    nodes.filter(other => other.id === of.parentId).flatMap(parent => [parent, ...ancestors(parent)]);
  const descendants = nodes.filter(other => ancestors(other).includes(node));
  if (degraded.has(node.id)) return 'degraded';
  return [...ancestors(node), ...descendants].some(other => degraded.has(other.id))
    ? 'partially-degraded'
    : 'operational';
}

describe('a component is within', () => {
  test('itself', () => expect(isWithin(tree, 2, 2)).toBe(true));
  test('its parent', () => expect(isWithin(tree, 4, 2)).toBe(true));
  test('every ancestor', () => expect(isWithin(tree, 4, 1)).toBe(true));
  test('not its child', () => expect(isWithin(tree, 2, 4)).toBe(false));
  test('not its sibling', () => expect(isWithin(tree, 2, 3)).toBe(false));
  test('not another root', () => expect(isWithin(tree, 4, 5)).toBe(false));
  test('not what is unknown', () => expect(isWithin(tree, 4, 99)).toBe(false));
  test('a circle neither above nor below it, and the search ends', () => {
    const circle = [
      { id: 1, parentId: 2 },
      { id: 2, parentId: 1 },
    ];
    expect(isWithin(circle, 1, 3)).toBe(false);
  });
});
