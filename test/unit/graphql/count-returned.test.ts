import { expect, test } from '@jest/globals';
import { buildSchema, type ExecutionResult, execute, parse } from 'graphql';
import { countReturned } from '../../../src/graphql/count-returned.js';
import { ResponseSize } from '../../../src/records/raise-sql.js';

const schema = buildSchema(
  'type Query { list: Answer } type Answer { items: [Item!]! } type Item { text: String ids: [ID!]! }',
);
countReturned(schema);

const items = Array.from({ length: 100 }, () => ({ text: 'x'.repeat(100), ids: ['1', '2', '3'] }));
const run = (query: string, maxBytes: number) =>
  execute({
    schema,
    document: parse(query),
    rootValue: { list: Promise.resolve({ items }) },
    contextValue: { returned: new ResponseSize(maxBytes) },
  }) as Promise<ExecutionResult>;

const textBytes = 11_500;

test.each([
  [
    'texts, as often as they are selected',
    '{ list { items { text } } }',
    textBytes,
    '{ list { items { text b: text } } }',
  ],
  ['lists of values', '{ list { items { ids } } }', 2_500, '{ list { items { ids b: ids } } }'],
  ['names of types', '{ list { items { __typename } } }', 5_000, '{ list { items { __typename b: __typename } } }'],
  [
    'names of types in fragments',
    'fragment A on Item { __typename } { list { items { ...A } } }',
    5_000,
    'fragment A on Item { __typename } { list { items { ...A ... on Item { b: __typename } } } }',
  ],
])('counts %s', async (_, fitting, maxBytes, twice) => {
  expect((await run(fitting, maxBytes)).errors).toBeUndefined();
  const { errors } = await run(twice, maxBytes);
  expect(errors!.map(({ message }) => message)).toEqual([expect.stringMatching(/^The response is longer than /)]);
});

test('a response is refused by one error, however many of its fields are beyond the maximum', async () => {
  const { data, errors } = await run('{ list { items { text } } }', 1_000);
  expect(errors).toHaveLength(1);
  const texts = (data as { list: { items: { text: string | null }[] } }).list.items.map(({ text }) => text);
  expect([texts.length, texts.filter(Boolean).length < 10]).toEqual([100, true]);
});
