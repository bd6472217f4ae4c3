import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { EmbeddedServer } from '../../src/db/embedded/server.js';
import { createPoolReaders } from '../../src/db/prepared-statements.js';

const url = process.env.TEST_DATABASE_URL;

describe('prepared statements', () => {
  const server = url
    ? null
    : new EmbeddedServer({ dataDir: 'memory://', template: process.env.TEST_EMBEDDED_TEMPLATE });
  const open = (max: number) =>
    new pg.Pool(
      server
        ? {
            max,
            idleTimeoutMillis: 0,
            ssl: false,
            stream: () => server.connect({ statementMs: 20_000 }),
          }
        : { max, connectionString: url },
    );
  let pool: pg.Pool;
  beforeEach(() => {
    pool = open(1);
  });
  afterEach(() => pool.end());
  afterAll(() => server?.close());

  const statement = (number: number) => `select ($1::integer + ${number})::text as body`;
  /** The texts that the only connection has prepared, by name. */
  const listPrepared = async () => {
    const { rows } = await pool.query<{ name: string; statement: string }>(
      'select name, statement from pg_prepared_statements',
    );
    return new Map(rows.map(({ name, statement: text }) => [name, text]));
  };
  test('a text is prepared when it is read for the second time', async () => {
    const { read } = createPoolReaders(pool, pool);
    expect(await read(statement(1), [1])).toEqual({ body: '2' });
    expect((await listPrepared()).size).toBe(0);
    expect(await read(statement(1), [2])).toEqual({ body: '3' });
    expect([...(await listPrepared()).values()]).toEqual([statement(1)]);
    expect(await read(statement(1), [3])).toEqual({ body: '4' });
  });

  test('a text that has a name keeps it among more texts than there are names', async () => {
    const { read } = createPoolReaders(pool, pool);
    const hot = statement(-1);
    for (const _ of [1, 2]) await read(hot, [1]);
    for (let number = 0; number < 500; number++)
      for (const _ of [1, 2]) expect(await read(statement(number), [1])).toEqual({ body: String(number + 1) });
    const prepared = await listPrepared();
    expect(prepared.size).toBe(500);
    expect([...prepared.values()]).toContain(hot);
    expect([...prepared.values()]).not.toContain(statement(499));
  });

  test('anonymous callers cannot take the names of others', async () => {
    const { read, readAnonymous } = createPoolReaders(pool, pool);
    const hot = statement(-1);
    for (let number = 0; number < 500; number++) for (const _ of [1, 2]) await readAnonymous(statement(number), [1]);
    for (const _ of [1, 2]) await read(hot, [1]);
    const prepared = await listPrepared();
    expect([...prepared.values()]).toContain(hot);
    expect([...prepared.keys()].filter(name => name.startsWith('anonymous'))).toHaveLength(100);
  });

  // The embedded database has one connection for each pool.
  (url ? test : test.skip)('several connections prepare the same texts', async () => {
    await pool.end();
    pool = open(4);
    const { read } = createPoolReaders(pool, pool);
    for (let round = 0; round < 4; round++) {
      const numbers = Array.from({ length: 600 }, (_, index) => (index * 7 + round * 13) % 600);
      const bodies = await Promise.all(numbers.map(number => read(statement(number), [1])));
      expect(bodies).toEqual(numbers.map(number => ({ body: String(number + 1) })));
    }
  });

  test('a statement that fails does not block its name', async () => {
    const { read } = createPoolReaders(pool, pool);
    for (const _ of [1, 2, 3]) await expect(read('select nothing as body', [])).rejects.toThrow('nothing');
    for (const _ of [1, 2, 3]) expect(await read(statement(1), [1])).toEqual({ body: '2' });
  });
});
