import { expect, test } from '@jest/globals';
import { splitByWeight } from '../../../src/db/weighted-batches.js';

const split = (weights: number[], maxRows = 500) => [...splitByWeight(weights, weight => weight, maxRows)];

test('a batch has at most the rows that are given', () => {
  expect(split([1, 1, 1, 1, 1], 2)).toEqual([[1, 1], [1, 1], [1]]);
  expect(split([])).toEqual([]);
});

test('a batch has at most 2,000 rows with those that belong to them, and a row with more is alone', () => {
  expect(split([1_000, 1_000, 1, 1_999, 3_000, 1, 2_000])).toEqual([[1_000, 1_000], [1, 1_999], [3_000], [1], [2_000]]);
});
