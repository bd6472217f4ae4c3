import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { EmbeddedServer } from '../../../src/db/embedded/server.js';
import { migrations } from '../../../src/db/migrations/migrations.js';
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

test('a table whose statistics cannot be computed keeps no other from being vacuumed', async () => {
  await vacuumTables(database);
  await query('create table broken (number integer)');
  await query('create statistics broken_statistics on (1 / number) from broken');
  await query('create table sound (number integer)');
  for (const table of ['broken', 'sound']) await query(`insert into ${table} select 0 from generate_series(1, 100)`);
  await expect(vacuumTables(database)).rejects.toThrow('division by zero');
  const analyzed = `select reltuples::integer as rows from pg_class where relname = 'sound'`;
  expect(await query(analyzed)).toEqual([{ rows: 100 }]);
});

test('no statistics are of expressions, since each of 30,000 values would be copied whole', () => {
  const statements = migrations.flatMap(migration => migration.statements);
  expect(statements.filter(statement => statement.startsWith('create statistics'))).toEqual([]);
});
