import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { listTokens } from '../../../src/auth/token.service.js';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { type TestRequest, type TestService, useOwnService, useService } from '../../support/service.js';
import { createToken, revokeToken } from '../../support/tokens.js';

/** Reads of pages that did not change are answered from memory, on the second repetition at the latest. */
const service = useService();
let page: { id: string; path: string };
const statements: string[] = [];
let original: Pick<TestService['database'], 'read' | 'readAnonymous' | 'query'>;
beforeAll(() => {
  const { database } = service;
  original = { read: database.read, readAnonymous: database.readAnonymous, query: database.query };
  database.read = (text, values) => {
    statements.push(text);
    return original.read(text, values);
  };
  database.readAnonymous = (text, values) => {
    statements.push(text);
    return original.readAnonymous(text, values);
  };
});
beforeEach(async () => {
  page = await createPage(service);
  await createComponent(service, page.path, { name: 'API' });
});
afterEach(() => {
  jest.restoreAllMocks();
});

const query = 'query($page: ID!) { notices(pageId: $page) { totalCount nodes { subject timelineState } } }';
const ways: [string, (request?: TestRequest) => ReturnType<TestService['get']>][] = [
  ['GET /v1', request => service.get(`${page.path}/notices?include=components`, request)],
  [
    'GET /graphql',
    request => {
      const variables = JSON.stringify({ page: page.id });
      return service.get(`/graphql?${new URLSearchParams({ query, variables })}`, request);
    },
  ],
  ['POST /graphql', request => service.graphql(query, { page: page.id }, request)],
];

/** Sends a request until it is kept, and returns the first response. */
async function warm(send: () => ReturnType<TestService['get']>) {
  const first = await send();
  expect(first.status).toBe(200);
  await send();
  statements.length = 0;
  return first;
}
const now = performance.now.bind(performance);
const passTime = (ms: number) => {
  jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
};

