import { expect, test } from '@jest/globals';
import { renderRecords } from '../../../src/cli/records.js';

const render = (rows: { pageId: string }[], json?: boolean) =>
  renderRecords(rows, { json }, ({ pageId }) => `page ${pageId}`, 'None.\n');

test('records are lines, or a sentence where there are none', () => {
  expect(render([{ pageId: 'a' }, { pageId: 'b' }])).toBe('page a\npage b\n');
  expect(render([])).toBe('None.\n');
});

test('with --json they are an array with the names of /v1', () => {
  expect(JSON.parse(render([{ pageId: 'a' }], true))).toEqual([{ page_id: 'a' }]);
  expect(JSON.parse(render([], true))).toEqual([]);
});
