import { expect, test } from '@jest/globals';
import { createRecordSchema } from '../../../../src/transfer/archive/kind.js';
import { kinds } from '../../../../src/transfer/archive/kinds.js';
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

test('a record that lacks columns of later versions has what a new record has there', () => {
  const component = {
    id: 1,
    created_at: '2026-11-01T00:00:00.000Z',
    updated_at: '2026-11-01T00:00:00.000Z',
    page_id: '2017f84a',
    name: 'Website',
    position: 1,
  };
  const schema = createRecordSchema(kinds.components!);
  const stored = { version: 1, state: 'operational', description: null, parent_id: null, metadata: null };
  expect(schema.parse(component)).toEqual({ ...component, ...stored });
  expect(() => schema.parse({ ...component, name: undefined })).toThrow(/name/);
  expect(() => schema.parse([])).toThrow(/expected object/);
});
