import { describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery, Kind, type OperationDefinitionNode, parse, validate } from 'graphql';
import { limits } from '../../../src/graphql/limits.js';
import { checkLimits } from '../../support/check-limits.js';
import { restSchema, schema } from '../../../src/schema.js';
import { routes } from '../../../src/rest/routes.js';
import { useService } from '../../support/service.js';

const service = useService();

const repeat = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join(' ');
/** `{ a { a { leaf } } }`: `levels` fields deep, including the leaf. */
const nested = (field: string, levels: number, leaf = 'id') =>
  `${`${field} { `.repeat(levels - 1)}${leaf}${' }'.repeat(levels - 1)}`;

/** Returns the cost of a document. */
function findCost(text: string, variables: Record<string, unknown> = {}, within = schema): number {
  const document = parse(text, { maxTokens: limits.tokens });
  const problems = validate(within, document);
  if (problems.length) throw new Error(`invalid: ${problems[0]!.message}`);
  const operation = document.definitions.find(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  )!;
  return checkLimits(within, document, operation, variables).records;
}

/** Returns the error message of a document that is refused, or null. */
function findRefusal(text: string, variables: Record<string, unknown> = {}): string | null {
  try {
    findCost(text, variables);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a refusal', () => {
  test('has a message and a code, and nothing is read', async () => {
    const { json } = await service.graphql(`{ component(pageId: "x", id: 1) { ${nested('parent', 15)} } }`);
    expect(json).toEqual({
      errors: [{ message: 'The query is deeper than 15 levels.', extensions: { code: 'BAD_REQUEST' } }],
    });
  });

  test('names the value that is nested too deep, by POST, GET and in an operation of a person', async () => {
    const value = `${'['.repeat(8_000)}${']'.repeat(8_000)}`;
    const message = 'The variable `one` has more than 64 lists and objects within each other.';
    const body = (query: string) => `{"query":${JSON.stringify(query)},"variables":{"one":${value}}}`;
    const headers = { 'content-type': 'application/json' };
    for (const query of [
      'mutation($one: JSON!) { signInWithPasskey(input: { credential: $one }) { email } }',
      'mutation($one: JSON!) { createPasskey(input: { name: "x", credential: $one }) { passkey { id } } }',
      'query($one: PageFilter) { pages(filter: $one) { nodes { id } } }',
    ]) {
      const response = await fetch(`${service.url}/graphql`, { method: 'POST', headers, body: body(query) });
      expect(((await response.json()) as { errors: { message: string }[] }).errors[0]!.message).toBe(message);
    }
    const query = new URLSearchParams({
      query: 'query($one: ID!) { page(id: $one) { id } }',
      variables: `{"one":${'['.repeat(2_000)}${']'.repeat(2_000)}}`,
    });
    const { json } = await service.get(`/graphql?${query}`, { token: null });
    expect(json.errors[0].message).toBe(message);
  });

  test('is the same when the document is sent again', async () => {
    const query = `{ ${repeat(21, index => `a${index}: hello`)} }`;
    for (let time = 0; time < 3; time++)
      expect((await service.graphql(query)).json.errors[0].message).toBe(
        'The query has more than 20 fields at its root.',
      );
  });

  test('is returned for a document with too many tokens', async () => {
    const { json } = await service.graphql(`{ ${'hello '.repeat(2_000)} }`);
    expect(json.errors[0]).toMatchObject({
      message: expect.stringContaining('2000 tokens'),
      extensions: { code: 'GRAPHQL_PARSE_FAILED' },
    });
  });
});

describe('a document', () => {
  test('can have 15 levels, including fragments', () => {
    const query = (levels: number) =>
      `{ component(pageId: "x", id: 1) { ...Top } } fragment Top on Component { ${nested('parent', levels - 1)} }`;
    expect(findRefusal(query(15))).toBeNull();
    expect(findRefusal(query(16))).toMatch(/deeper than 15 levels/);
  });

  test('can have 100 aliases in total', () => {
    const query = (count: number) =>
      `{ page(id: "x") { ...Names } again: page(id: "x") { ...Names } } fragment Names on Page { ${repeat(count, index => `n${index}: name`)} }`;
    expect(findRefusal(query(49))).toBeNull();
    expect(findRefusal(query(50))).toMatch(/more than 100 aliases/);
  });

  test('can have aliases of 60 characters', async () => {
    const key = 'a'.repeat(60);
    const { json } = await service.graphql(`{ timezone(id: "UTC") { ${key}: name } }`);
    expect(json.data.timezone).toEqual({ [key]: 'UTC' });
    expect(findRefusal(`{ timezone(id: "UTC") { ${key}a: name } }`)).toMatch(/longer than 60 characters/);
  });

  test('can have 20 root fields, including fragments', () => {
    const query = (count: number) =>
      `{ hello ...Some } fragment Some on Query { ${repeat(count, index => `a${index}: hello`)} }`;
    expect(findRefusal(query(19))).toBeNull();
    expect(findRefusal(query(20))).toMatch(/more than 20 fields at its root/);
  });

  test('can have 1,000 fields; a field of an interface counts once per type', () => {
    const names = (count: number) => `fragment Names on Notice { ${'subject '.repeat(count)} }`;
    const query = (count: number) =>
      `{ ${repeat(4, index => `n${index}: notice(pageId: "x", id: ${index}) { ...Names }`)} } ${names(count)}`;
    expect(findRefusal(query(83))).toBeNull();
    expect(findRefusal(query(84))).toBe(
      'The query selects 1,012 fields, of which `n0` counts 253: each field counts once for each type of record that ' +
        'can have it. Select fields of one type in a fragment on it (`... on Page`). The limit is 1,000.',
    );
  });

  test('can have as many fields of one type of an interface as of an object', () => {
    const names = `${'name '.repeat(400)} components(first: 1) { nodes { ${'state '.repeat(400)} } }`;
    const query = (selection: string) => `query($id: ID!) { node(nodeId: $id) { nodeId __typename ${selection} } }`;
    const fragment = (type: string) => `fragment Names on ${type} { ... on Page { ${names} } }`;
    expect(findRefusal(query(`... on Page { ${names} }`), { id: 'x' })).toBeNull();
    expect(findRefusal(`${query('...Names')} ${fragment('Page')}`, { id: 'x' })).toBeNull();
    expect(findRefusal(`${query('... on Record { ...Names }')} ${fragment('Node')}`, { id: 'x' })).toBeNull();
    expect(findRefusal(query(`... on Notice { ${'subject '.repeat(400)} }`), { id: 'x' })).toMatch(/`node` counts 1,2/);
  });
});

describe('the cost', () => {
  const related = (first: string) => `notices${first} { nodes { id components(first: 100) { nodes { id } } } }`;

  test('is the product of the list sizes: 25 by default, for a related list what its description says', () => {
    const query = (first: string) =>
      `{ notices(pageId: "x") { nodes { components { nodes { notices${first} { nodes { id } } } } } } }`;
    expect(findCost(query(''))).toBe(1 + 25 * (1 + 1 + 10 * (1 + 1 + 25)));
    expect(findCost(query('(first: 20)'))).toBe(1 + 25 * (1 + 1 + 10 * (1 + 1 + 20)));
  });

  test('accepts the tree of a page as it is read naturally', () => {
    expect(
      findRefusal('{ page(id: "x") { components { nodes { children { nodes { children { nodes { name } } } } } } } }'),
    ).toBeNull();
    expect(
      findRefusal(
        '{ page(id: "x") { notices { nodes { updates { nodes { content } } components { nodes { name } } } } } }',
      ),
    ).toBeNull();
  });

  test.each([
    ['first', 'first: 10', 'first: 9'],
    ['last', 'last: 10', 'last: 9'],
  ])('is lower with a lower %s', (_, tooMany, fewer) => {
    const query = (size: string) => `{ pages(${size}) { nodes { ${related('(first: 100)')} } } }`;
    expect(findRefusal(query(tooMany))).toMatch(/the limit is 100,000/);
    expect(findRefusal(query(fewer))).toBeNull();
  });

  test('depends on the variables of each request', async () => {
    const query = `query($first: Int) { pages { nodes { ${related('(first: $first)')} } } }`;
    const messages = [];
    for (const first of [100, 10, null, 39, 40])
      messages.push((await service.graphql(query, { first })).json.errors?.[0].message ?? null);
    expect(messages).toEqual([
      expect.stringMatching(/the limit is 100,000/),
      null,
      null,
      null,
      expect.stringMatching(/the limit is 100,000/),
    ]);
  });

  test('omits fields that @include or @skip leaves out', () => {
    const query = `query($all: Boolean!) { pages { nodes { ${related('(first: 100) @include(if: $all)')} again: ${related('(first: 100) @skip(if: true)')} } } }`;
    expect(findRefusal(query, { all: true })).toMatch(/the limit is 100,000/);
    expect(findRefusal(query, { all: false })).toBeNull();
  });

  test('is the same through edges as through nodes', () => {
    expect(findRefusal(`{ pages(first: 100) { edges { node { ${related('(first: 100)')} } } } }`)).toMatch(
      /the limit is 100,000/,
    );
  });

  test('is reported in a refusal, with the lists that it comes from and the limit', async () => {
    const query =
      '{ all: pages(first: 100) { nodes { ...Open } } } fragment Open on Page { notices(first: 100) { nodes { components { nodes { id } } } } }';
    expect((await service.graphql(query)).json).toEqual({
      errors: [
        {
          message:
            'The response could hold 120,201 records; the limit is 100,000. The sizes of lists multiply: `all` counts ' +
            '100, `all.nodes.notices` counts 100, ' +
            '`all.nodes.notices.nodes.components` counts 10. Lower `first` or `last`.',
          extensions: { code: 'BAD_REQUEST', cost: 120_201, limit: 100_000, list: 'all' },
        },
      ],
    });
  });

  test('of a tree is refused with the way to read it', async () => {
    const children = (below: string) => `children(first: 100) { nodes { id ${below} } }`;
    const text = `{ page(id: "x") { components(first: 100) { nodes { id ${children(children(''))} } } } }`;
    expect(findRefusal(text)).toMatch(
      /`page\.components\.nodes\.children` counts 100.* Read a tree as one flat list: `components` of the page with their `parentId`, or the `descendants` of one\.$/,
    );
    const flat = '{ page(id: "x") { components(first: 100) { nodes { id parentId } pageInfo { endCursor } } } }';
    expect(findRefusal(flat)).toBeNull();
  });

  test('is reported in the response on request', async () => {
    const query = '{ pages { nodes { name } } }';
    const ask = async (text: string, headers?: Record<string, string>) =>
      (await service.graphql(text, {}, { headers })).json;
    const plain = await ask(query);
    expect(plain).not.toHaveProperty('extensions');
    // Other test files have created pages.
    const cost = { requested: 26, actual: 1 + plain.data.pages.nodes.length, remaining: null, limit: 100_000 };
    const headers = { 'x-graphql-cost': '1' };
    expect(await ask(query, headers)).toEqual({ data: expect.anything(), extensions: { cost } });
    // In the standard execution, too, and beside an error.
    expect(await ask('{ pages { nodes { name } } __typename }', headers)).toMatchObject({ extensions: { cost } });
    expect(await ask('{ page(id: "x") { name } }', headers)).toMatchObject({
      errors: [{ extensions: { code: 'NOT_FOUND' } }],
      extensions: { cost: { requested: 1 } },
    });
  });

  test('is not lowered by a negative size', () => {
    expect(
      findRefusal(
        `{ pages(first: 100) { nodes { notices(first: -100) { nodes { components { nodes { id } } } } again: ${related('(first: 100)')} } } }`,
      ),
    ).toMatch(/the limit is 100,000/);
  });
});

describe('introspection', () => {
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
    ['of graphql-js with all its options, as GraphiQL sends it', everything],
  ])('accepts the standard query %s', async (_, options) => {
    const { json } = await service.graphql(getIntrospectionQuery(options));
    expect(json).not.toHaveProperty('errors');
    expect(json.data.__schema.types.length).toBeGreaterThan(50);
  });

  test('has a limit of its own, and none of depth', () => {
    const typeOf = (levels: number) =>
      `{ __schema { types { fields { type { ${nested('ofType', levels, 'name')} } } } } }`;
    expect(findRefusal(typeOf(30))).toBeNull();
    const everything = 'types { fields { args { name type { name ofType { name } } } } }';
    expect(findRefusal(`{ ${repeat(15, index => `s${index}: __schema { ${everything} }`)} }`)).toMatch(
      /^The introspection could return [\d,]+ objects; the limit is 700,000\.$/,
    );
  });

  test.each([
    [
      'with many aliases',
      `{ ${repeat(15, index => `s${index}: __schema { types { fields { args { name type { name ofType { name } } } } } }`)} }`,
    ],
    ['in deep cycles', '{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }'],
    [
      'in short cycles',
      `{ __schema { types { ${repeat(3, index => `f${index}: fields { type { fields { args { type { ofType { name } } } } } }`)} } } }`,
    ],
  ])('is refused %s', (_, query) => {
    expect(findRefusal(query)).not.toBeNull();
  });
});

