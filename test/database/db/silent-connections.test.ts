import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database, EntityManager } from '../../../src/db/database.js';
import { toRefusal } from '../../../src/db/database-errors.js';
import { query } from '../../../src/db/prepared-statements.js';
import { inTransaction } from '../../../src/db/transaction.js';
import { openServiceDatabase } from '../../../src/server/open-database.js';
import { openTestDatabase } from '../../support/database.js';
import { createTestSettings } from '../../support/settings.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';

let direct: Awaited<ReturnType<typeof openTestDatabase>>;
let line: TcpProxy;
let database: Database;

/** The code of the refusal, or the result. */
const toCode = (work: Promise<unknown>) =>
  work.then(
    result => result,
    error => toRefusal(error)?.code ?? error,
  );

/** Counts in three transactions, each of which waits until all have begun. */
function countOnAll(): Promise<unknown> {
  let begun = 0;
  let go!: () => void;
  const gate = new Promise<void>(done => {
    go = done;
  });
  const count = async (em: EntityManager) => {
    await query(em, 'select 1');
    if (++begun === 3) go();
    await gate;
    if (begun === 3) await query(em, 'update counter set value = value + 1');
  };
  return Promise.all([1, 2, 3].map(() => inTransaction(database, count).finally(() => go())));
}

// The embedded database has no connection that can be lost.
const onPostgres = process.env.TEST_DATABASE_URL ? describe : describe.skip;

onPostgres('a connection to the database that goes silent', () => {
  beforeAll(async () => {
    direct = await openTestDatabase();
    await direct.query('create table counter as select 0 as value');
  });
  afterAll(() => direct.close());
  beforeEach(async () => {
    line = await startTcpProxy(direct.url!);
    const settings = createTestSettings({ databaseUrl: line.url, databaseConnections: 3 });
    database = await openServiceDatabase(settings, direct.log);
  });
  afterEach(async () => {
    await database.close();
    await line.close();
  });

  test('fails its statements as unavailable within 15 s, and all connections work when the line is back', async () => {
    await Promise.all([1, 2, 3].map(() => database.query('select pg_sleep(0.1)')));
    const update = inTransaction(database, async em => {
      await query(em, 'update counter set value = value + 1');
      line.silence();
      const silentSince = performance.now();
      const begin = inTransaction(database, other => query(other, 'select 1'));
      const others = [begin, database.query('select 1'), database.query('select 1')].map(toCode);
      expect(await Promise.all([query(em, 'select 1'), ...others].map(toCode))).toEqual(Array(4).fill('UNAVAILABLE'));
      expect(performance.now() - silentSince).toBeLessThan(15_000);
    });
    expect(await toCode(update)).toBe('UNAVAILABLE');
    line.resume();
    let isBack = false;
    for (let attempts = 0; !isBack && attempts < 10; attempts += 1)
      isBack = (await toCode(countOnAll())) !== 'UNAVAILABLE';
    expect(isBack).toBe(true);
    expect(await direct.query('select value from counter')).toEqual([{ value: 3 }]);
  });

  test('is closed alone: a long statement that the server works on continues', async () => {
    let long!: Promise<unknown>;
    const lost = inTransaction(database, async em => {
      await query(em, 'select 1');
      line.forgetConnections();
      long = database.query(`select 'done' as result from pg_sleep(8)`);
      return query(em, 'select 1');
    });
    expect(await toCode(lost)).toBe('UNAVAILABLE');
    expect(await toCode(long)).toEqual([{ result: 'done' }]);
  });
});
