import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createToken } from '../../../src/auth/token.service.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let newToken: () => Promise<string>;
beforeAll(async () => {
  // One request in 50 seconds, so that a second one is refused for as long as the tests run.
  service = await startTestService({ rateLimit: 0.02, trustedProxies: ['127.0.0.0/8'] });
  newToken = () => createToken(service.database, 'limited', 'write');
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

test('Retry-After is long enough', async () => {
  const token = await newToken();
  const before = Date.now();
  expect((await service.get('/v1/hello', { token })).status).toBe(200);
  const wait = Number((await service.get('/v1/hello', { token })).headers.get('retry-after'));
  expect(Date.now() + wait * 1000).toBeGreaterThanOrEqual(before + 50_000);
});

test('limits each token separately, across all paths', async () => {
  const [one, other] = [await newToken(), await newToken()];
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
  expect((await service.get('/v1/hello', { token: 'wrong' })).status).toBe(401);
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
