import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createLogger } from '../../../src/core/logger.js';
import type { Database } from '../../../src/db/database.js';
import { openServiceDatabase } from '../../../src/server/open-database.js';
import { createPage } from '../../support/factories.js';
import { canCopyServers, type PostgresServer, startReplicatedServers } from '../../support/postgres-server.js';
import { startTestService, type TestService } from '../../support/service.js';
import { createTestSettings } from '../../support/settings.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

const onPostgres = process.env.TEST_DATABASE_URL && canCopyServers ? describe : describe.skip;

onPostgres('two processes that read from a replica', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  /** To the standby. */
  let line: TcpProxy;
  let database: Database;
  let otherDatabase: Database;
  let service: TestService;
  let other: TestService;
  let path: string;
  let id: string;
  const heard: string[] = [];
  beforeAll(async () => {
    ({ primary, standby } = await startReplicatedServers());
    line = await startTcpProxy(standby.url);
    const settings = createTestSettings({ databaseUrl: primary.url, databaseReplicaUrls: [line.url] });
    database = await openServiceDatabase(settings, createLogger('silent'));
    otherDatabase = await openServiceDatabase(settings, createLogger('silent'));
    const overrides = { anonymousReads: 'public' } as const;
    service = await startTestService(overrides, { database });
    // Behind the change feed of the service, which hears each notification first.
    database.listen('page_changed', payload => heard.push(payload));
    other = await startTestService(overrides, { database: otherDatabase });
    ({ id, path } = await createPage(service, { name: 'Meridian' }));
  });
  afterAll(async () => {
    await service.stop();
    await other.stop();
    await database.close();
    await otherDatabase.close();
    await line.close();
    standby.stop();
    primary.stop();
  });

  let reads = 0;
  /** Reads the name without a token, by a document that no cache has. */
  const readName = async (from: TestService, token: string | null = null) => {
    reads += 1;
    const { json } = await from.graphql(`query ($id: ID!) { page(id: $id) { name${reads}: name } }`, { id }, { token });
    return json.data.page[`name${reads}`];
  };
  const readTitle = async () => /<title>(.*?)<\/title>/.exec((await service.get(`/status/${id}/`)).text)?.[1];
  const rename = (by: TestService, name: string) => by.patch(path, { name });
  /** Waits until the service has heard of the last change of the page. */
  const waitUntilHeard = async () => {
    const [{ count }] = (await otherDatabase.query('select change_count as count from page where id = $1', [id])) as [
      { count: number },
    ];
    await waitUntilEqual(async () => heard.some(payload => payload.split(' ')[0]!.endsWith(`:${id}:${count}`)), true);
  };
  const isPositionKnown = async () => database.replicas!.position.current !== null;
  /** Which server answers a read without a token. */
  const findSource = async () => {
    const { replica } = database.replicas!.answers;
    await readName(service);
    return database.replicas!.answers.replica > replica ? 'replica' : 'primary';
  };
  const onStandby = async (statement: string) => {
    const client = new pg.Client({ connectionString: standby.url });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };

  test('reads without a token come from the replica once it has replayed the last change', async () => {
    await waitUntilEqual(findSource, 'replica');
    expect(await readName(service)).toBe('Meridian');
    const { replica, primary: before } = database.replicas!.answers;
    expect(await readName(service, service.tokens.read)).toBe('Meridian');
    expect(database.replicas!.answers).toEqual({ replica, primary: before });
  });

  test('what is read is never older than a change of this process, or one that it has heard of', async () => {
    expect(await readTitle()).toContain('Meridian');
    for (const isPaused of [false, true]) {
      await onStandby(`select pg_wal_replay_${isPaused ? 'pause' : 'resume'}()`);
      for (let round = 0; round < 10; round += 1) {
        const own = `Own ${round} ${isPaused}`;
        await rename(service, own);
        expect(await readName(service)).toBe(own);
        await waitUntilEqual(isPositionKnown, true);
        expect(await readName(service)).toBe(own);
        await waitUntilEqual(readTitle, own);
        const others = `Others ${round} ${isPaused}`;
        await rename(other, others);
        await waitUntilHeard();
        expect(await readName(service)).toBe(others);
        await waitUntilEqual(readTitle, others);
      }
      if (isPaused) expect(await findSource()).toBe('primary');
      else await waitUntilEqual(findSource, 'replica');
    }
    await onStandby('select pg_wal_replay_resume()');
    await waitUntilEqual(findSource, 'replica');
  });

  test('the primary answers soon where the replica goes silent', async () => {
    const { read, answers } = otherDatabase.replicas!;
    const readOne = () => read('select $1::text as body', ['one']);
    await waitUntilEqual(async () => (await readOne()) && answers.replica > 0, true);
    const { primary: before } = answers;
    line.silence();
    expect(await readOne()).toEqual({ body: 'one' });
    expect(answers.primary).toBe(before + 1);
    line.resume();
  }, 10_000);

  test('the primary answers while the replica is down', async () => {
    standby.kill();
    await rename(service, 'Without a replica');
    expect(await readName(service)).toBe('Without a replica');
    expect(await findSource()).toBe('primary');
    expect((await service.get(`/status/${id}/`)).status).toBe(200);
  });
});
