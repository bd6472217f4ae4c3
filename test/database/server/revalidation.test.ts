import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { listTokens } from '../../../src/auth/token.service.js';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { startTestService, type TestRequest, type TestService, useOwnService } from '../../support/service.js';
import { createToken, revokeToken } from '../../support/tokens.js';

/** With a token each response is read; without one it is kept for a second, while its pages have not changed. */
const service = useOwnService();
/** Another process on the same database, as far as caches are concerned. */
let other: TestService;
beforeAll(async () => {
  other = await startTestService({}, { database: service.database });
});
afterAll(() => other.stop());
let page: { id: string; path: string };
const statements: string[] = [];
beforeAll(() => {
  const { database } = service;
  const { read, readAnonymous } = database;
  database.read = (text, values) => {
    statements.push(text);
    return read(text, values);
  };
  database.readAnonymous = (text, values) => {
    statements.push(text);
    return readAnonymous(text, values);
  };
});
beforeEach(async () => {
  page = await createPage(service);
  await createComponent(service, page.path, { name: 'API' });
});
afterEach(() => {
  jest.restoreAllMocks();
});

const query = 'query($page: ID!) { page(id: $page) { name } notices(pageId: $page) { totalCount nodes { subject } } }';
type Send = (request?: TestRequest) => ReturnType<TestService['get']>;
const graphqlWays: [string, Send][] = [
  [
    'GET /graphql',
    request => {
      const variables = JSON.stringify({ page: page.id });
      return service.get(`/graphql?${new URLSearchParams({ query, variables })}`, request);
    },
  ],
  ['POST /graphql', request => service.graphql(query, { page: page.id }, request)],
];
const recordWays: [string, Send][] = [
  ['GET /v1', request => service.get(`${page.path}?include=components`, request)],
  ...graphqlWays,
];
const listWays: [string, Send][] = [
  ['GET /v1', request => service.get(`${page.path}/notices?include=components`, request)],
  ...graphqlWays,
];

/** Sends a request, and returns what sends it once more with the ETag of its response. */
async function warm(send: Send, request: TestRequest = {}): Promise<() => ReturnType<Send>> {
  const etag = (await send(request)).headers.get('etag')!;
  return () => send({ ...request, headers: { 'if-none-match': etag } });
}
const now = performance.now.bind(performance);
const moveTimesBack = (ms: number) => {
  jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);
};

