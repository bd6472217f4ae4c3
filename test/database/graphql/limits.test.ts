import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery, Kind, type OperationDefinitionNode, parse, validate } from 'graphql';
import { checkLimits, limits } from '../../../src/graphql/limits.js';
import { schema } from '../../../src/schema.js';
import { routes } from '../../../src/rest/routes.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const times = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => one(index)).join(' ');
/** `{ a { a { leaf } } }`: `levels` fields deep, the leaf included. */
const nested = (field: string, levels: number, leaf = 'id') =>
  `${`${field} { `.repeat(levels - 1)}${leaf}${' }'.repeat(levels - 1)}`;

/** The refusal of a document, or null. */
function refusalOf(text: string, variables: Record<string, unknown> = {}): string | null {
  const document = parse(text, { maxTokens: limits.tokens });
  const problems = validate(schema, document);
  if (problems.length) return `does not fit: ${problems[0]!.message}`;
  const operation = document.definitions.find(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  )!;
  try {
    checkLimits(schema, document, operation, variables);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('A refusal', () => {
  test('says in its words and by its code what is too much, and nothing is read', async () => {
    const { json } = await service.graphql(`{ component(pageId: "x", id: 1) { ${nested('parent', 15)} } }`);
    expect(json).toEqual({
      errors: [{ message: 'The query is deeper than 15 levels.', extensions: { code: 'BAD_REQUEST' } }],
    });
  });

  test('is there again when the same document comes again', async () => {
    const query = `{ ${times(21, index => `a${index}: hello`)} }`;
    for (let time = 0; time < 3; time++)
      expect((await service.graphql(query)).json.errors[0].message).toBe(
        'The query has more than 20 fields at its root.',
      );
  });

  test('is for a document of too many tokens as well', async () => {
    const { json } = await service.graphql(`{ ${'hello '.repeat(2_000)} }`);
    expect(json.errors[0]).toMatchObject({
      message: expect.stringContaining('2000 tokens'),
      extensions: { code: 'GRAPHQL_PARSE_FAILED' },
    });
  });
});

describe('The limits', () => {
  test('are 15 levels, through fragments too', () => {
    const query = (levels: number) =>
      `{ component(pageId: "x", id: 1) { ...Top } } fragment Top on Component { ${nested('parent', levels - 1)} }`;
    expect(refusalOf(query(15))).toBeNull();
    expect(refusalOf(query(16))).toMatch(/deeper than 15 levels/);
  });

  test('are 100 aliases in all', () => {
    const query = (count: number) =>
      `{ page(id: "x") { ...Names } again: page(id: "x") { ...Names } } fragment Names on Page { ${times(count, index => `n${index}: name`)} }`;
    expect(refusalOf(query(49))).toBeNull();
    expect(refusalOf(query(50))).toMatch(/more than 100 aliases/);
  });

  test('are 60 characters an alias', async () => {
    const key = 'a'.repeat(60);
    const { json } = await service.graphql(`{ timezone(id: "UTC") { ${key}: name } }`);
    expect(json.data.timezone).toEqual({ [key]: 'UTC' });
    expect(refusalOf(`{ timezone(id: "UTC") { ${key}a: name } }`)).toMatch(/longer than 60 characters/);
  });

  test('are 20 fields at the root, through fragments too', () => {
    const query = (count: number) =>
      `{ hello ...Some } fragment Some on Query { ${times(count, index => `a${index}: hello`)} }`;
    expect(refusalOf(query(19))).toBeNull();
    expect(refusalOf(query(20))).toMatch(/more than 20 fields at its root/);
  });

  test('are 1,000 fields, of an interface for each of its kinds', () => {
    const names = (count: number) => `fragment Names on Notice { ${'subject '.repeat(count)} }`;
    const query = (count: number) =>
      `{ ${times(4, index => `n${index}: notice(pageId: "x", id: ${index}) { ...Names }`)} } ${names(count)}`;
    expect(refusalOf(query(83))).toBeNull();
    expect(refusalOf(query(84))).toMatch(/more than 1000 fields/);
  });
});

describe('The cost', () => {
  const related = (first: string) => `notices${first} { id components { id } }`;

  test('is the number of records that the answer may hold: 25 of a list, 100 of a related one, multiplied', () => {
    expect(refusalOf(`{ notices(pageId: "x") { nodes { components { notices { id } } } } }`)).toMatch(
      /more than 100000 records/,
    );
    expect(refusalOf(`{ notices(pageId: "x") { nodes { components { notices(first: 10) { id } } } } }`)).toBeNull();
  });

  test.each([
    ['first', 'first: 10', 'first: 9'],
    ['perPage', 'page: 1, perPage: 10', 'page: 1, perPage: 9'],
  ])('falls with %s', (_, tooMany, fewer) => {
    const query = (size: string) => `{ pages(${size}) { nodes { ${related('')} } } }`;
    expect(refusalOf(query(tooMany))).toMatch(/more than 100000 records/);
    expect(refusalOf(query(fewer))).toBeNull();
  });

  test('is that of the variables of each request', async () => {
    const query = `query($first: Int) { pages { nodes { ${related('(first: $first)')} } } }`;
    const messages = [];
    for (const first of [100, 10, null, 39, 40])
      messages.push((await service.graphql(query, { first })).json.errors?.[0].message ?? null);
    expect(messages).toEqual([
      expect.stringMatching(/100000/),
      null,
      expect.stringMatching(/100000/),
      null,
      expect.stringMatching(/100000/),
    ]);
  });

  test('does not count what @include and @skip leave out', () => {
    const query = `query($all: Boolean!) { pages { nodes { ${related('@include(if: $all)')} again: ${related('@skip(if: true)')} } } }`;
    expect(refusalOf(query, { all: true })).toMatch(/more than 100000 records/);
    expect(refusalOf(query, { all: false })).toBeNull();
  });

  test('is counted through edges as through nodes', () => {
    expect(refusalOf(`{ pages(first: 100) { edges { node { ${related('')} } } } }`)).toMatch(
      /more than 100000 records/,
    );
  });

  test('cannot be hidden in a negative size', () => {
    expect(
      refusalOf(`{ pages(first: 100) { nodes { notices(first: -100) { components { id } } again: ${related('')} } } }`),
    ).toMatch(/more than 100000 records/);
  });
});

describe('Introspection', () => {
  const everything = {
    descriptions: true,
    inputValueDeprecation: true,
    schemaDescription: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    oneOf: true,
  };

  test.each([
    ['of graphql-js', {}],
    ['of graphql-js with all its options, which is that of GraphiQL', everything],
  ])('passes: the standard query %s', async (_, options) => {
    const { json } = await service.graphql(getIntrospectionQuery(options));
    expect(json).not.toHaveProperty('errors');
    expect(json.data.__schema.types.length).toBeGreaterThan(50);
  });

  test.each([
    [
      'asked for over and over',
      `{ ${times(15, index => `s${index}: __schema { types { fields { args { name type { name ofType { name } } } } } }`)} }`,
    ],
    [
      'that goes round in circles',
      '{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }',
    ],
    [
      'that goes round in small circles',
      `{ __schema { types { ${times(3, index => `f${index}: fields { type { fields { args { type { ofType { name } } } } } }`)} } } }`,
    ],
  ])('is bounded: %s', (_, query) => {
    expect(refusalOf(query)).not.toBeNull();
  });
});

describe('Documents that are in use pass', () => {
  test.each(routes.map(([method, path, query]) => [`${method} /v1${path}`, query]))(
    'the operation of %s',
    (_, query) => {
      expect(refusalOf(query, { page: 1, per_page: 3 })).toBeNull();
    },
  );
});

/** Counted in visits rather than in time: a document's work must not grow faster than the document. */
describe('Hostile documents are refused soon', () => {
  const bomb = (count: number, below: (next: string) => string) =>
    `{ component(pageId: "x", id: 1) { ...F0 } } ${times(count, index => `fragment F${index} on Component { ${below(`...F${index + 1}`)} }`)} fragment F${count} on Component { id }`;

  test.each([
    ['fragments that spread the next one twice', bomb(85, next => `children { ${next} } parent { ${next} }`)],
    ['fragments that double without going deeper', bomb(150, next => `${next} ${next}`)],
    ['shallow fragments that double', bomb(12, next => `children(first: 1) { ${next} } parent { ${next} }`)],
  ])('%s', (_, query) => {
    expect(refusalOf(query)).toMatch(/deeper than|more than 1000 fields/);
  });

  test.each([
    ['one field 1,900 times', `{ page(id: "x") { ${'id '.repeat(1_900)} } }`],
    ['one list 200 times', `{ page(id: "x") { ${'components(first: 1) { id } '.repeat(200)} } }`],
    [
      '190 fragments at one place',
      `{ page(id: "x") { ${times(190, index => `...F${index}`)} } } ${times(190, index => `fragment F${index} on Page { id }`)}`,
    ],
    ['an argument 900 lists deep', `{ page(id: ${'['.repeat(900)}${']'.repeat(900)}) { id } }`],
    ['a variable 900 lists deep', `query($a: ${'['.repeat(900)}Int${']'.repeat(900)}) { hello }`],
    ['a selection 600 levels deep', `{ ${nested('page', 600)} }`],
  ])('%s: an answer, and no failure of ours', async (_, query) => {
    const answer = await service.graphql(query);
    expect(answer.status).toBe(200);
    expect(answer.json.errors?.[0].extensions.code ?? 'none').not.toBe('SYSTEM');
  });

  test('fragments that go in a circle', async () => {
    const { json } = await service.graphql(
      '{ page(id: "x") { ...A } } fragment A on Page { id ...B } fragment B on Page { ...A }',
    );
    expect(json.errors[0]).toMatchObject({
      message: expect.stringMatching(/Cannot spread fragment/),
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });
  });
});
