import type { EventEmitter } from 'node:events';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { EmbeddedServer } from '../../../src/db/embedded/server.js';
import { PipelinedTransaction } from '../../../src/db/pipelined-transaction.js';
import { StatementNames } from '../../../src/db/statement-names.js';

const url = process.env.TEST_DATABASE_URL;

describe('a transaction', () => {
  const server = url
    ? null
    : new EmbeddedServer({ dataDir: 'memory://', template: process.env.TEST_DATABASE_TEMPLATE });
  const pool = new pg.Pool({
    max: 1,
    pipeline: true,
    ...(server
      ? { idleTimeoutMillis: 0, ssl: false, stream: () => server.connect({ statementMs: 20_000 }) }
      : { connectionString: url }),
  });
  afterAll(async () => {
    await pool.end();
    await server?.close();
  });

  let names: StatementNames;
  let transaction: PipelinedTransaction;
  let sent: string[][];
  beforeEach(async () => {
    sent = [];
    names = new StatementNames('write', 10);
    transaction = new PipelinedTransaction(await pool.connect(), names);
    transaction.onSent = texts => sent.push(texts);
  });
  afterEach(() => expect([pool.totalCount, pool.idleCount, pool.waitingCount]).toEqual([1, 1, 0]));

  const createTable = 'create temporary table number (value int primary key)';
  const insert = 'insert into number values ($1)';
  const select = 'select value from number order by value';
  const divide = 'select 1 / $1::int as value';

  test('sends what is run in one turn together, in its order', async () => {
    transaction.runUnread(createTable);
    const [, values] = await Promise.all([transaction.run(insert, [1]), transaction.run(select)]);
    expect(values).toEqual([{ value: 1 }]);
    expect(sent).toEqual([['begin', createTable, insert, select]]);
    await transaction.rollback();
  });

  test('sends statements whose result nobody reads with the next one', async () => {
    await transaction.run(createTable);
    transaction.runUnread(insert, [1]);
    transaction.runUnread(insert, [2]);
    expect(await transaction.run(select)).toEqual([{ value: 1 }, { value: 2 }]);
    await transaction.rollback();
    expect(sent).toEqual([['begin', createTable], [insert, insert, select], ['rollback']]);
  });

  test.each(['run', 'commit'] as const)('fails at the next %s with the error of an unread statement', async next => {
    await transaction.run(createTable);
    for (const _ of [1, 2]) transaction.runUnread(insert, [1]);
    await expect(transaction[next](select)).rejects.toMatchObject({ code: '23505' });
    await transaction.rollback();
    expect((await pool.query("select to_regclass('pg_temp.number') as name")).rows).toEqual([{ name: null }]);
  });

  test('fails at a commit that is sent with a statement that fails, and is rolled back', async () => {
    await transaction.run(createTable);
    await transaction.run(insert, [1]);
    const [statement, commit] = [transaction.run(insert, [1]), transaction.commit()];
    for (const failed of [statement, commit]) await expect(failed).rejects.toMatchObject({ code: '23505' });
    await transaction.rollback();
    expect(sent.at(-1)).toEqual(['rollback']);
    expect((await pool.query("select to_regclass('pg_temp.number') as name")).rows).toEqual([{ name: null }]);
  });

  test('fails at a commit after a statement that failed', async () => {
    await expect(transaction.run(divide, [0])).rejects.toMatchObject({ code: '22012' });
    await expect(transaction.commit()).rejects.toThrow('nothing was committed');
    await transaction.rollback();
  });

  test('leaves its connection to others once it is committed, also if it is rolled back then', async () => {
    await transaction.run(createTable);
    const next = pool.connect();
    await transaction.commit();
    const client = await next;
    await client.query('begin');
    await client.query('insert into number values (1)');
    await transaction.rollback();
    await client.query('commit');
    client.release();
    expect((await pool.query(select)).rows).toEqual([{ value: 1 }]);
    await pool.query('drop table number');
  });

  test('goes on after a savepoint whose unread statements failed', async () => {
    await transaction.run(createTable);
    transaction.runUnread('savepoint work');
    for (const _ of [1, 2]) transaction.runUnread(insert, [1]);
    transaction.forgetUnread();
    await transaction.run('rollback to savepoint work');
    expect(await transaction.run(select)).toEqual([]);
    await transaction.commit();
    await pool.query('drop table number');
  });

  test('asks for the columns of a prepared statement once, and for those of another with its name again', async () => {
    names = new StatementNames('write', 1);
    await transaction.rollback();
    const client = (await pool.connect()) as pg.PoolClient & { connection: EventEmitter };
    const descriptions: unknown[] = [];
    const add = (message: unknown) => descriptions.push(message);
    client.connection.on('rowDescription', add);
    transaction = new PipelinedTransaction(client, names);
    const results: [string, object][] = [
      ['select $1::int as one', { one: 1 }],
      ['select $1::text as one, 2 as other', { one: '1', other: 2 }],
    ];
    for (const [text, row] of results)
      for (let time = 0; time < 4; time++) expect(await transaction.run(text, [1])).toEqual([row]);
    // A text gets a name when it is seen for the second time.
    expect(descriptions).toHaveLength(4);
    client.connection.off('rowDescription', add);
    await transaction.rollback();
  });

  describe('of which a statement fails', () => {
    const reopen = async () => {
      await transaction.rollback();
      transaction = new PipelinedTransaction(await pool.connect(), names);
    };
    const failWith = (text: string) => Promise.allSettled([transaction.run(divide, [0]), transaction.run(text, [1])]);

    test('runs none of those that were sent after it, and refuses them with its error', async () => {
      await transaction.run(createTable);
      const results = await Promise.allSettled([
        transaction.run(insert, [1]),
        transaction.run(divide, [0]),
        transaction.run(insert, [2]),
      ]);
      const refused = { status: 'rejected', reason: expect.objectContaining({ code: '22012' }) };
      expect(results).toEqual([{ status: 'fulfilled', value: [] }, refused, refused]);
      await transaction.rollback();
    });

    test('prepares those after it when they are sent again', async () => {
      const text = 'select $1::int + 1 as value';
      // A text gets a name when it is seen for the second time.
      for (const _ of [1, 2]) {
        await failWith(text);
        await reopen();
      }
      expect(await transaction.run(text, [1])).toEqual([{ value: 2 }]);
      await transaction.rollback();
    });

    test('closes the statement whose name one after it gets', async () => {
      names = new StatementNames('write', 1);
      for (const number of [1, 2, 3]) {
        const text = `select $1::int + ${number} as value`;
        for (const _ of [1, 2]) {
          await reopen();
          await failWith(text);
        }
        await reopen();
        expect(await transaction.run(text, [1])).toEqual([{ value: number + 1 }]);
      }
      await transaction.rollback();
    });
  });

  test.each(['commit', 'rollback'] as const)('without a statement sends nothing at its %s', async end => {
    await transaction[end]();
    expect(sent).toEqual([]);
  });
});