describe('the limits', () => {
  test.each(routes.map(([method, path, query]) => [`${method} /v1${path}`, query]))(
    'accept the operation of %s',
    (_, query) => {
      expect(findCost(query, { page: 1, per_page: 3 }, restSchema)).toBeLessThanOrEqual(limits.cost);
    },
  );
});

/** The work to check a document must not grow faster than the document. */
describe('a hostile document', () => {
  const bomb = (count: number, below: (next: string) => string) =>
    `{ component(pageId: "x", id: 1) { ...F0 } } ${repeat(count, index => `fragment F${index} on Component { ${below(`...F${index + 1}`)} }`)} fragment F${count} on Component { id }`;

  test.each([
    ['fragments that spread the next one twice', bomb(85, next => `children { nodes { ${next} } } parent { ${next} }`)],
    ['fragments that double without going deeper', bomb(150, next => `${next} ${next}`)],
    ['shallow fragments that double', bomb(12, next => `children(first: 1) { nodes { ${next} } } parent { ${next} }`)],
  ])('with %s is refused', (_, query) => {
    expect(findRefusal(query)).toMatch(/deeper than|selects too many fields/);
  });

  test.each([
    ['one field 1,900 times', `{ page(id: "x") { ${'id '.repeat(1_900)} } }`],
    ['one list 200 times', `{ page(id: "x") { ${'components(first: 1) { nodes { id } } '.repeat(200)} } }`],
    [
      '190 fragments at one place',
      `{ page(id: "x") { ${repeat(190, index => `...F${index}`)} } } ${repeat(190, index => `fragment F${index} on Page { id }`)}`,
    ],
    ['an argument 900 lists deep', `{ page(id: ${'['.repeat(900)}${']'.repeat(900)}) { id } }`],
    ['a variable 900 lists deep', `query($a: ${'['.repeat(900)}Int${']'.repeat(900)}) { hello }`],
    ['a selection 600 levels deep', `{ ${nested('page', 600)} }`],
  ])('with %s causes no internal error', async (_, query) => {
    const response = await service.graphql(query);
    expect(response.status).toBe(200);
    expect(response.json.errors?.[0].extensions.code ?? 'none').not.toBe('SYSTEM');
  });

  test('with cyclic fragments is refused', async () => {
    const { json } = await service.graphql(
      '{ page(id: "x") { ...A } } fragment A on Page { id ...B } fragment B on Page { ...A }',
    );
    expect(json.errors[0]).toMatchObject({
      message: expect.stringMatching(/Cannot spread fragment/),
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });
  });
});
