import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { scopes } from '../../../src/auth/token.service.js';
import { startTestService, type TestService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';
import { requestPage } from '../../support/visitor.js';

let service: TestService;
let newToken: () => Promise<string>;
beforeAll(async () => {
  // One request in 50 seconds, so that a second one is refused for as long as the tests run.
  service = await startTestService({ rateLimit: 0.02, trustedProxies: ['127.0.0.0/8'] });
  newToken = () => createToken(service.database, 'limited', scopes.write);
});
afterAll(() => service.stop());

const fromAddress = (address: string) => ({ token: null, headers: { 'X-Forwarded-For': address } });

test('answers 429 with Retry-After to a token beyond its rate', async () => {
  const token = await newToken();
  expect((await service.get('/v1/hello', { token })).status).toBe(200);
  const response = await service.get('/v1/hello', { token });
  expect([response.status, response.json]).toEqual([
    429,
    { error: 'throttled', error_description: expect.any(String) },
  ]);
  const wait = Number(response.headers.get('retry-after'));
  expect(Number.isInteger(wait) && wait >= 1 && wait <= 50).toBe(true);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

const limits = ({ headers }: { headers: Headers }) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];

test('each answer says what remains of the limit that counts it', async () => {
  const token = await newToken();
  const policy = (name: string) => `"${name}";q=1;w=50`;
  expect(limits(await service.get('/v1/hello', { token }))).toEqual([policy('token'), '"token";r=0;t=50']);
  const refused = await service.graphql('{ hello }', {}, { token });
  expect([refused.status, ...limits(refused)]).toEqual([
    429,
    policy('token'),
    expect.stringMatching(/^"token";r=0;t=\d+$/),
  ]);
  expect(limits(await service.get('/v1/hello', { ...fromAddress('192.0.2.50'), token: wrongToken() }))).toEqual([
    policy('unknown-token'),
    '"unknown-token";r=0;t=50',
  ]);
  // Refused before they are counted.
  for (const [method, path] of [
    ['GET', '/v1/nothing'],
    ['DELETE', '/v1/hello'],
    ['GET', '/v1/pages'],
  ] as const)
    expect(limits(await service.call(method, path, fromAddress('192.0.2.51')))).toEqual([
      policy('address'),
      '"address";r=1;t=50',
    ]);
  const read = () => service.get('/v1/pages/00000000', fromAddress('192.0.2.51'));
  expect(limits(await read())).toEqual([policy('address'), '"address";r=0;t=50']);
  expect((await read()).status).toBe(429);
});

test('Retry-After is long enough', async () => {
  const token = await newToken();
  const before = Date.now();
  expect((await service.get('/v1/hello', { token })).status).toBe(200);
  const wait = Number((await service.get('/v1/hello', { token })).headers.get('retry-after'));
  expect(Date.now() + wait * 1000).toBeGreaterThanOrEqual(before + 50_000);
});

test('limits each token separately, across all paths', async () => {
  const one = await newToken();
  const other = await newToken();
  expect((await service.post('/v1/pages', { name: 'One' }, { token: one })).status).toBe(201);
  expect((await service.get('/v1/timezones', { token: one })).status).toBe(429);
  expect((await service.get('/v1/timezones', { token: other })).status).toBe(200);
});

test('limits anonymous callers by address, as a trusted proxy reports it', async () => {
  expect((await service.get('/v1/pages/00000000', fromAddress('192.0.2.1'))).status).toBe(404);
  expect((await service.get('/v1/pages/00000000', fromAddress('192.0.2.1'))).status).toBe(429);
  expect((await service.get('/v1/pages/00000000', fromAddress('192.0.2.2'))).status).toBe(404);
  expect((await service.get('/v1/pages/00000000', fromAddress('192.0.2.9, 192.0.2.2'))).status).toBe(429);
});

test('checks the rate after the scope and before the body', async () => {
  const token = await newToken();
  await service.get('/v1/hello', { token });
  const malformed = { token, body: 'x'.repeat(2 * 1024 * 1024), headers: { 'Content-Type': 'application/json' } };
  expect((await service.call('POST', '/v1/pages?a=%zz', malformed)).status).toBe(429);
  expect((await service.get('/v2/hello', { token })).status).toBe(404);
  expect((await service.delete('/v1/hello', { token })).status).toBe(405);
  expect((await service.get('/v1/hello', { ...fromAddress('192.0.2.3'), token: 'wrong' })).status).toBe(401);
  expect((await service.get('/v1/hello', fromAddress('192.0.2.3'))).status).toBe(401);
  expect((await service.post('/v1/pages', {}, { token: service.tokens.read })).status).toBe(403);
  expect((await service.get('/v1/hello', { token: service.tokens.read })).status).toBe(200);
});

test('a throttled request writes nothing', async () => {
  const token = await newToken();
  await service.get('/v1/hello', { token });
  expect(
    (await service.post('/v1/pages', { name: 'Throttled' }, { token, headers: { 'Idempotency-Key': 'throttled' } }))
      .status,
  ).toBe(429);
  expect(await service.database.query(`select 1 from page where name = 'Throttled'`)).toEqual([]);
  expect(
    (
      await service.post(
        '/v1/pages',
        { name: 'Throttled' },
        { token: await newToken(), headers: { 'Idempotency-Key': 'throttled' } },
      )
    ).status,
  ).toBe(201);
});

test('does not count preflights and health checks', async () => {
  for (const _ of [1, 2, 3]) {
    expect((await service.call('OPTIONS', '/v1/pages', { token: null })).status).toBe(204);
    expect((await service.get('/healthz', { token: null })).status).toBe(200);
  }
});

test('counts REST and GraphQL requests together', async () => {
  const token = await newToken();
  expect((await service.graphql('{ hello }', {}, { token })).json.data.hello).toMatch(/^Hello/);
  expect((await service.get('/v1/hello', { token })).status).toBe(429);
});

const wrongToken = () => `wrong-${Math.random()}`;

test('counts unknown tokens by address, and refuses further ones without asking the database', async () => {
  const from = (address: string, token: string) => ({ token, headers: { 'X-Forwarded-For': address } });
  expect((await service.get('/v1/pages', from('192.0.2.10', wrongToken()))).status).toBe(401);
  const refused = await service.get('/v1/pages', from('192.0.2.10', wrongToken()));
  expect([refused.status, refused.json.error]).toEqual([429, 'throttled']);
  expect((await service.graphql('{ hello }', {}, from('192.0.2.10', wrongToken()))).status).toBe(429);
  expect(
    (
      await service.get('/v1/pages', {
        headers: { ...from('192.0.2.10', '').headers, Authorization: 'Basic eA==' },
        token: null,
      })
    ).status,
  ).toBe(429);
  expect((await service.get('/v1/pages', from('192.0.2.11', wrongToken()))).status).toBe(401);
  // A request without a token has a count of its own.
  expect((await service.get('/v1/pages/00000000', fromAddress('192.0.2.10'))).status).toBe(404);
});

test('a valid token is not counted as an unknown one, and works beside guesses from its address', async () => {
  const tokens = [await newToken(), await newToken(), await newToken()];
  const headers = { 'X-Forwarded-For': '192.0.2.20' };
  for (const token of tokens) expect((await service.get('/v1/hello', { token, headers })).status).toBe(200);
  expect((await service.get('/v1/hello', { token: wrongToken(), headers })).status).toBe(401);
  expect((await service.get('/v1/hello', { token: wrongToken(), headers })).status).toBe(429);
  // Known, and beyond its own rate, but not refused for the guesses: that would be 429 as well.
  const known = await newToken();
  const other = { 'X-Forwarded-For': '192.0.2.21' };
  expect((await service.post('/v1/pages', {}, { token: service.tokens.read, headers: other })).status).toBe(403);
  expect((await service.get('/v1/hello', { token: wrongToken(), headers: other })).status).toBe(401);
  expect((await service.post('/v1/pages', {}, { token: service.tokens.read, headers: other })).status).toBe(403);
  expect((await service.get('/v1/hello', { token: known, headers: other })).status).toBe(429);
});

test('the first requests of a token, at once, are one look-up', async () => {
  const token = await newToken();
  const headers = { 'X-Forwarded-For': '192.0.2.30' };
  const responses = await Promise.all(Array.from({ length: 10 }, () => service.get('/v1/hello', { token, headers })));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(429)]);
  // The rate is that of the token: the address has no wrong one.
  expect((await service.get('/v1/hello', { token: wrongToken(), headers })).status).toBe(401);
});

