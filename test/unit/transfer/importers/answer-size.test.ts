import { expect, test } from '@jest/globals';
import { checkPageSize, checkRecordCount } from '../../../../src/transfer/importers/answer-size.js';
import type { ImportedPage } from '../../../../src/transfer/importers/imported-page.js';

const createPage = (components: number, notices: number, updates: number) =>
  ({
    components: Array.from({ length: components }, () => ({})),
    notices: Array.from({ length: notices }, () => ({ updates: Array.from({ length: updates }, () => ({})) })),
  }) as Pick<ImportedPage, 'components' | 'notices'>;

test.each([
  [1, 49_999, 1, /^$/],
  [2, 33_333, 2, /The source has more than 100,000 components, notices and updates/],
])('%s components, and %s notices with %s updates each', (components, notices, updates, message) => {
  let refused = '';
  try {
    checkRecordCount(createPage(components, notices, updates));
  } catch (error) {
    refused = (error as Error).message;
  }
  expect(refused).toMatch(message);
});

const page: ImportedPage = { settings: {}, components: [], notices: [], subscribers: [], leftOut: [] };
const update = { content: 'x'.repeat(65_535) };
const leftOut = { kind: 'notice', sourceId: '1', reason: 'has no time' };

test.each<[string, object, RegExp]>([
  ['as much as an answer', { notices: Array(1_000).fill({ updates: [update] }) }, /^$/],
  ['more texts', { notices: Array(1_100).fill({ updates: [update] }) }, /more than 64 MB of texts/],
  ['more values', { notices: [{ componentIds: Array(3_000_000).fill('1') }] }, /more than 3,000,000 values/],
  ['too many records that are left out', { leftOut: Array(200_001).fill(leftOut) }, /200,000 records that are left/],
])('a page that shares %s', (_, shared, message) => {
  let refused = '';
  try {
    checkPageSize({ ...page, ...shared });
  } catch (error) {
    refused = (error as Error).message;
  }
  expect(refused).toMatch(message);
});
