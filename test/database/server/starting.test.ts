import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Settings } from '../../../src/core/config.js';
import { createService } from '../../../src/server/service.js';
import { startWorkerProcess } from '../../../src/server/start-worker.js';
import { setCustomDomain } from '../../../src/pages/custom-domain/custom-domain.service.js';
import { createPage } from '../../../src/pages/page.service.js';
import { Writer } from '../../../src/records/writer.js';
import { openTestDatabase } from '../../support/database.js';
import { findFreePort } from '../../support/process.js';
import { createTestSettings } from '../../support/settings.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

// Another session can neither lock nor stop the embedded database.
const onPostgres = process.env.TEST_DATABASE_URL ? describe : describe.skip;

const waits = 'waiting for the migration of another process';

/** Status and first line of each path. */
const getAll = (port: number, paths: readonly string[]) =>
  Promise.all(
    paths.map(async path => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
      return response && [path, response.status, (await response.text()).split('\n')[0]];
    }),
  );

onPostgres('a process that starts', () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  const stops: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });
  afterAll(() => database.close());

  const useSettings = async (overrides: Partial<Settings>) =>
    createTestSettings({
      databaseUrl: database.url!,
      port: await findFreePort(),
      metricsPort: await findFreePort(),
      ...overrides,
    });

  const probes = ['/healthz', '/readyz', '/healthz/pages'];

  test.each(['service', 'worker'])('a %s answers health checks while another process migrates', async kind => {
    const other = new pg.Client({ connectionString: database.url! });
    await other.connect();
    stops.push(() => other.end());
    await other.query(`select pg_advisory_lock(${0x616c6c63})`);
    const settings = await useSettings({});
    const reports: string[] = [];
    const options = { report: (text: string) => reports.push(text) };
    const starting =
      kind === 'service'
        ? createService(settings, options).then(service => service.stop)
        : startWorkerProcess(settings, options);
    starting.catch(() => {});
    stops.push(async () => (await starting)());
    const port = kind === 'service' ? settings.port : settings.metricsPort;
    await waitUntilEqual(() => getAll(port, ['/readyz']), [['/readyz', 503, waits]]);
    expect(await getAll(port, probes)).toEqual([
      ['/healthz', 200, expect.stringMatching(/^ok /)],
      ['/readyz', 503, waits],
      ['/healthz/pages', 503, waits],
    ]);
    expect(reports).toEqual(['Waiting for the migration of another process.\n']);
    await other.query('select pg_advisory_unlock_all()');
    await starting;
    expect(await getAll(port, ['/readyz'])).toEqual([['/readyz', 200, 'ready']]);
  });

  test('a worker waits for its database', async () => {
    const proxy = await startTcpProxy(database.url!);
    stops.push(() => proxy.close());
    proxy.disconnect();
    const settings = await useSettings({ databaseUrl: proxy.url });
    const starting = startWorkerProcess(settings);
    starting.catch(() => {});
    const phase = () => getAll(settings.metricsPort, ['/readyz']);
    await waitUntilEqual(phase, [['/readyz', 503, 'waiting for the database']]);
    proxy.reconnect();
    stops.push(await starting);
    expect(await phase()).toEqual([['/readyz', 200, 'ready']]);
  });

  test('a worker checks custom domains', async () => {
    const id = await createPage(new Writer(database), { name: 'Meridian' });
    await setCustomDomain(new Writer(database), { baseHost: 'localhost' }, id, 'status.meridian.invalid');
    await database.query('update custom_domain set next_check_at = now() - make_interval(secs => 1)');
    stops.push(await startWorkerProcess(await useSettings({ automation: true })));
    await waitUntilEqual(async () => {
      const [row] = await database.query<{ checked: boolean }>(
        'select next_check_at > now() as checked from custom_domain',
      );
      return row!.checked;
    }, true);
  });
});
