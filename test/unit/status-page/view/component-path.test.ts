import { expect, test } from '@jest/globals';
import { findUniquePath } from '../../../../src/status-page/view/component-path.js';
import { component, createView } from '../../../support/page-views.js';

/** The path of one of these components, each an id, its name, and the id of its parent. */
const pathOf = (id: number, components: [id: number, name: string, parentId?: number][], minimum?: number) => {
  const view = createView({
    components: components.map(([each, name, parentId]) => ({ ...component(each, name), parentId: parentId ?? null })),
  });
  return findUniquePath(view, view.componentsById.get(id)!, minimum);
};

test('a path has as few names as tell a component from the others', () => {
  expect(pathOf(1, [[1, 'API']])).toEqual(['API']);
  const alike: Parameters<typeof pathOf>[1] = [
    [1, 'Europe'],
    [2, 'Core', 1],
    [3, 'API', 2],
    [4, 'Asia'],
    [5, 'Core', 4],
    [6, 'API', 5],
    [7, 'API'],
  ];
  expect(pathOf(3, alike)).toEqual(['Europe', 'Core', 'API']);
  expect(pathOf(7, alike)).toEqual(['API']);
  expect(pathOf(2, alike)).toEqual(['Europe', 'Core']);
});

test('a path has a minimum of names where there are so many', () => {
  const parts: Parameters<typeof pathOf>[1] = [
    [1, 'Europe'],
    [2, 'API', 1],
  ];
  expect(pathOf(2, parts, 2)).toEqual(['Europe', 'API']);
  expect(pathOf(1, parts, 2)).toEqual(['Europe']);
});

test('paths of 2,000 components of one name, nested in each other, have five names', () => {
  const chain = Array.from({ length: 2_000 }, (_, index) => ({
    ...component(index + 1, 'Same'),
    parentId: index || null,
  }));
  const view = createView({ components: chain });
  for (const one of view.componentsById.values())
    expect(findUniquePath(view, one)).toHaveLength(Math.min(one.depth + 1, 5));
  expect(Math.max(...[...view.componentsById.values()].map(({ depth }) => depth))).toBe(49);
});
