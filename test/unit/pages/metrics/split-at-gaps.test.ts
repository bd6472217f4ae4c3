import { expect, test } from '@jest/globals';
import { splitAtGaps } from '../../../../src/pages/metrics/split-at-gaps.js';

test.each<[string, number[], number[][]]>([
  ['no points', [], []],
  ['one point', [7], [[7]]],
  ['two points, however far apart', [1, 90], [[1, 90]]],
  ['a value each fourth step', [0, 4, 8, 12], [[0, 4, 8, 12]]],
  ['a distance of three times the median', [0, 4, 8, 20, 24], [[0, 4, 8, 20, 24]]],
  [
    'a distance of more than that',
    [0, 4, 8, 21, 25],
    [
      [0, 4, 8],
      [21, 25],
    ],
  ],
  [
    'values at each step, and four without',
    [1, 2, 3, 8, 9],
    [
      [1, 2, 3],
      [8, 9],
    ],
  ],
  ['the lower of two medians', [0, 1, 8], [[0, 1], [8]]],
])('%s', (_, slots, runs) => {
  expect(splitAtGaps(slots.map(slot => [slot] as const)).map(run => run.map(([slot]) => slot))).toEqual(runs);
});
