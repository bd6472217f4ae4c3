import { expect, test } from '@jest/globals';
import { drawLine } from '../../../../src/status-page/html/metrics.js';

test('a line begins anew after a step without a value, and a single value is a dot', () => {
  const { line, area } = drawLine(
    [
      [1, 0, 1, 0, 0],
      [2, 10, 1, 10, 10],
      [4, 20, 4, 5, 5],
    ],
    4,
    4,
  );
  expect(line).toBe('M100 76L200 4M400 40h0');
  expect(area).toBe('M100 76L100 76L200 4L200 76Z');
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
