import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { toRefusal } from '../../../src/db/database-errors.js';
import type { RequestLimits } from '../../../src/db/embedded/connection.js';
import { createDataDirectory } from '../../../src/db/embedded/empty-database.js';
import { interruptStatement } from '../../../src/db/embedded/interrupt.js';
import { EmbeddedServer } from '../../../src/db/embedded/server.js';

/** A folder, and not memory, since a test ends the thread. */
const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
const dataDir = join(folder, 'database');
let server: EmbeddedServer;
const pools: pg.Pool[] = [];

beforeAll(async () => {
  await createDataDirectory(dataDir);
  server = new EmbeddedServer({ dataDir });
  await createPool().query('create table counter (value integer)');
});
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.end();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const createPool = (statementMs = 20_000, yieldMs?: number, maxMemory?: number): pg.Pool =>
  createPoolOf({ statementMs, yieldMs, maxMemory });

function createPoolOf(limits: RequestLimits): pg.Pool {
  const pool = new pg.Pool({
    max: 1,
    idleTimeoutMillis: 0,
    ssl: false,
    stream: () => server.connect(limits),
  });
  pool.on('error', () => {});
  pools.push(pool);
  return pool;
}

const endless = 'select count(*) from generate_series(1, 1000000000000) as number';
const findRunning = () => (server as unknown as { running: unknown }).running;
const countRows = async (pool: pg.Pool) => (await pool.query('select count(*)::integer as n from counter')).rows[0].n;

test('a statement that exceeds the time limit fails as on PostgreSQL, and the connection goes on', async () => {
  const pool = createPool(100);
  const client = await pool.connect();
  const error = await client.query(endless).catch(error => error);
  expect(error).toMatchObject({ code: '57014', message: expect.stringMatching(/^canceling statement/) });
  expect(toRefusal(error)).toMatchObject({ code: 'UNAVAILABLE', details: { retryAfter: 1 } });
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  client.release();
});

test('a transaction whose statement exceeds the time limit can only be rolled back', async () => {
  const client = await createPool(100).connect();
  await client.query('begin');
  await client.query('insert into counter values (1)');
  await expect(client.query(endless)).rejects.toMatchObject({ code: '57014' });
  await expect(client.query('select 1')).rejects.toMatchObject({ code: '25P02' });
  await client.query('rollback');
  client.release();
  expect(await countRows(createPool())).toBe(0);
});

