import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { maxAgeMs } from '../../../src/core/share-result.js';
import { startReceiver } from '../../support/http-receiver.js';
import { createPublishingPage, fanOutAll } from '../../support/ledger.js';
import { startMailServer, type MailServer } from '../../support/mail-server.js';
import { startTestService, type TestService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';
import { requestPage } from '../../support/visitor.js';
import { createToken } from '../../support/tokens.js';

let service: TestService;
let mailServer: MailServer;
beforeAll(async () => {
  mailServer = await startMailServer();
  service = await startTestService({ ...withChannels, smtpUrl: mailServer.url });
});
afterAll(async () => {
  await service.stop();
  await mailServer.stop();
});

const getMetrics = (headers: Record<string, string> = {}, host = 'localhost') =>
  requestPage(service.url, host, '/metrics', { headers });

/** The values by series, such as `name{label="x"}`. */
async function readMetrics(): Promise<Map<string, number>> {
  // Not those that the request before was answered from.
  await wait(maxAgeMs + 50);
  const { text } = await getMetrics();
  return new Map(
    text
      .split('\n')
      .filter(line => line && !line.startsWith('#'))
      .map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

test('are for programs on this machine that ask by its name', async () => {
  for (const host of ['localhost', '127.0.0.1:3000', '[::1]:3000'])
    expect([host, (await getMetrics({}, host)).status]).toEqual([host, 200]);
  const refused = await getMetrics({}, 'status.example.com');
  expect([refused.status, refused.headers['www-authenticate'], refused.text]).toEqual([
    401,
    'Bearer',
    'Metrics are for this machine, and for requests with a token.\n',
  ]);
});

test('are not for clients of a proxy on this machine, whether or not it is trusted', async () => {
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host'])
    expect([name, (await getMetrics({ [name]: '127.0.0.1' })).status]).toEqual([name, 401]);
  const behindProxy = await startTestService({ trustedProxies: ['127.0.0.1'] });
  try {
    const statusFor = async (client: string) =>
      (await requestPage(behindProxy.url, 'localhost', '/metrics', { headers: { 'x-forwarded-for': client } })).status;
    expect(await statusFor('203.0.113.7')).toBe(401);
    expect(await statusFor('127.0.0.1, 203.0.113.7')).toBe(401);
    expect(await statusFor('127.0.0.1')).toBe(200);
  } finally {
    await behindProxy.stop();
  }
});

test('are for tokens with a role on all pages, from anywhere', async () => {
  const fromAnywhere = async (token: string) => {
    const { status } = await getMetrics({ authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.7' });
    return status;
  };
  expect(await fromAnywhere(service.tokens.read)).toBe(200);
  expect(await fromAnywhere('wrong')).toBe(401);
  const page = await createPublishingPage(service);
  const rights = { role: 'owner', pageIds: [page.id] } as const;
  expect(await fromAnywhere(await createToken(service.database, 'page', rights))).toBe(403);
});

test('have the depth and the age of the queue by channel and state', async () => {
  const page = await createPublishingPage(service);
  await page.subscribe('ada@example.com');
  await page.subscribe('bob@example.com');
  await page.notice();
  const before = await readMetrics();
  expect(before.get('all_clear_queue_publications')).toBe(1);
  expect(before.get('all_clear_queue_deliveries{channel="E-mail",state="pending"}')).toBe(0);
  await fanOutAll(service.database);
  await service.database.query(
    `update delivery set queued_at = clock_timestamp() - interval '90 seconds' where address = 'ada@example.com'`,
  );
  await service.database.query(`update delivery set state = 'retrying' where channel = 'chatA'`);
  const metrics = await readMetrics();
  expect(metrics.get('all_clear_queue_publications')).toBe(0);
  expect(metrics.get('all_clear_queue_deliveries{channel="E-mail",state="pending"}')).toBe(2);
  expect(metrics.get('all_clear_queue_deliveries{channel="Slack",state="retrying"}')).toBe(1);
  expect(metrics.get('all_clear_queue_deliveries{channel="SMS",state="pending"}')).toBe(0);
  const age = metrics.get('all_clear_queue_oldest_seconds{channel="E-mail",state="pending"}')!;
  expect([age >= 90, age < 600]).toEqual([true, true]);
});

test('count attempts by outcome, and channels that fail', async () => {
  const webhook = await startReceiver(() => ({ status: 404 }));
  try {
    const page = await createPublishingPage(service, {}, []);
    const configure = `mutation($page: ID!, $input: ConfigureChannelInput!) {
      configureChannel(pageId: $page, input: $input) { page { id } } }`;
    await service.graphql(configure, { page: page.id, input: { channel: 'SLACK', url: webhook.url } });
    const testChannel = `mutation($page: ID!, $input: TestChannelInput!) { testChannel(pageId: $page, input: $input) { outcome } }`;
    await service.graphql(testChannel, { page: page.id, input: { channel: 'SLACK' } });
    await service.graphql(testChannel, { page: page.id, input: { channel: 'EMAIL', to: 'ada@example.com' } });
  } finally {
    await webhook.stop();
  }
  const metrics = await readMetrics();
  expect(metrics.get('all_clear_attempts_total{channel="E-mail",outcome="sent"}')).toBe(1);
  expect(metrics.get('all_clear_attempts_total{channel="E-mail",outcome="failed"}')).toBe(0);
  expect(metrics.get('all_clear_attempts_total{channel="Slack",outcome="refused"}')).toBe(1);
  expect(metrics.get('all_clear_channels_failing{channel="Slack"}')).toBe(1);
  expect(metrics.has('all_clear_channels_failing{channel="E-mail"}')).toBe(false);
});

test('count mail as failing where it bounces, of which no process has seen a refusal', async () => {
  const page = await createPublishingPage(service, {}, []);
  const failing = async () => (await readMetrics()).get('all_clear_channels_failing{channel="E-mail"}');
  await service.database.query(
    `insert into channel_failure (page_id, channel, publication_id, response, started_at, refused_at, is_bounce)
     values ($1, 'email', 1, '550 5.7.26 DMARC', now(), now(), true)`,
    [page.id],
  );
  expect(await failing()).toBe(1);
  await service.database.query('update channel_failure set ended_at = now() where page_id = $1', [page.id]);
  expect(await failing()).toBeUndefined();
});

test('count the requests of pages and the renders', async () => {
  const page = await createPublishingPage(service);
  const name = 'http_requests_total{interface="page",status="200"}';
  const timed = 'http_request_duration_seconds_count{interface="page"}';
  const before = await readMetrics();
  for (let visit = 0; visit < 3; visit += 1) await requestPage(service.url, 'localhost', `/status/${page.id}/`);
  const after = await readMetrics();
  expect(after.get(name)! - (before.get(name) ?? 0)).toBe(3);
  expect(after.get('all_clear_page_renders_total')! - before.get('all_clear_page_renders_total')!).toBe(1);
  expect(after.get('all_clear_page_render_seconds_total')).toBeGreaterThan(0);
  expect(after.get(timed)! - (before.get(timed) ?? 0)).toBe(1);
});

test('show the database, its connections, the change feed, the tasks and what was refused', async () => {
  const metrics = await readMetrics();
  expect(metrics.get('all_clear_database_up')).toBe(1);
  for (const pool of ['service', 'anonymous'])
    for (const state of ['in_use', 'idle', 'waiting'])
      expect(metrics.get(`all_clear_database_connections{pool="${pool}",state="${state}"}`)).toBeGreaterThanOrEqual(0);
  const lag = metrics.get('all_clear_change_feed_lag_seconds')!;
  expect([lag >= 0, lag < 60]).toEqual([true, true]);
  for (const name of ['page_renders_waiting', 'api_requests_in_progress'])
    expect(metrics.get(`all_clear_${name}`)).toBe(0);
  for (const reason of ['busy', 'rate_limit'])
    expect(metrics.get(`all_clear_refused_requests_total{reason="${reason}"}`)).toBe(0);
  for (const outcome of ['rendered', 'failed', 'busy'])
    expect(metrics.get(`all_clear_theme_renders_total{outcome="${outcome}"}`)).toBe(0);
  expect(metrics.get('all_clear_connections')).toBeGreaterThanOrEqual(1);
  expect(metrics.has('nodejs_eventloop_lag_seconds')).toBe(true);
});

test('are answered without the database, with those of the process', async () => {
  const { query } = service.database;
  const refuse = () => Promise.reject(new Error('Connection terminated'));
  Object.assign(service.database, { query: refuse });
  try {
    const metrics = await readMetrics();
    expect(metrics.get('all_clear_database_up')).toBe(0);
    expect(metrics.has('all_clear_queue_publications')).toBe(false);
    expect(metrics.get('all_clear_connections')).toBeGreaterThanOrEqual(1);
  } finally {
    Object.assign(service.database, { query });
  }
});
