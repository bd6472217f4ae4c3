import { expect, test } from '@jest/globals';
import { checkRecordCount } from '../../../../src/transfer/importers/answer-size.js';
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
