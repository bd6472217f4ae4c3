import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { openChannels, type OpenChannels } from '../../../src/server/open-channels.js';
import { startNotifications } from '../../../src/server/start-notifications.js';
import { createSuspensionMails } from '../../../src/notifications/delivery/suspension-report.js';
import { type SendMail, sendOperatorMails } from '../../../src/notifications/operator-mail/operator-mail.js';
import { type ReceivedRequest, startReceiver } from '../../support/http-receiver.js';
import { createPublishingPage, wakeWorkers } from '../../support/ledger.js';
import { startTestService, type TestService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';
import { waitUntil } from '../../support/wait-until-equal.js';

/** Webhooks with a real worker, the real channel and a real receiver. */
let service: TestService;
let channels: OpenChannels;
let stop: () => Promise<void>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let respond: (request: ReceivedRequest) => { status?: number; headers?: Record<string, string> };
let page: Awaited<ReturnType<typeof createPublishingPage>>;
beforeAll(async () => {
  receiver = await startReceiver(request => respond(request));
  service = await startTestService({ ...withChannels, smtpUrl: '', mailFrom: '' });
  channels = openChannels(service.settings);
  stop = startNotifications(service.database, service.settings, channels);
});
afterAll(async () => {
  await stop();
  await channels.close();
  await service.stop();
  await receiver.stop();
});
beforeEach(async () => {
  receiver.requests.length = 0;
  respond = () => ({});
  page = await createPublishingPage(service, {}, []);
});

async function create(input: object = {}): Promise<{ id: string; secret: string; publicKey: string }> {
  const { json } = await service.graphql(
    `mutation($page: ID!, $input: CreateWebhookInput!) {
       createWebhook(pageId: $page, input: $input) { webhook { id publicKey } secret } }`,
    { page: page.id, input: { url: `${receiver.url}/hook/secret-path`, ...input } },
  );
  const { webhook, secret } = json.data.createWebhook;
  return { ...webhook, secret };
}

const waitForStates = (...states: string[]) =>
  waitUntil(page.deliveries, deliveries => deliveries.map(({ state }) => state).join() === states.join());
async function makeDue(id: string, tries: number): Promise<void> {
  await service.database.query(
    'update delivery set due_at = now() - make_interval(secs => 1), tries = $2 where id = $1',
    [id, tries],
  );
  wakeWorkers(service.database, page.id);
}
const readSuspension = async (id: string) =>
  (await service.graphql(`{ webhook(id: "${id}") { suspendedAt suspensionReason } }`)).json.data.webhook;
const headersOf = ({ headers }: ReceivedRequest) => headers as Record<string, string>;

function verifyByKey(publicKey: string, { headers, body }: ReceivedRequest): boolean {
  const x = Buffer.from(publicKey.replace('whpk_', ''), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signature = /\bv1a,(\S+)/.exec(String(headers['webhook-signature']))![1]!;
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return verify(null, Buffer.from(content), key, Buffer.from(signature, 'base64'));
}

test('the package standardwebhooks verifies a request, and its id is the same in the next attempt', async () => {
  respond = () => ({ status: receiver.requests.length === 1 ? 500 : 200 });
  const { secret, publicKey } = await create();
  const notice = await page.notice({ initial_comment: 'We look.' });
  const [delivery] = await waitForStates('retrying');
  await makeDue(delivery!.id, 1);
  await waitForStates('sent');
  await page.update(notice, 'Found.');
  await waitForStates('sent', 'sent');

  const [failed, sent, next] = receiver.requests as [ReceivedRequest, ReceivedRequest, ReceivedRequest];
  const first = new Webhook(secret).verify(failed.body, headersOf(failed));
  expect(first).toMatchObject({ type: 'notice.published', data: { latest_update: { content: 'We look.' } } });
  expect(new Webhook(secret).verify(sent.body, headersOf(sent))).toEqual(first);
  expect(new Webhook(secret).verify(next.body, headersOf(next))).toMatchObject({ type: 'notice.updated' });
  const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([expect.stringMatching(/^msg_[\w-]{36}$/), ids[0], expect.not.stringMatching(String(ids[0]))]);
  expect([verifyByKey(publicKey, failed), verifyByKey(publicKey, { ...failed, body: `${failed.body} ` })]).toEqual([
    true,
    false,
  ]);
  expect(() =>
    new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(sent.body, headersOf(sent)),
  ).toThrow();
});

test('during a rotation both secrets verify, and afterwards the new one alone', async () => {
  const { id, secret: old } = await create();
  const { json } = await service.graphql(`mutation { rotateWebhookSecret(id: "${id}") { secret } }`);
  const { secret } = json.data.rotateWebhookSecret;
  await page.notice();
  await waitForStates('sent');
  await service.database.query(`update webhook set rotated_at = rotated_at - interval '25 hours'`);
  await page.notice();
  await waitForStates('sent', 'sent');
  const verifies = (by: string, { body, headers }: ReceivedRequest) => {
    try {
      return Boolean(new Webhook(by).verify(body, headers as Record<string, string>));
    } catch {
      return false;
    }
  };
  expect(receiver.requests.map(request => [verifies(old, request), verifies(secret, request)])).toEqual([
    [true, true],
    [false, true],
  ]);
});

test('410 suspends a webhook at once; the owners are told, and it is skipped until it is resumed', async () => {
  respond = () => ({ status: 410 });
  const { id } = await create();
  await page.notice();
  await waitForStates('dead');
  expect(await readSuspension(id)).toEqual({ suspendedAt: expect.any(String), suspensionReason: '410 ok' });
  const mails: Parameters<SendMail>[0][] = [];
  const send: SendMail = async mail => void mails.push(mail);
  await sendOperatorMails(
    service.database,
    createSuspensionMails(service.database, 'ops@acme.example', 'https://console.example'),
    send,
  );
  expect(mails[0]!.text).toContain(`https://console.example/console/pages/${page.id}/channels`);
  expect(mails[0]!.text).not.toMatch(/mutation|says three times/);
  await page.notice();
  await waitForStates('dead', 'skipped');
  respond = () => ({});
  await service.graphql(`mutation { resumeWebhook(id: "${id}") { page { id } } }`);
  await page.notice();
  await waitForStates('dead', 'skipped', 'sent');
});

test.each([301, 400, 404, 503])(
  'HTTP %i is tried again, and the last attempt of 75 hours suspends it',
  async status => {
    respond = () => ({ status, headers: { location: receiver.url } });
    const { id } = await create();
    await page.notice();
    const [delivery] = await waitForStates('retrying');
    expect(receiver.requests).toHaveLength(1);
    await makeDue(delivery!.id, 8);
    const again = await waitUntil(page.deliveries, ([one]) => one!.state === 'retrying' && one!.tries === 9);
    expect(again[0]!.dueInSeconds).toBeGreaterThan(86_000);
    expect(await readSuspension(id)).toMatchObject({ suspendedAt: null });
    await makeDue(delivery!.id, 9);
    await waitForStates('dead');
    expect(await readSuspension(id)).toMatchObject({ suspensionReason: `${status} ok` });
  },
);

test('Retry-After delays the next attempt', async () => {
  respond = () => ({ status: 429, headers: { 'retry-after': '600' } });
  await create();
  await page.notice();
  const [delivery] = await waitForStates('retrying');
  expect(delivery!.dueInSeconds).toBeGreaterThan(590);
});

test('a webhook of components gets their notices alone, and one in the format of Statuspage no announcement', async () => {
  const checkout = await page.component('Checkout');
  const search = await page.component('Search');
  await create({ componentIds: [checkout], url: `${receiver.url}/checkout` });
  await create({ format: 'STATUSPAGE', url: `${receiver.url}/statuspage` });
  await page.notice({ subject: 'Search fails', component_ids: [search] });
  await page.notice({ subject: 'Checkout fails', component_ids: [checkout] });
  await page.notice({ subject: 'News', type: 'general' });
  await waitForStates('sent', 'sent', 'sent', 'sent');
  const received = receiver.requests.map(({ path, body }) => {
    const { data, incident } = JSON.parse(body);
    return [path, data?.notice.subject ?? incident.name];
  });
  expect(received.toSorted()).toEqual([
    ['/checkout', 'Checkout fails'],
    ['/checkout', 'News'],
    ['/statuspage', 'Checkout fails'],
    ['/statuspage', 'Search fails'],
  ]);
});

test('the ledger has the host alone, a preview counts it, and a slow webhook does not block another', async () => {
  respond = ({ path }) => ({ status: path === '/bad' ? 502 : 200 });
  await create({ url: `${receiver.url}/bad` });
  for (let count = 0; count < 6; count++) await page.notice();
  await waitUntil(page.deliveries, deliveries => deliveries.filter(({ state }) => state === 'retrying').length >= 5);
  await create();
  const { json } = await service.graphql(
    `{ previewPublication(pageId: "${page.id}", input: { openIncident: { subject: "Down", shouldPublish: true } }) {
         audience { channel count sample } messages { webhook } } }`,
  );
  const { host } = new URL(receiver.url);
  expect(json.data.previewPublication.audience).toEqual([{ channel: 'WEBHOOK', count: 2, sample: [host, host] }]);
  expect(JSON.parse(json.data.previewPublication.messages.webhook)).toMatchObject({ type: 'notice.published' });
  await page.notice();
  const deliveries = await waitUntil(page.deliveries, all => all.some(({ state }) => state === 'sent'));
  expect(JSON.stringify(deliveries)).not.toContain('secret-path');
  expect(new Set(deliveries.map(({ address }) => address))).toEqual(new Set([host]));
});
