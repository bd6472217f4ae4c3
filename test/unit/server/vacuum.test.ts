import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { EmbeddedServer } from '../../../src/db/embedded/server.js';
import { vacuumTables } from '../../../src/server/retention/vacuum.js';

const server = new EmbeddedServer({ dataDir: 'memory://' });
let pool: pg.Pool;
const query = async <Row>(sql: string, values: unknown[] = []) => (await pool.query(sql, values)).rows as Row[];
const database = {
  query,
  withoutTimeLimit: <Result>(work: () => Promise<Result>) => server.withoutTimeLimit(work),
};

beforeAll(async () => {
  await server.open();
  pool = new pg.Pool({ max: 1, ssl: false, stream: () => server.connect({ statementMs: 20_000 }) });
  await query('create table body (id integer primary key, text text)');
});
afterAll(async () => {
  await pool.end();
  await server.close();
});

const readSize = async (): Promise<number> =>
  (await query<{ size: number }>(`select pg_total_relation_size('body')::integer as size`))[0]!.size;

/** Replaces a row by one with a text that cannot be compressed, again and again. */
async function replace(times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await query('delete from body');
    await query(
      `insert into body select $1, string_agg(md5(random()::text), '') from generate_series(1, 16000) having $1::integer >= 0`,
      [time],
    );
  }
}

test('deleted rows and their long values leave room that new ones take', async () => {
  const sizes: number[] = [];
  for (let round = 0; round < 12; round++) {
    await replace(2);
    await vacuumTables(database);
    sizes.push(await readSize());
  }
  // 12 MB were written, half a megabyte is stored, and as much in each of the next rounds.
  expect(Math.max(...sizes)).toBeLessThan(2_500_000);
});

test('the planner has statistics of a table that has grown', async () => {
  await query('insert into body select n from generate_series(100, 20000) n');
  await vacuumTables(database);
  const [{ rows }] = (await query<{ rows: number }>(
    `select reltuples::integer as rows from pg_class where relname = 'body'`,
  )) as [{ rows: number }];
  expect(rows).toBe(19_902);
});

test('a table without changes is left alone, and a round that is stopped ends', async () => {
  await vacuumTables(database);
  expect(await vacuumTables(database)).toEqual([]);
  await query('insert into body select n from generate_series(30000, 90000) n');
  expect(await vacuumTables(database, AbortSignal.abort())).toEqual([]);
});
