import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLogger } from '../../../src/core/logger.js';
import type { Database } from '../../../src/db/database.js';
import { openServiceDatabase } from '../../../src/server/open-database.js';
import { toRefusal } from '../../../src/db/database-errors.js';
import { openTestDatabase } from '../../support/database.js';
import { canCopyServers, type PostgresServer, startReplicatedServers } from '../../support/postgres-server.js';
import { startTestService, type TestService } from '../../support/service.js';
import { createTestSettings } from '../../support/settings.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

const onPostgres = process.env.TEST_DATABASE_URL && canCopyServers ? describe : describe.skip;

onPostgres('a DATABASE_URL with a primary and its standby', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let database: Database;
  let service: TestService;
  beforeAll(async () => {
    ({ primary, standby } = await startReplicatedServers());
    const databaseUrl = `postgres://all_clear@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres`;
    database = await openServiceDatabase(createTestSettings({ databaseUrl }), createLogger('silent'));
    service = await startTestService({}, { database });
  });
  afterAll(async () => {
    await service.stop();
    await database.close();
    primary.stop();
    standby.stop();
  });
  const create = async (name: string) => (await service.post('/v1/pages', { name })).status;

  test('writes to the primary, and to the standby once that is promoted', async () => {
    expect(await create('Before')).toBe(201);
    const heard: string[] = [];
    const listening = database.listen('page_changed', key => heard.push(key));
    const isReplayed = 'select 1 from pg_stat_replication where replay_lsn = pg_current_wal_lsn()';
    await waitUntilEqual(async () => (await database.query(isReplayed)).length, 1);
    primary.kill();
    standby.promote();
    const statuses = new Set<number>();
    await waitUntilEqual(async () => {
      const status = await create('After');
      statuses.add(status);
      return status;
    }, 201);
    // While there is no primary nothing but "unavailable" is answered.
    expect([...statuses].filter(status => status !== 503)).toEqual([201]);
    const names = await database.query<{ name: string }>('select name from page order by created_at');
    expect(names).toEqual([{ name: 'Before' }, { name: 'After' }]);
    await waitUntilEqual(async () => {
      await database.query(`select pg_notify('page_changed', 'after the failover')`);
      return heard.includes('after the failover');
    }, true);
    listening.stop();
  });
});

(process.env.TEST_DATABASE_URL ? test : test.skip)(
  'a server that does not answer is given up before what waits for a connection is',
  async () => {
    const direct = await openTestDatabase();
    const line = await startTcpProxy(direct.url!);
    const { host } = new URL(direct.url!);
    const databaseUrl = `${line.url.replace(/(:\d+)\//, `$1,${host}/`)}?sslmode=disable`;
    const database = await openServiceDatabase(createTestSettings({ databaseUrl, databaseConnections: 2 }), direct.log);
    const ask = () =>
      database.query('select 1').then(
        () => 'OK',
        error => toRefusal(error)?.code,
      );
    expect(await ask()).toBe('OK');
    line.disconnect();
    await waitUntilEqual(async () => database.pools.service.totalCount, 0);
    line.silence();
    line.reconnect();
    // Two connect to the first server, and two wait for them.
    expect(await Promise.all([ask(), ask(), ask(), ask()])).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'OK', 'OK']);
    await database.close();
    await line.close();
    await direct.close();
  },
);

(process.env.TEST_DATABASE_URL ? test : test.skip)(
  'a server that is stopped while it is asked whether it is the primary fails that connection only',
  async () => {
    const direct = await openTestDatabase();
    const line = await startTcpProxy(direct.url!);
    line.endAt('pg_is_in_recovery');
    const databaseUrl = `${line.url.replace(/(:\d+)\//, `$1,${new URL(direct.url!).host}/`)}?sslmode=disable`;
    const database = await openServiceDatabase(createTestSettings({ databaseUrl }), direct.log);
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
    await database.close();
    await line.close();
    await direct.close();
  },
);
