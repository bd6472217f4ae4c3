import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../src/auth/access.js';
import { grantEverywhere } from '../../../src/auth/roles.js';
import { readSettings } from '../../../src/core/config.js';
import { RateLimiter } from '../../../src/http/rate-limit.js';

const createLimiter = (rate?: string) => new RateLimiter(readSettings(rate === undefined ? {} : { RATE_LIMIT: rate }));
const from = (remoteAddress: string) => ({ socket: { remoteAddress }, headers: {} }) as unknown as IncomingMessage;
const anonymous: Caller = { kind: 'anonymous', reads: 'public' };
const token: Caller = { kind: 'token', key: '1', grants: grantEverywhere('owner') };

describe('X-Forwarded-For of a proxy that is not trusted', () => {
  const warned: unknown[] = [];
  const send = (remoteAddress: string, trusted = '', forwarded: string | undefined = '203.0.113.9') => {
    const limiter = new RateLimiter(readSettings({ TRUSTED_PROXIES: trusted }), {
      warn: (bindings: unknown) => void warned.push(bindings),
    } as never);
    const headers = { ...(forwarded && { 'x-forwarded-for': forwarded }) };
    const request = { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
    for (const _ of [1, 2]) limiter.clientAddress(request);
    return warned.splice(0);
  };
  test.each(['10.1.2.3', '::ffff:172.18.0.2', 'fd00::7', '127.0.0.1'])(
    'is reported once if %s, of a private network, sends it',
    address => expect(send(address)).toEqual([{ address }]),
  );
  test('is not reported if it comes from the public internet, if the proxy is trusted, or without it', () => {
    expect(send('198.51.100.1')).toEqual([]);
    expect(send('10.1.2.3', '10.0.0.0/8')).toEqual([]);
    expect(send('10.1.2.3', '', '')).toEqual([]);
  });
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:50123', '203.0.113.9'],
  ['[2001:db8::9]:50123', '2001:db8::9'],
  ['[2001:db8::9]', '2001:db8::9'],
  ['2001:db8::9', '2001:db8::9'],
  ['unknown', 'unknown'],
])('the client of X-Forwarded-For %s of a trusted proxy is %s', (forwarded, address) => {
  const request = { socket: { remoteAddress: '10.1.2.3' }, headers: { 'x-forwarded-for': forwarded } };
  const limiter = new RateLimiter(readSettings({ TRUSTED_PROXIES: '10.0.0.0/8' }));
  expect(limiter.clientAddress(request as unknown as IncomingMessage)).toBe(address);
});

/** How many of some requests are admitted. */
async function countAdmitted(request: () => Promise<unknown>, requests: number): Promise<number> {
  let admitted = 0;
  for (let sent = 0; sent < requests; sent++) {
    const refusal = await request().then(
      () => null,
      error => error,
    );
    if (refusal) expect(refusal).toMatchObject({ code: 'THROTTLED', details: { retryAfter: expect.any(Number) } });
    else admitted += 1;
  }
  return admitted;
}

describe('by default', () => {
  test('20 requests of an address are admitted at once, and none of a token is refused', async () => {
    const limiter = createLimiter();
    expect(await countAdmitted(() => limiter.throttle(from('192.0.2.1'), anonymous), 30)).toBe(20);
    expect(await countAdmitted(() => limiter.throttle(from('192.0.2.2'), anonymous), 30)).toBe(20);
    expect(await countAdmitted(() => limiter.throttle(from('192.0.2.1'), token), 100)).toBe(100);
  });

  test('an address that was refused waits for 2 seconds at most', async () => {
    const limiter = createLimiter();
    await countAdmitted(() => limiter.throttle(from('192.0.2.1'), anonymous), 20);
    const refusal = await limiter.throttle(from('192.0.2.1'), anonymous).catch(error => error);
    expect([1, 2]).toContain(refusal.details.retryAfter);
  });

  test.each([
    ['up to 2,500 counts as one request', 2_500, 20],
    ['of 25,000 counts as ten', 25_000, 2],
    ['beyond the limit counts as all requests that may come at once', 1_000_000, 1],
  ])('a query without a token that costs %s', async (_, cost, admitted) => {
    const limiter = createLimiter();
    const request = async () => {
      await limiter.throttle(from('192.0.2.1'), anonymous);
      await limiter.throttleCost(from('192.0.2.1'), anonymous, cost);
    };
    expect(await countAdmitted(request, 30)).toBe(admitted);
  });

  test('the cost of a query with a token does not count', async () => {
    const limiter = createLimiter();
    expect(await countAdmitted(() => limiter.throttleCost(from('192.0.2.1'), token, 100_000), 100)).toBe(100);
    expect(await countAdmitted(() => limiter.throttle(from('192.0.2.1'), anonymous), 30)).toBe(20);
  });
});

describe('the networks of one customer of a provider', () => {
  const inNetwork = (number: number) => from(`2001:db8:1:${number}::1`);
  const other = from('2001:db8:2:1::1');

  test('have the limit of four addresses together', async () => {
    const limiter = createLimiter();
    const admitted: number[] = [];
    for (const number of [1, 2, 3, 4, 5])
      admitted.push(await countAdmitted(() => limiter.throttle(inNetwork(number), anonymous), 30));
    expect(admitted).toEqual([20, 20, 20, 20, 0]);
    expect(await countAdmitted(() => limiter.throttle(other, anonymous), 30)).toBe(20);
  });

  test('have the limit of unknown tokens of four addresses together, and get back what a valid token counted', async () => {
    const limiter = createLimiter();
    const takesBack = [];
    for (let number = 0; number < 80; number++) takesBack.push(await limiter.throttleUnknownToken(inNetwork(number)));
    expect(await countAdmitted(() => limiter.throttleUnknownToken(inNetwork(81)), 1)).toBe(0);
    // A refused request counts until the limit ends, too.
    for (const takeBack of takesBack.slice(0, 2)) await takeBack();
    expect(await countAdmitted(() => limiter.throttleUnknownToken(inNetwork(82)), 2)).toBe(1);
  });

  test('count the cost of queries together', async () => {
    const limiter = createLimiter();
    const query = (number: number) => limiter.throttleCost(inNetwork(number), anonymous, 20 * 2_500);
    expect(await countAdmitted(() => query(1), 1)).toBe(1);
    const unused = [await query(2), await query(3)];
    await query(4);
    expect(await countAdmitted(() => query(5), 1)).toBe(0);
    for (const counted of unused) await counted!.settle(0);
    expect(await countAdmitted(() => query(6), 1)).toBe(1);
  });
});

test('RATE_LIMIT applies to tokens and addresses', async () => {
  const limiter = createLimiter('3');
  expect(await countAdmitted(() => limiter.throttle(from('192.0.2.1'), anonymous), 10)).toBe(3);
  expect(await countAdmitted(() => limiter.throttle(from('192.0.2.1'), token), 10)).toBe(3);
});

test('RATE_LIMIT=0 limits nothing', async () => {
  const limiter = createLimiter('0');
  expect(await countAdmitted(() => limiter.throttle(from('192.0.2.1'), anonymous), 100)).toBe(100);
  expect(await countAdmitted(() => limiter.throttleCost(from('192.0.2.1'), anonymous, 25_000), 100)).toBe(100);
  const unknown = await Promise.all(Array.from({ length: 100 }, () => limiter.throttleUnknownToken(from('192.0.2.1'))));
  expect(unknown).toHaveLength(100);
});

test('each source of alerts may send 2,000 requests at once, or what RATE_LIMIT says', async () => {
  const count = (limiter: RateLimiter, id: number, requests: number) =>
    countAdmitted(() => limiter.throttleHook(`source ${id}`), requests);
  const limiter = createLimiter();
  expect([await count(limiter, 1, 2_100), await count(limiter, 2, 2_100)]).toEqual([2_000, 2_000]);
  // Few requests: a second later five more are admitted.
  expect([await count(createLimiter('5'), 1, 20), await count(createLimiter('0'), 1, 20)]).toEqual([5, 20]);
});
