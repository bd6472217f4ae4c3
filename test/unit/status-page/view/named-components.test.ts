import { expect, test } from '@jest/globals';
import { listNames } from '../../../../src/status-page/view/view.js';
import { component, createView, notice } from '../../../support/page-views.js';

const createNamed = (notices: number, length: number) => {
  const components = Array.from({ length }, (_, index) => component(index + 1, `Part ${index + 1}`));
  const componentIds = components.map(({ id }) => id);
  return createView({
    components,
    notices: Array.from({ length: notices }, (_, index) =>
      notice(index + 1, 'unplanned', 'identified', { componentIds }),
    ),
  }).notices;
};

test('a list names 5,000 components in total, 100 a notice, and counts the others', () => {
  const notices = createNamed(60, 150);
  expect(notices.map(({ named }) => named.length)).toEqual([...Array(50).fill(100), ...Array(10).fill(0)]);
  expect(notices.map(one => listNames(one).at(-1))).toEqual([...Array(50).fill('+50'), ...Array(10).fill('+150')]);
});

test('a notice alone names all of its components', () => {
  const [alone] = createNamed(1, 2_000);
  expect(listNames(alone!)).toHaveLength(2_000);
});
