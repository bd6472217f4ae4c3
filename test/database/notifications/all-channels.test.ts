import { afterAll, beforeAll, expect, test } from '@jest/globals';
import PostalMime from 'postal-mime';
import { openChannels, type OpenChannels } from '../../../src/server/open-channels.js';
import { startNotifications } from '../../../src/server/start-notifications.js';
import { startReceiver } from '../../support/http-receiver.js';
import { loadDeliveries, createPublishingPage } from '../../support/ledger.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { startTestService, type TestService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';
import { waitUntil } from '../../support/wait-until-equal.js';

/** The way of a notice to its recipients with a real worker, real channels and real servers. */
type Receiver = Awaited<ReturnType<typeof startReceiver>>;
let service: TestService;
let mailServer: MailServer;
let gateway: Receiver;
let chat: Receiver;
let mastodon: Receiver;
let channels: OpenChannels;
let stop: () => Promise<void>;
beforeAll(async () => {
  mailServer = await startMailServer();
  gateway = await startReceiver(() => ({ status: 201, body: { sid: 'SM1', status: 'queued' } }));
  chat = await startReceiver();
  mastodon = await startReceiver(() => ({ body: { id: String(100 + mastodon.requests.length) } }));
  const smsUrl = gateway.url.replace('://', '://AC1:secret@');
  service = await startTestService({ ...withChannels, smtpUrl: mailServer.url, smsUrl });
  channels = openChannels(service.settings);
  stop = startNotifications(service.database, service.settings, channels);
});
afterAll(async () => {
  await stop();
  await channels.close();
  await service.stop();
  for (const server of [mailServer, gateway, chat, mastodon]) await server.stop();
});

const loadStates = async (page: string) =>
  (await loadDeliveries(service.database, page)).map(({ channel, state }) => `${channel} ${state}`);
const waitUntilSettled = (page: string, count: number) =>
  waitUntil(
    () => loadStates(page),
    states => states.length === count && states.every(state => !/pending|sending/.test(state)),
  );

const configureChannel = `mutation($page: ID!, $input: ConfigureChannelInput!) {
  configureChannel(pageId: $page, input: $input) { page { id } }
}`;

test('a notice is sent once over every active channel, and its updates in the same thread', async () => {
  const page = await createPublishingPage(service, {}, []);
  const configure = (input: object) =>
    service.graphql(configureChannel, {
      page: page.id,
      input,
    });
  await configure({ channel: 'SLACK', url: `${chat.url}/slack` });
  await configure({ channel: 'TEAMS', url: `${chat.url}/teams` });
  await configure({ channel: 'MASTODON', url: mastodon.url, token: 'abc' });
  await page.subscribe('ada@example.com');
  await page.subscribe('+491701234567');

  const notice = await page.notice({ initial_comment: 'We **look**.' });
  const all = ['chatA', 'chatB', 'email', 'sms', 'social'];
  expect((await waitUntilSettled(page.id, 5)).toSorted()).toEqual(all.map(channel => `${channel} sent`));
  await page.update(notice, 'Found it.');
  // An update between opening and closing is not sent by SMS.
  expect((await waitUntilSettled(page.id, 9)).filter(state => state.startsWith('sms'))).toEqual(['sms sent']);

  const mails = await Promise.all(mailServer.mails.map(({ raw }) => PostalMime.parse(raw)));
  expect(mails.map(({ subject, to }) => [to![0]!.address, subject])).toEqual([
    ['ada@example.com', '[Investigating] Payments fail – Meridian'],
    ['ada@example.com', '[Investigating] Payments fail – Meridian'],
  ]);
  expect(mails[0]!.references).toBe(mails[1]!.references);
  expect(mails[1]!.text).toMatch(/Found it\.[\s\S]*We look\./);
  expect(chat.requests.map(({ path }) => path).toSorted()).toEqual(['/slack', '/slack', '/teams', '/teams']);
  expect(new URLSearchParams(gateway.requests.find(({ method }) => method === 'POST')!.body).get('Body')).toContain(
    'We look.',
  );
  expect(mastodon.requests.map(({ body }) => JSON.parse(body).in_reply_to_id)).toEqual([undefined, '101']);

  // The List-Unsubscribe link of the e-mail works, and is bound to the address that it was sent to.
  const unsubscribeUrl = new URL(
    /<(.*)>/.exec(mails[1]!.headers.find(({ key }) => key === 'list-unsubscribe')!.value)![1]!,
  );
  expect(unsubscribeUrl.pathname).toMatch(/\/unsubscribe\/\w+\.\.\w+\.[\w-]{22}$/);
  const unsubscription = await service.call('POST', `/status/${page.id}${unsubscribeUrl.pathname}`, {
    token: null,
    form: 'List-Unsubscribe=One-Click',
  });
  expect(unsubscription.status).toBe(200);
  await page.update(notice, 'Done.');
  expect((await waitUntilSettled(page.id, 12)).filter(state => state.startsWith('email'))).toHaveLength(2);
});

test('a connection error is recorded with the attempt, without the secret of the webhook', async () => {
  const page = await createPublishingPage(service, {}, []);
  await service.graphql(configureChannel, {
    page: page.id,
    input: { channel: 'SLACK', url: `${mastodon.url.replace(/\d+$/, '1')}/hook-secret` },
  });
  await page.notice();
  await waitUntilSettled(page.id, 1);
  const [delivery] = await loadDeliveries(service.database, page.id);
  expect(delivery).toMatchObject({ channel: 'chatA', state: 'retrying' });
  const [attempt] = await service.database.query<{ outcome: string; response: string }>(
    'select outcome, response from attempt where delivery_id = $1',
    [delivery!.id],
  );
  expect(attempt).toEqual({ outcome: 'failed', response: expect.stringContaining('ECONNREFUSED') });
  expect(JSON.stringify(attempt)).not.toContain('secret');
});
