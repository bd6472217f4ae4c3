import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { renderOpenApi } from '../../../src/cli/generators/render-openapi.js';
import { createExample } from '../../../src/rest/openapi/response-examples.js';

test('openapi.json matches the API; `npm run schema` writes it', () => {
  expect(readFileSync('openapi.json', 'utf8')).toBe(renderOpenApi());
});

describe('the example of a field without a value in examples.ts', () => {
  const timestamp = { type: 'string', format: 'date-time' };
  const named = { Record: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } };
  const reference = { $ref: '#/components/schemas/Record' };

  test.each<[string, object, unknown]>([
    ['a text', { type: 'string' }, 'Text'],
    ['an integer', { type: 'integer', format: 'int32' }, 1],
    ['a boolean', { type: 'boolean' }, false],
    ['a timestamp', timestamp, '2026-11-02T09:12:44.120Z'],
    ['a constant', { type: 'string', const: 'planned' }, 'planned'],
    ['an enum', { type: 'string', enum: ['asc', 'desc'] }, 'asc'],
    ['a nullable value', { ...timestamp, type: ['string', 'null'] }, null],
    ['a record', reference, { id: 1 }],
    ['a nullable record', { anyOf: [reference, { type: 'null' }] }, null],
    ['a list', { type: 'array', items: reference }, [{ id: 1 }]],
  ])('fits the schema of %s', (_, schema, example) => {
    expect(createExample({ ...schema }, named)).toEqual(example);
  });

  test('is the default of its column, for a record', () => {
    const { Page, Brand } = JSON.parse(renderOpenApi()).components.schemas;
    expect(Page.examples[0]).toMatchObject({ locale: 'en', timeline_threshold: 259_200, visible_to_search: true });
    expect(Brand.examples[0].color_state_ok).toBe('#27ae60');
  });
});
