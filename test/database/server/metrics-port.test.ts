import { expect, test } from '@jest/globals';
import { startWorkerProcess } from '../../../src/server/start-worker.js';
import { openTestDatabase } from '../../support/database.js';
import { findFreePort } from '../../support/process.js';
import { startTestService } from '../../support/service.js';
import { createTestSettings } from '../../support/settings.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

const onPostgres = process.env.TEST_DATABASE_URL ? test : test.skip;

const request = async (port: number, path: string) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: response.status, text: await response.text() };
};

const names = (text: string) => [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name);

test('METRICS_PORT takes the metrics of the service away from its own port', async () => {
  const metricsPort = await findFreePort();
  const service = await startTestService({ metricsPort });
  try {
    expect((await service.get('/metrics')).status).toBe(404);
    expect((await service.get('/readyz')).status).toBe(200);
    expect(await request(metricsPort, '/readyz')).toEqual({ status: 200, text: 'ready\n' });
    expect((await request(metricsPort, '/healthz')).status).toBe(200);
    expect(names((await request(metricsPort, '/metrics')).text)).toEqual(
      expect.arrayContaining(['all_clear_database_up', 'all_clear_page_renders_total', 'http_requests_total']),
    );
    // Nothing else is there.
    expect((await request(metricsPort, '/v1/hello')).status).toBe(404);
    await expect(startTestService({ metricsPort })).rejects.toThrow(
      `METRICS_PORT: port ${metricsPort} of 127.0.0.1 cannot be opened (EADDRINUSE).`,
    );
  } finally {
    await service.stop();
  }
  await expect(request(metricsPort, '/healthz')).rejects.toThrow();
});

onPostgres('a worker has its health and its metrics on METRICS_PORT', async () => {
  const database = await openTestDatabase();
  const metricsPort = await findFreePort();
  const settings = createTestSettings({ databaseUrl: database.url!, metricsPort, automation: true });
  const stop = await startWorkerProcess(settings);
  try {
    expect(await request(metricsPort, '/readyz')).toEqual({ status: 200, text: 'ready\n' });
    const { text } = await request(metricsPort, '/metrics');
    for (const task of ['delivery worker', 'fan-out of publications', 'automation'])
      expect(text).toContain(`all_clear_task_age_seconds{task="${task}"}`);
    expect(text).toContain('all_clear_database_up 1\n');
    expect(text).toContain('all_clear_attempts_total{channel="E-mail",outcome="sent"} 0\n');
    expect(names(text)).not.toContain('http_requests_total');
    await database.query('delete from migration');
    // A result is shared for a moment.
    await database.query('update migration set name = $1 || name', ['x']);
    await waitUntilEqual(async () => (await request(metricsPort, '/readyz')).status, 503);
  } finally {
    await stop();
    await database.close();
  }
});
