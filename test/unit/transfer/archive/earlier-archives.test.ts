import { expect, test } from '@jest/globals';
import { createRecordSchema } from '../../../../src/transfer/archive/kind.js';
import { sourceKinds } from '../../../../src/transfer/archive/source-kinds.js';

test('a source of alerts of an archive that has no field paths is read', () => {
  const source = {
    id: 1,
    created_at: '2026-11-01T00:00:00.000Z',
    updated_at: '2026-11-01T00:00:00.000Z',
    version: 1,
    page_id: '2017f84a',
    name: 'Alertmanager',
    rules: [],
    last_four: 'abcd',
  };
  expect(createRecordSchema(sourceKinds['alert-sources']!).parse(source)).toEqual({ ...source, fields: null });
});
