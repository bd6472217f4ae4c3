import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openServiceDatabase } from '../../../src/server/open-database.js';
import { openTestDatabase } from '../../support/database.js';
import { createPage } from '../../support/factories.js';
import { startTestService, type TestResponse, type TestService } from '../../support/service.js';
import { createTestSettings } from '../../support/settings.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';

// The embedded database has no connection that can go silent.
const onPostgres = process.env.TEST_DATABASE_URL ? describe : describe.skip;

onPostgres('while the database does not answer', () => {
  let direct: Awaited<ReturnType<typeof openTestDatabase>>;
  let line: TcpProxy;
  let service: TestService;
  let page: string;
  beforeAll(async () => {
    direct = await openTestDatabase();
    line = await startTcpProxy(direct.url!);
    const settings = createTestSettings({ databaseUrl: line.url, databaseConnections: 3 });
    service = await startTestService({}, { database: await openServiceDatabase(settings, direct.log) });
    page = (await createPage(service)).id;
  });
  afterAll(async () => {
    await service.stop();
    await line.close();
    await direct.close();
  });

  const preview = `query ($page: ID!, $input: NoticeChangeInput!) {
    previewPublication(pageId: $page, input: $input) { hash } }`;
  const requests: Record<string, () => Promise<TestResponse>> = {
    read: () => service.get(`/v1/pages/${page}`),
    list: () => service.get(`/v1/pages/${page}/notices`),
    query: () => service.graphql(`{ page(id: "${page}") { name notices { nodes { subject } } } }`),
    anonymous: () => service.graphql(`{ page(id: "${page}") { name } }`, {}, { token: null }),
    // One at a time: ten would wait for ten timeouts.
    preview: () =>
      service.graphql(preview, { page, input: { openIncident: { subject: 'Slow', shouldPublish: true } } }),
    write: () => service.post(`/v1/pages/${page}/components`, { name: 'API' }),
    readiness: () => service.get('/readyz'),
  };
  const describeResponse = ({ status, json }: TestResponse) => json?.errors?.[0]?.extensions.code ?? status;

  test('requests are refused as unavailable, however many wait, and are answered when it is back', async () => {
    for (const [name, request] of Object.entries(requests))
      expect([name, (await request()).status < 300]).toEqual([name, true]);
    line.silence();
    const waiting = Object.entries(requests)
      .filter(([name]) => name !== 'readiness')
      .flatMap(([name, request]) => Array.from({ length: 10 }, async () => [name, describeResponse(await request())]));
    for (const [name, result] of await Promise.all(waiting))
      expect([name, [503, 'UNAVAILABLE']]).toEqual([name, expect.arrayContaining([result])]);
    expect((await requests.readiness!()).text).toBe('database unavailable\n');
    line.resume();
    for (let tries = 0; tries < 300 && (await requests.readiness!()).status !== 200; tries += 1)
      await new Promise(done => setTimeout(done, 100));
    for (const [name, request] of Object.entries(requests))
      expect([name, (await request()).status < 300]).toEqual([name, true]);
  }, 30_000);
});
