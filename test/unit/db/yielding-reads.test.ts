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
  return createPoolReaders(pool, pool);
}

test('a read without a token that yielded to other requests is repeated', async () => {
  expect(await createReaders(3, 100).readAnonymous('select', [])).toEqual({ body: '1' });
});

test('a read without a token that has taken a second is refused', async () => {
  await expect(createReaders(10, 100).readAnonymous('select', [])).rejects.toBe(canceled);
});

test('a read with a token is not repeated', async () => {
  await expect(createReaders(1, 100).read('select', [])).rejects.toBe(canceled);
});
