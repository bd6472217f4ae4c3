import { expect, test } from '@jest/globals';
import { startWorkerProcess } from '../../../src/server/start-worker.js';
import { openTestDatabase } from '../../support/database.js';
import { createComponent, createPage } from '../../support/factories.js';
import { sendRaw } from '../../support/raw-socket.js';
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
    expect(
      await sendRaw(`http://127.0.0.1:${metricsPort}`, 'GET http://[::1/ HTTP/1.1', 'Host: a', 'Connection: close'),
    ).toMatch(/^HTTP\/1.1 400 Bad Request/);
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

test('METRICS_COMPONENTS adds the states of components as the pages show them', async () => {
  const service = await startTestService({ metricsComponents: true });
  try {
    const page = await createPage(service, { name: 'Acme' });
    const ids: number[] = [];
    for (const name of ['API', 'Shop "x"', 'Mail']) ids.push((await createComponent(service, page.path, { name })).id);
    const report = await service.graphql(
      `mutation ($page: ID!, $input: OpenIncidentInput!) {
        openIncident(pageId: $page, input: $input) { userErrors { message } } }`,
      {
        page: page.id,
        input: {
          subject: 'S',
          shouldPublish: false,
          affectedComponents: [{ componentId: String(ids[0]), impact: 'MAJOR_OUTAGE' }],
        },
      },
    );
    expect(report.json).toEqual({ data: { openIncident: { userErrors: [] } } });
    const read = async () =>
      [...(await service.get('/metrics')).text.matchAll(/^all_clear_component_state\{(.*)\} (\d)$/gm)].map(
        ([, labels, value]) => `${labels} ${value}`,
      );
    const label = (index: number, name: string, value: number) =>
      `page="${page.id}",component="${ids[index]}",name="${name}" ${value}`;
    await waitUntilEqual(
      async () => (await read()).sort(),
      [label(0, 'API', 4), label(1, 'Shop \\"x\\"', 0), label(2, 'Mail', 0)],
    );
  } finally {
    await service.stop();
  }
  const other = await startTestService();
  try {
    expect((await other.get('/metrics')).text).not.toContain('all_clear_component_state');
  } finally {
    await other.stop();
  }
});