test('an IPv6 network of one customer is one address', async () => {
  expect((await service.get('/v1/pages/00000000', fromAddress('2001:db8::1'))).status).toBe(404);
  expect((await service.get('/v1/pages/00000000', fromAddress('2001:db8::2'))).status).toBe(429);
  expect((await service.get('/v1/pages/00000000', fromAddress('2001:db8:0:1::1'))).status).toBe(404);
});

test('counts forms and pages that are not cached, and not those that are', async () => {
  const { id } = (await service.post('/v1/pages', { name: 'Counted' }, { token: await newToken() })).json.response;
  const page = `/status/${id}/`;
  expect((await service.get(page, fromAddress('192.0.2.40'))).status).toBe(200);
  for (const _ of [1, 2, 3]) expect((await service.get(page, fromAddress('192.0.2.40'))).status).toBe(200);
  // Another URL of the same response.
  expect((await service.get(`${page}?utm_source=x`, fromAddress('192.0.2.40'))).status).toBe(200);
  for (const path of ['history', 'feed.atom', 'subscribe']) {
    const response = await service.get(`${page}${path}`, fromAddress('192.0.2.40'));
    expect([response.status, response.text]).toEqual([429, 'Too many requests. Try again later.\n']);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect((await service.get('/status/00000000/', fromAddress('192.0.2.40'))).status).toBe(429);
  expect((await service.get(`${page}feed.atom`, fromAddress('192.0.2.41'))).status).toBe(200);
  expect((await service.get(`${page}feed.atom`, fromAddress('192.0.2.40'))).status).toBe(200);
  const form = { form: 'email=ada%40acme.example', ...fromAddress('192.0.2.42') };
  expect((await service.call('POST', `${page}subscribe`, form)).status).not.toBe(429);
  expect((await service.call('POST', `${page}subscribe`, form)).status).toBe(429);
});

const createCountedPage = async (): Promise<string> =>
  (await service.post('/v1/pages', { name: 'Counted' }, { token: await newToken() })).json.response.id;

test('counts them below a host that is known to have no page, too', async () => {
  const page = `/status/${await createCountedPage()}/`;
  const get = (path: string) =>
    requestPage(service.url, 'unknown.example.org', path, { headers: { 'x-forwarded-for': '192.0.2.60' } });
  expect((await get(page)).status).toBe(200);
  for (const path of [`${page}history`, `${page}subscribe`, '/status/00000000/'])
    expect([path, (await get(path)).status]).toEqual([path, 429]);
});

test('counts the form of a private page, which is rendered for each request', async () => {
  const id = await createCountedPage();
  await service.graphql(
    'mutation ($id: ID!, $input: SetPageVisibilityInput!) { setPageVisibility(pageId: $id, input: $input) { page { id } } }',
    { id, input: { visibility: 'PASSWORD', password: 'correct horse battery' } },
    { token: await newToken() },
  );
  // Loading the page counts, too.
  await service.get(`/status/${id}/`, fromAddress('192.0.2.62'));
  const get = (path: string) => service.get(`/status/${id}/${path}`, fromAddress('192.0.2.61'));
  expect((await get('access')).status).toBe(403);
  for (const path of ['access', 'access?code=x', 'access?enter=1', ''])
    expect([path, (await get(path)).status]).toEqual([path, 429]);
});

test('counts previews of the console, which need no token', async () => {
  const { headers } = fromAddress('192.0.2.63');
  const preview = () =>
    service.call('POST', '/console/preview', {
      token: null,
      body: 'html=<p>Preview</p>',
      headers: { ...headers, 'content-type': 'text/plain', origin: 'http://localhost:3000' },
    });
  expect((await preview()).status).toBe(200);
  const refused = await preview();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
});

test('RATE_LIMIT=0 counts nothing', async () => {
  const unlimited = await startTestService({ rateLimit: 0 });
  try {
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await unlimited.get('/v1/hello', { token: wrongToken() })).status),
    );
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(limits(await unlimited.get('/v1/nothing', { token: null }))).toEqual([null, null]);
  } finally {
    await unlimited.stop();
  }
});
