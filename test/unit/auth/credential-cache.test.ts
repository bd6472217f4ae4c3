import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { CredentialCache } from '../../../src/auth/credential-cache.js';

let nowMs = 0;
let started: ((value: { id: number } | undefined) => void)[];
let cache: CredentialCache<{ id: number }>;
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  started = [];
  cache = new CredentialCache(() => new Promise(resolve => started.push(resolve)));
});
afterEach(() => {
  jest.restoreAllMocks();
});

test('requests that arrive meanwhile share a look-up', async () => {
  const found = Array.from({ length: 200 }, () => cache.find('hash'));
  started[0]!({ id: 1 });
  expect((await Promise.all(found)).map(value => value!.id)).toEqual(found.map(() => 1));
  expect(started).toHaveLength(1);
});

test('a look-up that began a second before a request is repeated for it', async () => {
  const first = cache.find('hash');
  nowMs += 1_000;
  const second = cache.find('hash');
  started[0]!({ id: 1 });
  expect((await first)!.id).toBe(1);
  await new Promise(setImmediate);
  expect(started).toHaveLength(2);
  started[1]!(undefined);
  expect(await second).toBeUndefined();
});

test('what is fresh is looked up by itself', async () => {
  const found = cache.find('hash');
  const fresh = cache.find('hash', true);
  expect(started).toHaveLength(2);
  started[0]!({ id: 1 });
  started[1]!(undefined);
  expect([await found, await fresh]).toMatchObject([{ id: 1 }, undefined]);
});

test('a look-up that began before its credential ended in this process is neither shared nor kept', async () => {
  const before = cache.find('hash');
  cache.delete(({ id }) => id === 1);
  const after = cache.find('hash');
  started[1]!(undefined);
  started[0]!({ id: 1 });
  expect((await before)!.id).toBe(1);
  expect(await after).toBeUndefined();
  expect(cache.has('hash')).toBe(false);
});