describe.each(recordWays)('%s with a token', (_, send) => {
  test('is 304 while the response is the same', async () => {
    const revalidate = await warm(send);
    await service.database.query('update page set change_count = change_count + 1 where id = $1', [page.id]);
    const unchanged = await revalidate();
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    expect([unchanged.headers.get('content-length'), unchanged.headers.get('content-type')]).toEqual([null, null]);
    expect(unchanged.headers.get('etag')).toBe((await send()).headers.get('etag'));
    expect(unchanged.headers.get('vary')).toBe((await send()).headers.get('vary'));
  });

  test('is 200 as soon as a change is committed, in whatever process', async () => {
    const revalidate = await warm(send);
    await service.database.query(
      `update page set change_count = change_count + 1, version = version + 1, name = 'Renamed' where id = $1`,
      [page.id],
    );
    const changed = await revalidate();
    expect([changed.status, changed.text.includes('Renamed')]).toEqual([200, true]);
  });

  test('is refused with a token that was revoked since', async () => {
    const token = await createToken(service.database, 'short', { role: 'viewer' });
    const revalidate = await warm(send, { token });
    const { id } = (await listTokens(service.database)).at(-1)!;
    await revokeToken(service, Number(id));
    expect((await revalidate()).status).toBe(401);
  });

  test('is not found when its page was deleted', async () => {
    const revalidate = await warm(send);
    await service.delete(page.path);
    expect(JSON.stringify((await revalidate()).json)).toMatch(/couldn't find the page/);
  });
});

describe.each(listWays)('%s without a token', (_, send) => {
  test('is answered from memory for a second, with the same headers and bytes, then read again', async () => {
    await send({ token: null });
    const first = await send({ token: null });
    statements.length = 0;
    const again = await send({ token: null });
    expect([again.status, again.text, statements]).toEqual([200, first.text, []]);
    const headersOf = ({ headers }: typeof first) =>
      Object.fromEntries(
        [...headers].filter(([name]) => !['date', 'keep-alive', 'x-request-id'].includes(name)).toSorted(),
      );
    expect(headersOf(again)).toEqual(headersOf(first));
    moveTimesBack(1_001);
    await send({ token: null });
    expect(statements).not.toEqual([]);
  });

  test('is never older than a change that was committed before, beside other readers, in whatever process', async () => {
    for (let change = 1; change <= 10; change++) {
      for (let reader = 0; reader < 3; reader++) await send({ token: null });
      await createNotice(other, page.path, { subject: `Change ${change}` });
      const responses = await Promise.all([1, 2, 3].map(() => send({ token: null })));
      for (const { text } of responses) expect(text).toContain(`Change ${change}`);
    }
  });

  test('is not shared with callers who see more', async () => {
    const { id } = await createNotice(service, page.path, { subject: 'Long ago', state: 'resolved' });
    await service.database.query(`update notice set ended_at = now() - interval '8 days' where id = $1`, [id]);
    for (let time = 0; time < 3; time++) {
      expect((await send()).text).toContain('Long ago');
      expect((await send({ token: null })).text).not.toContain('Long ago');
    }
  });
});

test.each(recordWays)('%s without a token is whole for others after it was 304 for a client', async (_, send) => {
  const request = { token: null };
  const first = await send(request);
  const revalidate = await warm(send, request);
  moveTimesBack(1_001);
  // The second is kept, since the versions of the page were known before it was read.
  for (let time = 0; time < 3; time++) expect((await revalidate()).status).toBe(304);
  const { status, text, headers } = await send(request);
  expect([status, text]).toEqual([200, first.text]);
  expect(headers.get('content-type')).toBe(first.headers.get('content-type'));
});

test.each(graphqlWays)('%s without a token is 304 from memory where the client has it', async (_, send) => {
  await send({ token: null });
  const etag = (await send({ token: null })).headers.get('etag')!;
  statements.length = 0;
  const unchanged = await send({ token: null, headers: { 'if-none-match': etag } });
  expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', etag]);
  expect([unchanged.headers.get('content-length'), unchanged.headers.get('content-type')]).toEqual([null, null]);
  expect(statements).toEqual([]);
});

test.each([
  ['records by their global ids', '{ nodes(nodeIds: []) { nodeId } }'],
  ['an error', '{ page(id: "PAGE") { name } missing: notice(pageId: "PAGE", id: 999999) { id } }'],
])('a query without a token is read each time if it selects %s', async (_, text) => {
  const send = () => service.graphql(text.replaceAll('PAGE', page.id), undefined, { token: null });
  for (let time = 0; time < 3; time++) await send();
  statements.length = 0;
  await send();
  expect(statements).not.toEqual([]);
});

describe('with a rate limit', () => {
  const limited = useOwnService({ rateLimit: 4 });
  test.each([
    ['a token', undefined],
    ['no token', null],
  ])('what is not read again is counted, too, with %s', async (_, token) => {
    const [row] = await limited.database.query<{ id: string }>(
      `insert into page (id, name, created_at, updated_at) values (substr(md5(random()::text), 1, 8), 'Limited', now(), now())
       returning id`,
    );
    const send = () =>
      limited.graphql(`{ page(id: "${row!.id}") { name } }`, undefined, { token, headers: { 'if-none-match': '*' } });
    const statuses = [];
    for (let time = 0; time < 8; time++) statuses.push((await send()).status);
    expect(statuses).toContain(429);
  });
});
