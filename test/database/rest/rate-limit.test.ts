/** @jest-environment ./test/support/isolated-environment.js */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestService } from '../../support/service.js';

/** One request in 50 seconds: a token that has had its one is refused for as long as these tests run. The limiter is made when its file is first read. */
const limited = { RATE_LIMIT: '0.02', TRUSTED_PROXIES: '127.0.0.0/8' };
let service: TestService;
let newToken: () => Promise<string>;
beforeAll(async () => {
  Object.assign(process.env, limited);
  const { startTestService } = await import('../../support/service.js');
  const { createToken } = await import('../../../src/auth/token.service.js');
  service = await startTestService();
  newToken = () => createToken(service.database, 'limited', 'write');
});
afterAll(async () => {
  for (const name of Object.keys(limited)) delete process.env[name];
  await service.stop();
});

const from = (address: string) => ({ token: null, headers: { 'X-Forwarded-For': address } });

test('a token beyond its rate is told to wait', async () => {
  const token = await newToken();
  expect((await service.get('/v1/hello', { token })).status).toBe(200);
  const answer = await service.get('/v1/hello', { token });
  expect([answer.status, answer.json]).toEqual([429, { error: 'throttled', error_description: expect.any(String) }]);
  const wait = Number(answer.headers.get('retry-after'));
  expect(Number.isInteger(wait) && wait >= 1 && wait <= 50).toBe(true);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

test('who waits as long as told is not too early', async () => {
  const token = await newToken();
  const before = Date.now();
  expect((await service.get('/v1/hello', { token })).status).toBe(200);
  const wait = Number((await service.get('/v1/hello', { token })).headers.get('retry-after'));
  expect(Date.now() + wait * 1000).toBeGreaterThanOrEqual(before + 50_000);
});

test('each token has a rate of its own, whatever the path', async () => {
  const [one, other] = [await newToken(), await newToken()];
  expect((await service.post('/v1/pages', { name: 'One' }, { token: one })).status).toBe(201);
  expect((await service.get('/v1/timezones', { token: one })).status).toBe(429);
  expect((await service.get('/v1/timezones', { token: other })).status).toBe(200);
});

test('without a token each address has a rate of its own, as told by a proxy that is trusted', async () => {
  expect((await service.get('/v1/pages/00000000', from('192.0.2.1'))).status).toBe(404);
  expect((await service.get('/v1/pages/00000000', from('192.0.2.1'))).status).toBe(429);
  expect((await service.get('/v1/pages/00000000', from('192.0.2.2'))).status).toBe(404);
  expect((await service.get('/v1/pages/00000000', from('192.0.2.9, 192.0.2.2'))).status).toBe(429);
});

test('the rate stands between the scope and whatever is read of the request', async () => {
  const token = await newToken();
  await service.get('/v1/hello', { token });
  const malformed = { token, body: 'x'.repeat(2 * 1024 * 1024), headers: { 'Content-Type': 'application/json' } };
  expect((await service.call('POST', '/v1/pages?a=%zz', malformed)).status).toBe(429);
  expect((await service.get('/v2/hello', { token })).status).toBe(404);
  expect((await service.delete('/v1/hello', { token })).status).toBe(405);
  expect((await service.get('/v1/hello', { token: 'wrong' })).status).toBe(401);
  expect((await service.get('/v1/hello', from('192.0.2.3'))).status).toBe(401);
  expect((await service.post('/v1/pages', {}, { token: service.tokens.read })).status).toBe(403);
  expect((await service.get('/v1/hello', { token: service.tokens.read })).status).toBe(200);
});

test('a request that is throttled writes nothing', async () => {
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

test('the preflight and the paths for machines are not counted', async () => {
  for (const _ of [1, 2, 3]) {
    expect((await service.call('OPTIONS', '/v1/pages', { token: null })).status).toBe(204);
    expect((await service.get('/healthz', { token: null })).status).toBe(200);
  }
});

test('both faces count the same', async () => {
  const token = await newToken();
  expect((await service.graphql('{ hello }', {}, { token })).json.data.hello).toMatch(/^Hello/);
  expect((await service.get('/v1/hello', { token })).status).toBe(429);
});
