import { expect, test } from '@jest/globals';
import { drawLine } from '../../../../src/status-page/html/metrics.js';

test('a line begins anew after a gap, and a single value is a dot', () => {
  const { line, area } = drawLine(
    [
      [1, 0, 1, 0, 0],
      [2, 10, 1, 10, 10],
      [6, 20, 4, 5, 5],
    ],
    6,
    6,
  );
  expect(line).toBe('M67 76L133 4M400 40h0');
  expect(area).toBe('M67 76L67 76L133 4L133 76Z');
});

test('a line of values that are all zero is at the bottom', () => {
  expect(
    drawLine(
      [
        [1, 0, 1, 0, 0],
        [2, 0, 1, 0, 0],
      ],
      2,
      2,
    ).line,
  ).toBe('M200 76L400 76');
});
