import { afterEach, expect, jest, test } from '@jest/globals';
import type pg from 'pg';
import { createPoolReaders } from '../../../src/db/prepared-statements.js';

const canceled = Object.assign(new Error('canceling statement due to user request'), { code: '57014' });
afterEach(() => {
  jest.restoreAllMocks();
});

/** Readers of a database that interrupts the first `times` statements, each after `ms`. */
function createReaders(times: number, ms: number) {
  let now = performance.now();
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  let statements = 0;
  const query = async () => {
    statements += 1;
    if (statements > times) return { rows: [{ body: '1' }] };
    now += ms;
    throw canceled;
  };
  const pool = { query } as unknown as pg.Pool;
  return createPoolReaders(pool, pool, null, pool);
}

test('a read without a token that yielded to other requests is repeated', async () => {
  expect(await createReaders(3, 100).readAnonymous('select', [])).toEqual({ body: '1' });
});

test('a read without a token that has taken a second is refused', async () => {
  await expect(createReaders(10, 100).readAnonymous('select', [])).rejects.toBe(canceled);
});

test('a read of a caller with roles on some pages that yielded is repeated after a rest, for five seconds', async () => {
  const rests = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void) => run()) as never);
  expect(await createReaders(3, 500).readOfPages('select', [])).toEqual({ body: '1' });
  expect(rests.mock.calls.map(([, ms]) => ms)).toEqual([500, 500, 500]);
  await expect(createReaders(10, 500).readOfPages('select', [])).rejects.toBe(canceled);
});

test('a read of a caller with a role on all pages is not repeated', async () => {
  await expect(createReaders(1, 100).read('select', [])).rejects.toBe(canceled);
});
