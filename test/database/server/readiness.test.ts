import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { createUpstreamReader } from '../../../src/components/upstream/read-upstream.js';
import { Heartbeats } from '../../../src/core/heartbeats.js';
import { maxAgeMs } from '../../../src/core/share-result.js';
import { migrations } from '../../../src/db/migrations/migrations.js';
import { createInputFormat } from '../../../src/notices/drafts/input-format.js';
import { startNoticeAutomation } from '../../../src/notices/automation/notice.automation.js';
import { checkTasks } from '../../../src/server/monitoring/readiness.js';
import { openChannels } from '../../../src/server/open-channels.js';
import { type BackgroundTask, poll } from '../../../src/db/poll.js';
import { listAutomationTasks, listNotificationTasks } from '../../../src/server/background-tasks.js';
import { withChannels } from '../../support/settings.js';
import { startNotifications } from '../../../src/server/start-notifications.js';
import { wakeWorkers } from '../../support/ledger.js';
import { startTestService } from '../../support/service.js';
import { schema } from '../../../src/schema.js';
import { waitUntil } from '../../support/wait-until-equal.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function startService() {
  const service = await startTestService();
  cleanups.push(() => service.stop());
  /** Not the result that the request before was answered from. */
  const readiness = async () => {
    await wait(maxAgeMs + 50);
    const { status, text } = await service.get('/readyz', { token: null });
    return [status, text];
  };
  return { service, readiness };
}

test('is not ready while migrations are pending, and names them', async () => {
  const { service, readiness } = await startService();
  expect(await readiness()).toEqual([200, 'ready\n']);
  const { name } = migrations.at(-1)!;
  await service.database.query('delete from migration where name = $1', [name]);
  expect(await readiness()).toEqual([503, `migrations pending: ${name}\n`]);
  await service.database.query('drop table migration');
  expect(await readiness()).toEqual([503, 'migrations pending: all\n']);
});

test('is not ready while the database is read-only', async () => {
  const { service, readiness } = await startService();
  const { database } = service;
  if (database.embedded) await database.query('set default_transaction_read_only = on');
  else {
    const [{ name }] = (await database.query<{ name: string }>('select current_database() as name')) as [
      { name: string },
    ];
    await database.query(`alter database ${name} set default_transaction_read_only = on`);
    await database.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [name],
    );
    await database.query('set default_transaction_read_only = on');
  }
  expect(await readiness()).toEqual([503, 'the database is read-only\n']);
});

test.each(['/readyz', '/metrics'])('many requests for %s at once share what is read of the database', async path => {
  const { service } = await startService();
  const { query } = service.database;
  const statements: string[] = [];
  service.database.query = (text, values) => {
    statements.push(text);
    return query(text, values);
  };
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await service.get(path, { token: null })).status),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(statements.length).toBeGreaterThan(0);
  // A busy machine answers some of them after the first result is too old to be shared.
  expect(statements.length).toBeLessThan(5 * new Set(statements).size);
});

test('names each task that has not completed a round for 30 seconds', async () => {
  let now = 0;
  const heartbeats = new Heartbeats(() => now);
  const beat = heartbeats.expect('the automation');
  heartbeats.expect('the delivery worker');
  now = 30_000;
  expect(checkTasks(heartbeats)).toBeNull();
  now = 45_500;
  beat();
  expect(checkTasks(heartbeats)).toBe('the delivery worker has not run for 45 seconds');
  now = 90_000;
  expect(checkTasks(heartbeats)).toBe(
    'the automation has not run for 44 seconds\nthe delivery worker has not run for 90 seconds',
  );
});

test('tasks that run are ready, and tasks that fail each time are not', async () => {
  const { service } = await startService();
  let now = 0;
  let failure: Error | null = null;
  const failed: string[] = [];
  const heartbeats = new Heartbeats(() => now);
  const database: typeof service.database = {
    ...service.database,
    query: (text, values) => {
      if (!failure) return service.database.query(text, values);
      failed.push(text);
      return Promise.reject(failure);
    },
  };
  const channels = openChannels(service.settings);
  const stopNotifications = startNotifications(database, service.settings, channels, heartbeats);
  const stopAutomation = startNoticeAutomation(
    database,
    createInputFormat(schema),
    service.settings,
    heartbeats.expect('the automation'),
  );
  cleanups.push(async () => {
    await Promise.all([stopNotifications(), stopAutomation()]);
    await channels.close();
  });

  now += 31_000;
  await waitUntil(() => checkTasks(heartbeats) === null, Boolean);
  failure = new Error('permission denied');
  wakeWorkers(database, 'page');
  await waitUntil(() => new Set(failed).size === 4, Boolean);
  now += 31_000;
  failed.length = 0;
  await waitUntil(() => new Set(failed).size === 4, Boolean);
  const late = [...heartbeats.delays].filter(([, seconds]) => seconds > 0).map(([task]) => task);
  expect(late).toEqual(
    expect.arrayContaining(['the automation', 'the delivery worker', 'the fan-out of publications']),
  );
  expect(checkTasks(heartbeats)).toContain('the delivery worker has not run for 31 seconds\n');
});

test('each task that runs at intervals is late when its rounds fail, and says so at the third', async () => {
  const { service } = await startService();
  const { database } = service;
  const settings = { ...service.settings, ...withChannels };
  const channels = openChannels(settings);
  cleanups.push(() => channels.close());
  const warnings: unknown[] = [];
  const log = { debug() {}, error() {}, warn: (line: unknown, text: string) => warnings.push([line, text]) };
  const unavailable = () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  const broken = { ...database, log: database.log, query: unavailable, connect: unavailable, orm: undefined };
  const listTasks = (on: typeof database) => [
    ...listAutomationTasks(
      on,
      settings,
      { queryDns: unavailable, baseHost: 'localhost' },
      createUpstreamReader(settings),
    ),
    ...listNotificationTasks(on, settings, channels),
  ];
  let now = 0;
  const findLate = async (task: BackgroundTask) => {
    const heartbeats = new Heartbeats(() => now);
    let rounds = 0;
    const run = (stop: AbortSignal) => task.run(stop).finally(() => (rounds += 1));
    const stop = poll({ ...task, intervalMs: 1, run }, log as never, heartbeats);
    now += 7 * 3_600_000;
    const before = rounds;
    await waitUntil(() => rounds >= before + 4, Boolean);
    await stop();
    return checkTasks(heartbeats);
  };
  const names: string[] = [];
  for (const [index, task] of listTasks(broken as never).entries()) {
    expect(await findLate(listTasks(database)[index]!)).toBeNull();
    warnings.length = 0;
    expect(await findLate(task)).toBe(`${task.name} has not run for 25200 seconds`);
    expect(warnings[0]).toEqual([{ err: expect.any(Error), rounds: 3 }, task.failureMessage]);
    names.push(task.name);
  }
  expect(names.toSorted()).toEqual([
    'the check of custom domains',
    'the deletion of expired records',
    'the operator mail alert_draft',
    'the operator mail channel_failure',
    'the operator mail month_report',
    'the operator mail suspension',
    'the operator mail unpublished_draft',
    'the operator mail webhook_suspension',
    'the polling of upstreams',
    'the push of alert drafts',
    'the push of channel failures',
    'the verification of channels',
  ]);
});
