import { expect, test } from '@jest/globals';
import { buildSchema, type FieldNode, type OperationDefinitionNode, parse } from 'graphql';
import { collectSelection } from '../../../src/records/selection.js';

const names = Array.from({ length: 50 }, (_, index) => `field${index}`);
const schema = buildSchema(`type Query { page: Page } type Page { ${names.map(name => `${name}: Int`).join(' ')} }`);
const variables = ['a', 'b', 'c', 'd', 'e', 'f'];
const combinations = Array.from({ length: 2 ** variables.length }, (_, number) =>
  Object.fromEntries(variables.map((name, index) => [name, Boolean((number >> index) & 1)])),
);

/** What collects the selection of the only field of a document, by its variables. */
function prepare(text: string) {
  const operation = parse(text).definitions[0] as OperationDefinitionNode;
  const node = operation.selectionSet.selections[0] as FieldNode;
  return (variableValues: Record<string, boolean>) =>
    collectSelection({ schema, fragments: {}, operation, variableValues }, schema.getType('Page') as never, [node]);
}

const declared = variables.map(name => `$${name}: Boolean!`).join(' ');

test('a selection is kept for each combination of variables', () => {
  const collect = prepare(`query (${declared}) { page { field1 @include(if: $a) field2 @include(if: $b) } }`);
  const some = combinations.slice(0, 4);
  const first = some.map(collect);
  expect(some.map(collect).every((selection, index) => selection === first[index])).toBe(true);
});

test('selections that take too much memory for their document are dropped', () => {
  const fields = names.map((name, index) => `${name} @include(if: $${variables[index % 6]})`).join(' ');
  const collect = prepare(`query (${declared}) { page { ${fields} } }`);
  const [first] = combinations.map(collect);
  const last = collect(combinations.at(-1)!);
  expect(collect(combinations.at(-1)!)).toBe(last);
  expect(collect(combinations[0]!)).not.toBe(first);
});

/** Whether the first of many combinations is still kept after the others, where all select nothing. */
function keepsFirst(count: number, otherVariable: Record<string, boolean> = {}): boolean {
  const flags = Array.from({ length: 10 }, (_, index) => `flag${index}`);
  const names = [...flags, ...Object.keys(otherVariable)];
  const collect = prepare(
    `query (${names.map(name => `$${name}: Boolean!`)}) { page { field1 @include(if: $flag0) } }`,
  );
  const all = Array.from({ length: count }, (_, number) =>
    Object.fromEntries(flags.map((name, index) => [name, Boolean(((2 * number) >> index) & 1)])),
  );
  const [first] = all.map(variables => collect({ ...otherVariable, ...variables }));
  return collect({ ...otherVariable, ...all[0] }) === first;
}

test('selections of which all fields are skipped are counted', () => {
  expect(keepsFirst(10)).toBe(true);
  expect(keepsFirst(200)).toBe(false);
});

test('the names of variables in the keys of selections are counted', () => {
  const otherVariable = { ['a'.repeat(20_000)]: true };
  expect(keepsFirst(10, otherVariable)).toBe(true);
  expect(keepsFirst(200, otherVariable)).toBe(false);
});