test('a connection with less memory has it alone, and leaves the rest to others', async () => {
  const long = "select length(string_agg(repeat('x', 1000000), '')) as length from generate_series(1, 90)";
  const limited = createPool(20_000, undefined, 1);
  await expect(limited.query(long)).rejects.toMatchObject({ code: '53200' });
  expect((await limited.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  expect((await createPool().query(long)).rows).toEqual([{ length: 90_000_000 }]);
});

test('a statement that needs more memory than the limit fails, and the database goes on', async () => {
  const pool = createPool();
  const tooLong = "select length(string_agg(repeat('x', 1000000), '')) from generate_series(1, 300)";
  await expect(pool.query(tooLong)).rejects.toMatchObject({ code: '53200', message: 'out of memory' });
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test('work without a time limit is not interrupted', async () => {
  const pool = createPool(1);
  const long = "select count(*)::integer as n from generate_series(1, 200000) as number where number::text like '%9'";
  await expect(pool.query(long)).rejects.toMatchObject({ code: '57014' });
  const { rows } = await server.withoutTimeLimit(() => pool.query(long));
  expect(rows).toEqual([{ n: 20_000 }]);
});

test('work without a time limit ends with its own end, and gives none to callers without a token', async () => {
  const pool = createPool(1);
  const anonymous = createPool(1, 1);
  const long = "select count(*)::integer as n from generate_series(1, 200000) as number where number::text like '%9'";
  let finish = () => {};
  const other = server.withoutTimeLimit(() => new Promise<void>(resolve => (finish = resolve)));
  await server.withoutTimeLimit(() => pool.query('select 1'));
  expect((await pool.query(long)).rows).toEqual([{ n: 20_000 }]);
  await expect(anonymous.query(long)).rejects.toMatchObject({ code: '57014' });
  finish();
  await other;
  await expect(pool.query(long)).rejects.toMatchObject({ code: '57014' });
});

test('a statement of a connection that yields is interrupted when another request waits, and not before', async () => {
  const pool = createPool(20_000, 100);
  const other = createPool();
  const long = 'select count(*)::integer as n from generate_series(1, 2000000)';
  expect((await pool.query(long)).rows).toEqual([{ n: 2_000_000 }]);
  const statement = pool.query(endless).catch(error => error);
  while (!findRunning()) await new Promise(setImmediate);
  expect((await other.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  expect(await statement).toMatchObject({ code: '57014' });
  // It waits for others itself.
  const [one, two] = await Promise.all([other.query(long), pool.query('select 1 as one')]);
  expect([one.rows, two.rows]).toEqual([[{ n: 2_000_000 }], [{ one: 1 }]]);
});

test('a statement yields to one of a connection with the same limits, where these say so', async () => {
  const limits = { statementMs: 20_000, yieldMs: 100, yieldsToSame: true };
  const [one, other] = [createPoolOf(limits), createPoolOf(limits)];
  const statement = one.query(endless).catch(error => error);
  while (!findRunning()) await new Promise(setImmediate);
  expect((await other.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  expect(await statement).toMatchObject({ code: '57014' });
});

test('a read in a transaction yields while it is to, and the transaction can only be rolled back', async () => {
  const pool = createPool();
  const other = createPool();
  const client = await pool.connect();
  await client.query('begin');
  await client.query('insert into counter values (3)');
  const read = server.readYielding(100, () => client.query(endless)).catch(error => error);
  while (!findRunning()) await new Promise(setImmediate);
  const waiting = other.query('select 1 as one');
  expect(await read).toMatchObject({ code: '57014' });
  await expect(client.query('select 1')).rejects.toMatchObject({ code: '25P02' });
  await client.query('rollback');
  client.release();
  expect((await waiting).rows).toEqual([{ one: 1 }]);
});

test('a late interrupt of one request does not end the next', async () => {
  const pool = createPool();
  await pool.query('select 1');
  const { thread, requests } = server as unknown as { thread: Worker; requests: number };
  let isRunning = true;
  const statement = pool.query('select count(*)::integer as n from generate_series(1, 500000)').finally(() => {
    isRunning = false;
  });
  while (isRunning) {
    interruptStatement(thread, requests);
    await new Promise(setImmediate);
  }
  expect((await statement).rows).toEqual([{ n: 500_000 }]);
});

test('the event loop goes on while a statement runs', async () => {
  const client = await createPool().connect();
  let isRunning = true;
  const statement = client.query(endless).catch(() => {
    isRunning = false;
  });
  for (let turns = 0; turns < 1_000; turns++) await new Promise(setImmediate);
  expect(isRunning).toBe(true);
  client.release(true);
  await statement;
});

test('requests of other connections wait for the end of a transaction', async () => {
  const writer = await createPool().connect();
  const reader = createPool();
  await reader.query('select 1');
  await writer.query('begin');
  await writer.query('insert into counter values (1)');
  const counted = countRows(reader);
  await writer.query('insert into counter values (2)');
  await writer.query('commit');
  expect(await counted).toBe(2);
  await writer.query('truncate counter');
  writer.release();
});

test('a connection that is closed during a transaction is rolled back', async () => {
  const client = await createPool().connect();
  await client.query('begin');
  await client.query('insert into counter values (1)');
  client.release(true);
  expect(await countRows(createPool())).toBe(0);
});

test('a connection that is closed during a statement interrupts it', async () => {
  const pool = createPool();
  const client = await pool.connect();
  const statement = client.query(endless).catch(error => error);
  while (!findRunning()) await new Promise(setImmediate);
  client.release(true);
  expect(await statement).toMatchObject({ message: expect.stringMatching(/^Connection terminated/) });
  expect(await countRows(createPool())).toBe(0);
});

test('a new connection can prepare statements of the same names', async () => {
  const pool = createPool();
  const prepare = (text: string) => pool.query({ name: 'read0', text });
  expect((await prepare('select 1 as one')).rows).toEqual([{ one: 1 }]);
  // The pool replaces a connection with a failed query.
  await expect(pool.query('nonsense')).rejects.toMatchObject({ code: '42601' });
  expect((await prepare('select 2 as two')).rows).toEqual([{ two: 2 }]);
});

test('a thread that ended is started again, with all that was committed', async () => {
  const pool = createPool();
  await pool.query('insert into counter values (1)');
  const { thread } = server as unknown as { thread: Worker };
  const statement = pool.query(endless).catch(error => error);
  while (!findRunning()) await new Promise(setImmediate);
  const exit = once(thread, 'exit');
  await thread.terminate();
  await exit;
  expect(toRefusal(await statement)).toMatchObject({ code: 'UNAVAILABLE' });
  expect(await countRows(pool)).toBe(1);
  await pool.query('truncate counter');
});

test('a thread that cannot be started again is reported, and the database is unavailable', async () => {
  const copy = join(folder, 'copy');
  await createDataDirectory(copy);
  const failures: Error[] = [];
  const failing = new EmbeddedServer({ dataDir: copy }, error => failures.push(error));
  await failing.open();
  rmSync(join(copy, 'global', 'pg_control'));
  const { thread } = failing as unknown as { thread: Worker };
  const exit = once(thread, 'exit');
  await thread.terminate();
  await exit;
  const pool = new pg.Pool({ ssl: false, stream: () => failing.connect({ statementMs: 1_000 }) });
  const error = await pool.query('select 1').catch(error => error);
  expect(toRefusal(error)).toMatchObject({ code: 'UNAVAILABLE' });
  expect(failures.map(({ cause }) => (cause as Error | undefined)?.message)).toEqual([
    undefined,
    expect.stringContaining('global/pg_control'),
  ]);
  await pool.end();
});

test('a database that was closed is not opened again for a connection that comes too late', async () => {
  const closed = new EmbeddedServer({ dataDir: 'memory://' });
  await closed.open();
  await closed.close();
  await expect(closed.open()).rejects.toThrow('The embedded database was closed.');
});

test('a statement is interrupted in a process that has other threads', async () => {
  const other = new EmbeddedServer({ dataDir: 'memory://' });
  await other.open();
  try {
    await expect(createPool(100).query(endless)).rejects.toMatchObject({ code: '57014' });
  } finally {
    await other.close();
  }
});
