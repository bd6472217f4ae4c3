import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { forbidden } from '../../../src/core/errors.js';
import { createGraphqlRecords, type GraphqlRecords } from '../../support/graphql-records.js';
import { type TestRequest, useService } from '../../support/service.js';

const service = useService();
let records: GraphqlRecords;
const statements: string[] = [];
const logged: unknown[] = [];
/** Set by a test to make reads fail. */
let failure: ((text: string) => Error | undefined) | undefined;

beforeAll(async () => {
  records = await createGraphqlRecords(service);
  const { database } = service;
  const { read, readAnonymous } = database;
  const record =
    (run: typeof read): typeof read =>
    async (text, values) => {
      statements.push(text);
      const error = failure?.(text);
      if (error) throw error;
      return run(text, values);
    };
  database.read = record(read);
  database.readAnonymous = record(readAnonymous);
  database.log.error = ((entry: { err: unknown }) => logged.push(entry.err)) as never;
});
beforeEach(() => {
  statements.length = 0;
  logged.length = 0;
});
afterEach(() => {
  failure = undefined;
});

/** A failed response as a client sees it, and what it cost. */
async function run(query: string, variables: Record<string, unknown>, request?: TestRequest) {
  statements.length = 0;
  logged.length = 0;
  const { status, headers, json } = await service.graphql(query, variables, request);
  const error = json.errors[0];
  return {
    response: { status, type: headers.get('content-type'), keys: Object.keys(json), ...json },
    code: error.extensions.code as string,
    path: error.path as string[] | undefined,
    statements: statements.length,
    logged: logged.length,
  };
}
/** A field that is no read makes the same query take the standard execution. */
const toStandardExecution = (query: string) => query.replace(/\}\s*$/, '__typename }');

async function compare(query: string, variables: Record<string, unknown>, request?: TestRequest) {
  const fast = await run(query, variables, request);
  const standard = await run(toStandardExecution(query), variables, request);
  delete standard.response.data.__typename;
  expect(fast.response).toEqual(standard.response);
  expect(fast.logged).toBe(standard.logged);
  return fast;
}

const databaseError = (code: string) => Object.assign(new Error(`database error ${code} with a secret`), { code });
const failTable =
  (table: string, error: Error): typeof failure =>
  text =>
    text.includes(`from ${table} `) ? error : undefined;

describe('an error of the fast path is the error of the standard execution', () => {
  const one = 'query($p: ID!) { page(id: $p) { name } }';
  const three =
    'query($p: ID!) { first: page(id: $p) { name } components(pageId: $p) { totalCount } notices(pageId: $p) { totalCount } }';

  test('a missing record', async () => {
    const query = 'query($p: ID!) { one: notice(pageId: $p, id: 999999) { id } }';
    const { code, path, statements: count } = await compare(query, { p: records.page });
    expect([code, path, count]).toEqual(['NOT_FOUND', ['one'], 2]);
  });

  test('a missing record among others, which are answered', async () => {
    const query = `query($p: ID!) {
      page(id: $p) { name }
      missing: notice(pageId: $p, id: 999999) { id }
      components(pageId: $p) { totalCount }
    }`;
    const { code, path, response, statements: count } = await compare(query, { p: records.page });
    expect([code, path, count]).toEqual(['NOT_FOUND', ['missing'], 4]);
    expect(response.errors).toHaveLength(1);
    expect(response.data).toEqual({ page: { name: expect.any(String) }, missing: null, components: { totalCount: 5 } });
  });

  test.each([
    ['a root field', 'subscribers(pageId: $p) { totalCount }', 'subscribers'],
    ['a field below', 'page(id: $p) { name subscribers { nodes { email } } }', 'page'],
  ])('%s that the caller may not read, which costs no statement', async (_, field, expected) => {
    const query = `query($p: ID!) { ${field} }`;
    const { code, path, statements: count } = await compare(query, { p: records.page }, { token: null });
    expect([code, path, count]).toEqual(['UNAUTHENTICATED', [expected], 0]);
  });

  test.each([
    ['a page size', 'notices(pageId: $p, first: 0) { totalCount }', ['notices']],
    ['a cursor', 'a: notices(pageId: $p, after: "x") { totalCount }', ['a']],
    ['a limit of related records', 'page(id: $p) { notices(first: 101) { nodes { id } } }', ['page']],
    ['an id in a filter', 'notices(pageId: $p, filter: { id: { eq: "x" } }) { totalCount }', ['notices']],
  ])('%s that is not valid', async (_, field, expected) => {
    const { code, path, statements: count } = await compare(`query($p: ID!) { ${field} }`, { p: records.page });
    expect([code, path, count]).toEqual(['BAD_REQUEST', expected, 0]);
  });

  test('null for a required argument', async () => {
    const query = 'query($p: ID = "x") { page(id: $p) { name } }';
    const { code, path, response, statements: count } = await compare(query, { p: null });
    expect([code, path, count]).toEqual(['BAD_REQUEST', ['page'], 0]);
    expect(response.errors[0].message).toMatch(/must not be null/);
  });

  test.each([
    ['is unreachable', databaseError('ECONNREFUSED'), 'UNAVAILABLE', 0],
    ['stops the statement after the timeout', databaseError('57014'), 'UNAVAILABLE', 0],
    ['refuses the statement', databaseError('42601'), 'SYSTEM', 1],
    ['is not reached, since the reader refuses', forbidden(), 'FORBIDDEN', 0],
  ])('the database %s', async (_, error, expected, expectedLogged) => {
    failure = () => error;
    const result = await compare(one, { p: records.page });
    expect([result.code, result.path, result.statements, result.logged]).toEqual([
      expected,
      ['page'],
      1,
      expectedLogged,
    ]);
    expect(JSON.stringify(result.response)).not.toMatch(/secret/);
  });

  test('the second of three statements fails', async () => {
    failure = failTable('component', databaseError('42601'));
    const { code, path, response, statements: count } = await compare(three, { p: records.page });
    expect([code, path, count]).toEqual(['SYSTEM', ['components'], 3]);
    expect(response.data).toEqual({
      first: { name: expect.any(String) },
      components: null,
      notices: { totalCount: expect.any(Number) },
    });
    expect(response.errors).toHaveLength(1);
  });

  test('an anonymous caller gets it too', async () => {
    failure = () => databaseError('57014');
    const { code, path, statements: count } = await compare(one, { p: records.page }, { token: null });
    expect([code, path, count]).toEqual(['UNAVAILABLE', ['page'], 1]);
  });

  test('with GraphQL over HTTP', async () => {
    failure = () => databaseError('57014');
    const headers = { accept: 'application/graphql-response+json' };
    const { code, response, statements: count } = await compare(one, { p: records.page }, { headers });
    expect([code, count]).toEqual(['UNAVAILABLE', 1]);
    expect(response.type).toMatch(/graphql-response/);
  });
});

