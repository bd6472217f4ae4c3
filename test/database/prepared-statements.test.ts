import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { BinaryClient } from '../../src/db/binary-client.js';
import { EmbeddedServer } from '../../src/db/embedded/server.js';
import { PipelinedTransaction } from '../../src/db/pipelined-transaction.js';
import { createPoolReaders } from '../../src/db/prepared-statements.js';
import { StatementNames } from '../../src/db/statement-names.js';

const url = process.env.TEST_DATABASE_URL;

describe('prepared statements', () => {
  const server = url
    ? null
    : new EmbeddedServer({ dataDir: 'memory://', template: process.env.TEST_DATABASE_TEMPLATE });
  const open = (max: number) =>
    new pg.Pool(
      server
        ? {
            Client: BinaryClient,
            max,
            idleTimeoutMillis: 0,
            ssl: false,
            stream: () => server.connect({ statementMs: 20_000 }),
          }
        : { Client: BinaryClient, max, connectionString: url },
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
    expect(await read(statement(1), [1])).toEqual({ body: Buffer.from('2') });
    expect((await listPrepared()).size).toBe(0);
    expect(await read(statement(1), [2])).toEqual({ body: Buffer.from('3') });
    expect([...(await listPrepared()).values()]).toEqual([statement(1)]);
    expect(await read(statement(1), [3])).toEqual({ body: Buffer.from('4') });
  });

  test('a statement of a transaction is prepared, but neither one of the pool nor one for all columns', async () => {
    const transaction = new PipelinedTransaction(await pool.connect(), new StatementNames('write', 200));
    const ofAllColumns = 'select "p".* from (select $1::integer as value) "p"';
    for (const value of [1, 2]) {
      expect(await transaction.run(statement(1), [value])).toEqual([{ body: String(value + 1) }]);
      expect(await transaction.run(ofAllColumns, [value])).toEqual([{ value }]);
    }
    await transaction.commit();
    for (const value of [1, 2])
      expect((await pool.query(statement(2), [value])).rows).toEqual([{ body: String(value + 2) }]);
    expect([...(await listPrepared())]).toEqual([['write0', statement(1)]]);
  });

  test('a text in use stays prepared among more texts than there are names', async () => {
    const { read } = createPoolReaders(pool, pool);
    const hot = statement(-1);
    for (let number = 0; number < 1_000; number++) {
      for (const _ of [1, 2])
        expect(await read(statement(number), [1])).toEqual({ body: Buffer.from(String(number + 1)) });
      expect(await read(hot, [1])).toEqual({ body: Buffer.from('0') });
    }
    const prepared = await listPrepared();
    expect(prepared.size).toBe(400);
    expect([...prepared.values()]).toContain(hot);
    expect([...prepared.values()]).toContain(statement(999));
    expect([...prepared.values()]).not.toContain(statement(0));
  });

  test('a text that lost its name is prepared again when it is used again', async () => {
    const { read } = createPoolReaders(pool, pool);
    const hot = statement(-1);
    for (const _ of [1, 2]) await read(hot, [1]);
    for (let number = 0; number < 500; number++) for (const _ of [1, 2]) await read(statement(number), [1]);
    expect([...(await listPrepared()).values()]).not.toContain(hot);
    for (const _ of [1, 2]) expect(await read(hot, [1])).toEqual({ body: Buffer.from('0') });
    expect([...(await listPrepared()).values()]).toContain(hot);
  });

  test('anonymous callers cannot evict the texts of others', async () => {
    const { read, readAnonymous } = createPoolReaders(pool, pool);
    const hot = statement(-1);
    for (const _ of [1, 2]) await read(hot, [1]);
    for (let number = 0; number < 500; number++) for (const _ of [1, 2]) await readAnonymous(statement(number), [1]);
    const prepared = await listPrepared();
    expect([...prepared.values()]).toContain(hot);
    expect([...prepared.keys()].filter(name => name.startsWith('anonymous'))).toHaveLength(100);
  });

  // The embedded database has one connection for each pool.
  (url ? test : test.skip)('several connections can have different texts under a name', async () => {
    await pool.end();
    pool = open(4);
    const { read } = createPoolReaders(pool, pool);
    for (let round = 0; round < 4; round++) {
      const numbers = Array.from({ length: 600 }, (_, index) => (index * 7 + round * 13) % 600);
      const bodies = await Promise.all(numbers.map(number => read(statement(number), [1])));
      expect(bodies).toEqual(numbers.map(number => ({ body: Buffer.from(String(number + 1)) })));
    }
  });

  test('a column of a type that is not read in binary format is refused', async () => {
    const { read } = createPoolReaders(pool, pool);
    for (const _ of [1, 2])
      await expect(read('select $1::float8 as body', [1])).rejects.toThrow('A read has a column of the type 701');
    expect(await read(statement(1), [1])).toEqual({ body: Buffer.from('2') });
  });

  test('a statement that fails does not block its name', async () => {
    const { read } = createPoolReaders(pool, pool);
    for (const _ of [1, 2, 3]) await expect(read('select nothing as body', [])).rejects.toThrow('nothing');
    for (const _ of [1, 2, 3]) expect(await read(statement(1), [1])).toEqual({ body: Buffer.from('2') });
  });
});
