import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery, Kind, type OperationDefinitionNode, parse, validate } from 'graphql';
import { limits } from '../../../src/graphql/limits.js';
import { checkLimits } from '../../support/check-limits.js';
import { schema } from '../../../src/schema.js';

const repeat = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ');

/** Returns the error message of a document that is refused, or null. */
function findRefusal(text: string, variables: Record<string, unknown> = {}): string | null {
  const document = parse(text, { maxTokens: limits.tokens });
  expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
  const operation = document.definitions.find(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  )!;
  try {
    checkLimits(schema, document, operation, variables);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Fragments of which each spreads the next one twice: 2 to the power of `count` spreads. */
const doubling = (type: string, count: number, spread: (next: string) => string, leaf: string) =>
  `${repeat(count, index => `fragment F${index} on ${type} { ${spread(`...F${index + 1}`)} }`)}
   fragment F${count} on ${type} { ${leaf} }`;

describe('fragments that double', () => {
  test.each([
    [
      'at one level',
      `{ component(pageId: "x", id: 1) { ...F0 } } ${doubling('Component', 150, next => `${next} ${next}`, 'id')}`,
    ],
    [
      'at every level',
      `{ component(pageId: "x", id: 1) { ...F0 } } ${doubling('Component', 12, next => `children(first: 1) { nodes { ${next} } } parent { ${next} }`, 'id')}`,
    ],
    [
      'within introspection, at one level',
      `{ __schema { queryType { ...F0 } } } ${doubling('__Type', 150, next => `${next} ${next}`, 'name')}`,
    ],
    [
      'within introspection, at every level',
      `{ __schema { queryType { ...F0 } } } ${doubling('__Type', 12, next => `ofType { ${next} } again: ofType { ${next} }`, 'name')}`,
    ],
    [
      'by way of fragments without fields of their own',
      `{ page(id: "x") { ${'...F0 '.repeat(400)} } } ${repeat(100, index => `fragment F${index} on Page { ...F${index + 1} }`)} fragment F100 on Page { id }`,
    ],
  ])('are refused %s', (_, query) => {
    expect(findRefusal(query)).not.toBeNull();
  });
});

test('the estimate stops after a bounded number of nodes', () => {
  const query = `{ __schema { queryType { ...F0 } } } ${doubling('__Type', 150, next => `${next} ${next}`, 'name')}`;
  expect(findRefusal(query)).toBe('The introspection could return too many objects; the limit is 700,000.');
});

test('texts of variables count as often as a document uses them', () => {
  const search = (count: number) =>
    `query ($text: ID!) { ${repeat(count, index => `p${index}: page(id: $text) { id }`)} }`;
  const variables = { text: 'x'.repeat(2_000_000) };
  expect(findRefusal(search(16), variables)).toBeNull();
  expect(findRefusal(search(17), variables)).toMatch('more than 32,000,000 characters');
});

test('accepts the introspection query', () => {
  expect(
    findRefusal(getIntrospectionQuery({ descriptions: true, inputValueDeprecation: true, oneOf: true })),
  ).toBeNull();
});

describe('a value with lists and objects within each other', () => {
  const nest = (count: number, value: unknown = 1): unknown => (count ? nest(count - 1, [value]) : value);
  const signIn = 'mutation($one: JSON!) { signInWithPasskey(input: { credential: $one }) { email } }';
  const literal = (count: number) =>
    `mutation { signInWithPasskey(input: { credential: ${'{a: ['.repeat(count / 2)}1${']}'.repeat(count / 2)} }) { email } }`;
  const message = (kind: string) => `The ${kind} has more than 64 lists and objects within each other.`;

  test.each<[string, unknown, string | null]>([
    ['64', nest(64), null],
    ['65', nest(65), message('variable `one`')],
    ['65, in the last member', { a: 1, b: [2, nest(63)] }, message('variable `one`')],
    ['many', JSON.parse(`${'['.repeat(500_000)}${']'.repeat(500_000)}`), message('variable `one`')],
  ])('is refused as a variable beyond 64: %s', (_, value, expected) => {
    expect(findRefusal(signIn, { one: value })).toBe(expected);
  });

  test.each<[number, string | null]>([
    // The input is an object, too.
    [62, null],
    [64, message('argument `input`')],
    [600, message('argument `input`')],
  ])('is refused as a literal beyond 64: %s', (count, expected) => {
    expect(findRefusal(literal(count))).toBe(expected);
  });

  test('is refused as the value of a variable that has a default', () => {
    const withDefault = signIn.replace('JSON!', `JSON! = ${'['.repeat(65)}${']'.repeat(65)}`);
    expect(findRefusal(withDefault)).toBe(message('argument `one`'));
  });
});

describe('the work of a filter', () => {
  const findCost = (text: string, variables: Record<string, unknown> = {}) => {
    const document = parse(text);
    expect(validate(schema, document)).toEqual([]);
    return checkLimits(schema, document, document.definitions[0] as OperationDefinitionNode, variables).records;
  };
  const costOf = (filter: string) =>
    findCost(`{ notices(pageId: "x", first: 1, filter: ${filter}) { totalCount } }`) - 1;

  test.each([
    ['no condition', '{}', 0],
    ['a null condition', '{ subject: null, updates: { content: { eq: null } } }', 0],
    ['a condition', '{ subject: { eq: "a" } }', 100],
    ['two conditions on a field', '{ createdAt: { gt: "2026-01-01T00:00:00Z", lt: "2026-02-01T00:00:00Z" } }', 200],
    ['a list of values', '{ id: { in: ["1", "2", "3"] } }', 100],
    ['a condition that is no field of the record', '{ forComponents: ["1"] }', 100],
    ['a condition through an association', '{ components: { name: { eq: "a" } } }', 1_000],
    ['conditions on both', '{ subject: { eq: "a" }, updates: { content: { eq: "a" }, id: { eq: 1 } } }', 2_100],
  ])('%s', (_, filter, cost) => {
    expect(costOf(filter)).toBe(cost);
  });

  test('multiplies by the lists above', () => {
    expect(
      findCost(
        '{ pages(first: 10) { nodes { notices(first: 1, filter: { subject: { eq: "a" } }) { nodes { id } } } } }',
      ),
    ).toBe(1 + 10 * (1 + 1 + 100 + 1));
  });

  test('depends on the conditions that variables have, and not on their values', () => {
    const text = 'query($filter: NoticeFilter) { notices(pageId: "x", filter: $filter) { totalCount } }';
    const document = parse(text);
    const operation = document.definitions[0] as OperationDefinitionNode;
    const cost = (filter: unknown) => checkLimits(schema, document, operation, { filter }).records;
    expect(cost({ subject: { eq: 'a' } })).toBe(101);
    expect(cost({ subject: { eq: 'b' } })).toBe(101);
    expect(cost({ subject: { eq: null } })).toBe(1);
    expect(cost({ components: { name: { eq: 'a' } } })).toBe(1_001);
    expect(cost(null)).toBe(1);
  });
});

describe('the estimated records', () => {
  const costly =
    'pages(first: 100) { nodes { notices(first: 100) { nodes { components(first: 100) { nodes { id } } } } } }';

  test('count the costliest type of an interface, not the sum of its types', () => {
    const notices = (types: string[]) =>
      `{ notices(pageId: "x", first: 10) { nodes { ${types.map(type => `... on ${type} { components(first: 100) { nodes { notices(first: 60) { nodes { id } } } } }`).join(' ')} } } }`;
    expect(findRefusal(notices(['PlannedNotice', 'UnplannedNotice', 'GeneralNotice']))).toBeNull();
    expect(findRefusal(notices(['Notice', 'UnplannedNotice']))).toMatch(/the limit is 100,000/);
  });

  test('are not lowered by an argument that the execution refuses', () => {
    const query = `query($id: ID = "x") { component(pageId: $id, id: 1) { id } ${costly} }`;
    expect(findRefusal(query, { id: null })).toMatch(/the limit is 100,000/);
  });

  test('are estimated again when a variable changes', () => {
    const query = `query($first: Int = 100) { pages(first: $first) { nodes { notices(first: 100) { nodes { components(first: 100) { nodes { id } } } } } } }`;
    expect(findRefusal(query)).toMatch(/the limit is 100,000/);
    expect(findRefusal(query, { first: 1 })).toBeNull();
  });

  test('count with variables of every kind', () => {
    const query = `query($order: [PageOrder!], $filter: PageFilter) {
      pages(first: 100, orderBy: $order, filter: $filter) { nodes { notices(first: 100) { nodes { components(first: 100) { nodes { id } } } } } }
    }`;
    const variables = {
      order: [{ field: 'CREATED_AT', direction: 'DESC' }],
      filter: { createdAt: { gt: '2026-01-01T00:00:00.000Z' }, id: { in: ['x'] } },
    };
    expect(findRefusal(query, variables)).toMatch(/the limit is 100,000/);
  });

  test('are not taken from a request in which an argument was refused', () => {
    const text = `query($id: ID = "x") { page(id: $id) { notices(first: 100) { nodes { components(first: 100) { nodes { notices(first: 100) { nodes { id } } } } } } } }`;
    const document = parse(text);
    const operation = document.definitions[0] as OperationDefinitionNode;
    expect(() => checkLimits(schema, document, operation, { id: null })).not.toThrow();
    expect(() => checkLimits(schema, document, operation, {})).toThrow(/the limit is 100,000/);
    expect(() => checkLimits(schema, document, operation, { id: 'y' })).toThrow(/the limit is 100,000/);
  });
});

describe('large variables leave nothing in memory', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const measureHeap = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };

  test.each([
    [
      'of bytes',
      'mutation ($input: UploadImageInput!) { uploadImage(pageId: "x", input: $input) { height } }',
      (index: number) => ({ data: Buffer.alloc(500_000, index).toString('base64') }),
    ],
    [
      'of lists of objects',
      'mutation ($input: [PageChangeInput!]!) { publishOnPages(input: $input) { userErrors { code } } }',
      (index: number) =>
        Array.from({ length: 5_000 + index }, () => ({ pageId: 'x', change: { announce: { shouldPublish: true } } })),
    ],
  ])('%s', (_, text, createInput) => {
    const document = parse(text);
    expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
    const operation = document.definitions[0] as OperationDefinitionNode;
    checkLimits(schema, document, operation, { input: createInput(0) });
    const before = measureHeap();
    for (let index = 1; index <= 10; index++)
      expect(checkLimits(schema, document, operation, { input: createInput(index) }).price).toBeGreaterThan(0);
    expect(measureHeap() - before).toBeLessThan(1_000_000);
  });
});

describe('what can have megabytes that are not read from the database', () => {
  test.each([
    [
      'a list that is imported',
      4,
      'importSubscribers(pageId: "x", input: { csv: "", consentSource: "" }) { problems { message } }',
    ],
    ['dead deliveries that are resent', 5, 'resendDeliveries(pageId: "x", dryRun: true) { count }'],
    ['a status page that is read', 4, 'readUpstream(pageId: "x", input: { url: "" }) { components { name } }'],
  ])('%s', (_, count, field) => {
    const times = (number: number) => `mutation { ${repeat(number, index => `a${index}: ${field}`)} }`;
    expect(findRefusal(times(count))).toBeNull();
    expect(findRefusal(times(count + 1))).toContain('The response could hold');
  });
});