describe('a failed read is not run again', () => {
  const query = 'query($p: ID!) { a: page(id: $p) { name } b: page(id: $p) { name } }';

  test('over GraphQL, nor is any field after it read when the database is unavailable', async () => {
    failure = () => databaseError('57014');
    const { json } = await service.graphql(query, { p: records.page });
    expect(statements).toHaveLength(1);
    expect(json.data).toEqual({ a: null, b: null });
    expect(
      json.errors.map(({ path, extensions }: { path: string[]; extensions: object }) => [path, extensions]),
    ).toEqual([
      [['a'], { code: 'UNAVAILABLE', retryAfter: expect.any(Number) }],
      [['b'], { code: 'UNAVAILABLE', retryAfter: expect.any(Number) }],
    ]);
  });

  test('over /v1', async () => {
    failure = () => databaseError('57014');
    const { status, json } = await service.get(`/v1/pages/${records.page}`);
    expect([status, json.error, statements.length]).toEqual([503, 'unavailable', 1]);
  });
});

describe('a value that the schema does not allow', () => {
  const notices = (fields: string) => `query($p: ID!) { notices(pageId: $p) { nodes { id ${fields} } } }`;

  /** Runs `work` while a column of a record has another value. */
  async function withValue(table: string, id: string, column: string, value: string, work: () => Promise<void>) {
    const [before] = await service.database.query<{ value: unknown }>(
      `select ${column} as value from ${table} where id = $1`,
      [id],
    );
    const set = `update ${table} set ${column}`;
    await service.database.query(`${set} = $1 where id = $2`, [value, id]);
    try {
      await work();
    } finally {
      await service.database.query(`${set} = $1 where id = $2`, [before!.value, id]);
    }
  }

  async function expectSystemError(query: string, path: string) {
    const result = await run(query, { p: records.page });
    expect(result.response.data).toEqual({ [path]: null });
    expect(result.response.errors).toEqual([
      {
        message: 'An unknown error has occurred.',
        locations: expect.any(Array),
        path: [path],
        extensions: { code: 'SYSTEM' },
      },
    ]);
    expect([result.statements, result.logged]).toEqual([1, 1]);
    return String(logged[0]);
  }

  test('an unknown enum value of a record is an error', async () => {
    await withValue('component', records.components.mail, 'state', 'on fire', async () => {
      const error = await expectSystemError(
        `query($p: ID!) { component(pageId: $p, id: ${records.components.mail}) { id state } }`,
        'component',
      );
      expect(error).toMatch(/ComponentState.*on fire/);
    });
  });

  test('an unknown enum value in a list is an error', async () => {
    await withValue('notice', records.notices.incident, 'state', 'on fire', async () => {
      await expectSystemError(notices('... on UnplannedNotice { state }'), 'notices');
      expect((await service.graphql(notices('subject'), { p: records.page })).json.errors).toBeUndefined();
    });
  });

  test('an unknown enum value in a list of values is an error', async () => {
    await withValue('subscriber', records.subscribers.ada, 'kinds', '{planned,"on fire"}', async () => {
      await expectSystemError('query($p: ID!) { subscribers(pageId: $p) { nodes { kinds } } }', 'subscribers');
    });
  });

  test('null in a nullable column is an error where the field is not nullable', async () => {
    const query = notices('... on PlannedNotice { beginsAt }');
    await service.database.query('update notice set begins_at = null where id = $1', [records.notices.maintenance]);
    const error = await expectSystemError(query, 'notices');
    expect(error).toMatch(/PlannedNotice\.beginsAt/);
    const v1 = await service.get(`/v1/pages/${records.page}/notices`);
    expect([v1.status, v1.json.error]).toEqual([500, 'system']);
    await service.database.query("update notice set begins_at = '2031-01-01T10:00:00Z' where id = $1", [
      records.notices.maintenance,
    ]);
    expect((await service.graphql(query, { p: records.page })).json.errors).toBeUndefined();
  });

  test('null is an error for a related record that must exist', async () => {
    await service.database.query('create table brand_copy as select * from brand');
    await service.database.query('delete from brand where page_id = $1', [records.page]);
    const error = await expectSystemError('query($p: ID!) { page(id: $p) { id brand { version } } }', 'page');
    expect(error).toMatch(/Page\.brand/);
    await service.database.query('insert into brand select * from brand_copy where page_id = $1', [records.page]);
    await service.database.query('drop table brand_copy');
  });
});
