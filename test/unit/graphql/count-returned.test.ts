import { expect, test } from '@jest/globals';
import { buildSchema, type ExecutionResult, execute, parse } from 'graphql';
import { countReturned, removeRefused } from '../../../src/graphql/count-returned.js';
import { ResponseSize } from '../../../src/records/raise-sql.js';

const schema = buildSchema(
  'type Query { list: Answer } type Answer { items: [Item!]! } type Item { text: String ids: [ID!]! }',
);
countReturned(schema);

const items = Array.from({ length: 100 }, () => ({ text: 'x'.repeat(100), ids: ['1', '2', '3'] }));
const run = (query: string, returned: ResponseSize) =>
  execute({
    schema,
    document: parse(query),
    rootValue: { list: Promise.resolve({ items }) },
    contextValue: { returned },
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
  expect((await run(fitting, new ResponseSize(maxBytes))).errors).toBeUndefined();
  const { errors } = await run(twice, new ResponseSize(maxBytes));
  expect(errors!.map(({ message }) => message)).toEqual([expect.stringMatching(/^The response is longer than /)]);
});

test('each root field of which a part is beyond the maximum is refused by one error, and is null as a whole', async () => {
  const returned = new ResponseSize(20_000);
  const query = '{ a: list { items { text } } b: list { items { text } } c: list { items { text } } }';
  const result = await run(query, returned);
  expect(result.errors!.map(({ path }) => path![0]).toSorted()).toEqual(['b', 'c']);
  removeRefused(result, returned);
  const { a, b, c } = result.data as Record<string, { items: { text: string | null }[] } | null>;
  expect(a!.items.every(({ text }) => text !== null)).toBe(true);
  expect([b, c]).toEqual([null, null]);
});
