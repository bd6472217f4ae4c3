import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { toRefusal } from '../../../src/db/database-errors.js';
import { query } from '../../../src/db/prepared-statements.js';
import { inTransaction } from '../../../src/db/transaction.js';
import { openServiceDatabase } from '../../../src/server/open-database.js';
import { openTestDatabase } from '../../support/database.js';
import { createTestSettings } from '../../support/settings.js';

type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>;

const onPostgres = process.env.TEST_DATABASE_URL ? describe : describe.skip;

/** Each is lost more often than the pool has places. */
onPostgres('a connection that is lost gives its place in the pool back', () => {
  let direct: TestDatabase;
  let database: Pick<TestDatabase, 'query' | 'close'> & Parameters<typeof inTransaction>[0];
  const toCode = (work: Promise<unknown>) =>
    work.then(
      () => 'OK',
      error => toRefusal(error)?.code,
    );
  beforeAll(async () => {
    direct = await openTestDatabase();
    database = await openServiceDatabase(
      createTestSettings({ databaseUrl: direct.url!, databaseConnections: 2 }),
      direct.log,
    );
  });
  afterAll(async () => {
    await database.close();
    await direct.close();
  });

  test('in a transaction', async () => {
    const lose = () => inTransaction(database, em => query(em, 'select pg_terminate_backend(pg_backend_pid())'));
    for (let count = 0; count < 3; count++) expect(await toCode(lose())).toBe('UNAVAILABLE');
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('between two statements of a transaction', async () => {
    const lose = () =>
      inTransaction(database, async em => {
        const [backend] = await query<{ pid: number }>(em, 'select pg_backend_pid() as pid');
        await direct.query('select pg_terminate_backend($1)', [backend!.pid]);
        await toCode(query(em, 'select 1'));
      });
    for (let count = 0; count < 3; count++) expect(await toCode(lose())).toBe('UNAVAILABLE');
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});