describe.each(ways)('%s', (_, send) => {
  test('is answered from memory while its page has not changed, with the same headers and bytes', async () => {
    const first = await warm(send);
    const again = await send();
    expect(statements).toEqual([]);
    expect(again.text).toBe(first.text);
    const headersOf = ({ headers }: typeof first) =>
      Object.fromEntries([...headers].filter(([name]) => name !== 'date' && name !== 'keep-alive').toSorted());
    expect(headersOf(again)).toEqual(headersOf(first));
  });

  test('is current for a token as soon as a change is committed', async () => {
    await warm(send);
    for (const subject of ['One', 'Two']) {
      await createNotice(service, page.path, { subject });
      expect((await send()).text).toContain(subject);
    }
  });

  test('is current for a token when another process has committed a change', async () => {
    await warm(send);
    await service.database.query(
      `with written as (update page set change_count = change_count + 1 where id = $1)
       insert into notice (page_id, type, subject, path, created_at, updated_at)
       values ($1, 'general', 'Elsewhere', 'x-' || $1, now(), now())`,
      [page.id],
    );
    expect((await send()).text).toContain('Elsewhere');
  });

  test('is at most a second old without a token', async () => {
    await warm(() => send({ token: null }));
    await createNotice(service, page.path, { subject: 'New' });
    statements.length = 0;
    await send({ token: null });
    expect(statements).toEqual([]);
    passTime(1_001);
    expect((await send({ token: null })).text).toContain('New');
  });

  test('is checked once a second for all callers without a token', async () => {
    await warm(() => send({ token: null }));
    const versions = jest.spyOn(service.database, 'query');
    passTime(1_001);
    for (let time = 0; time < 3; time++) await send({ token: null });
    expect(versions.mock.calls.filter(([text]) => text.includes('change_count'))).toHaveLength(1);
    expect(statements).toEqual([]);
  });

  test('is read again when time alone has changed it', async () => {
    const { id } = await createNotice(service, page.path, { subject: 'Over', state: 'resolved' });
    await service.database.query(
      `update notice set ended_at = now() - interval '7 days' + interval '1 hour' where id = $1`,
      [id],
    );
    await warm(send);
    passTime(59 * 60_000);
    await send();
    expect(statements).toEqual([]);
    passTime(61 * 60_000);
    await send();
    expect(statements).toHaveLength(1);
  });

  test('is not shared between callers who see different things', async () => {
    const { id } = await createNotice(service, page.path, { subject: 'Long ago', state: 'resolved' });
    await service.database.query(`update notice set ended_at = now() - interval '8 days' where id = $1`, [id]);
    for (let time = 0; time < 3; time++) {
      expect((await send()).text).toContain('Long ago');
      expect((await send({ token: null })).text).not.toContain('Long ago');
    }
  });

  test('is refused with a token that was revoked since', async () => {
    const token = await createToken(service.database, 'short', { role: 'viewer' });
    await warm(() => send({ token }));
    await send({ token });
    expect(statements).toEqual([]);
    const { id } = (await listTokens(service.database)).at(-1)!;
    await revokeToken(service.database, Number(id));
    expect((await send({ token })).status).toBe(401);
  });

  test('is not found when its page was deleted', async () => {
    await warm(send);
    await service.delete(page.path);
    expect(JSON.stringify((await send()).json)).toMatch(/couldn't find the page/);
  });
});

test.each(ways.slice(1))('%s is 304 from memory where the client has it', async (_, send) => {
  const etag = (await warm(send)).headers.get('etag')!;
  const unchanged = await send({ headers: { 'if-none-match': etag } });
  expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', etag]);
  expect([unchanged.headers.get('content-length'), unchanged.headers.get('content-type')]).toEqual([null, null]);
  expect(statements).toEqual([]);
});

test('a client that has the response from its first request on is served from memory, too', async () => {
  const [, send] = ways[1]!;
  const etag = (await send()).headers.get('etag')!;
  for (let time = 0; time < 2; time++) await send({ headers: { 'if-none-match': etag } });
  statements.length = 0;
  expect((await send({ headers: { 'if-none-match': etag } })).status).toBe(304);
  expect(statements).toEqual([]);
});

test.each([
  ['subscribers, who change without their page', '{ page(id: "PAGE") { subscribers { totalCount } } }'],
  ['a list of all pages', '{ pages { totalCount } }'],
  ['records by their global ids', '{ nodes(nodeIds: []) { nodeId } }'],
  ['an error', '{ page(id: "PAGE") { name } missing: notice(pageId: "PAGE", id: 999999) { id } }'],
])('a query is read each time if it selects %s', async (_, text) => {
  const send = () => service.graphql(text.replaceAll('PAGE', page.id));
  for (let time = 0; time < 3; time++) await send();
  statements.length = 0;
  await send();
  expect(statements).not.toEqual([]);
});

test('requests that arrive together share the statement that reads the version of their page', async () => {
  const [, send] = ways[1]!;
  await warm(send);
  const { query } = service.database;
  // The first statement takes until others have arrived.
  const versions = jest.spyOn(service.database, 'query').mockImplementation(async (text, values) => {
    for (let turns = 0; turns < 1_000; turns++) await setImmediate();
    return query(text, values);
  });
  await Promise.all(Array.from({ length: 20 }, () => send()));
  expect(statements).toEqual([]);
  expect(versions.mock.calls.filter(([text]) => text.includes('change_count')).length).toBeLessThan(20);
});

describe('with a rate limit', () => {
  const limited = useOwnService({ rateLimit: 4 });
  test('responses from memory are counted, too', async () => {
    const [row] = await limited.database.query<{ id: string }>(
      `insert into page (id, name, created_at, updated_at) values ('0000000a', 'Limited', now(), now()) returning id`,
    );
    const send = () => limited.graphql(`{ page(id: "${row!.id}") { name } }`);
    const statuses = [];
    for (let time = 0; time < 8; time++) statuses.push((await send()).status);
    expect(statuses.slice(0, 3)).toEqual([200, 200, 200]);
    expect(statuses).toContain(429);
  });
});
