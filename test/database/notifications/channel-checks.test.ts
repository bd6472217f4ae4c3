import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
  registerChannelChecks,
  requestChannelChecks,
  runDueChannelChecks,
} from '../../../src/notifications/failures/channel-checks.js';
import { endFailures, raiseFailures } from '../../../src/notifications/failures/channel-failures.js';
import { postChannelChanges } from '../../../src/notifications/failures/operator-webhook.js';
import { openChannels, type OpenChannels } from '../../../src/server/open-channels.js';
import { startNotifications } from '../../../src/server/start-notifications.js';
import { startReceiver } from '../../support/http-receiver.js';
import { createPublishingPage, fanOutAll } from '../../support/ledger.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { useOwnService } from '../../support/service.js';
import { createTestSettings, withChannels } from '../../support/settings.js';
import { waitUntil } from '../../support/wait-until-equal.js';

/** Mail and SMS are verified before they are needed, and the operator hears of it by a webhook. */
const service = useOwnService(withChannels);
let mailServer: MailServer;
let gateway: Awaited<ReturnType<typeof startReceiver>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let password: string;
let gatewayStatus: number;
let receiverStatus: number;
let channels: OpenChannels;
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let settings: ReturnType<typeof createTestSettings>;
beforeEach(async () => {
  for (const table of ['channel_check', 'channel_failure', 'publication', 'operator_mail'])
    await service.database.query(`delete from ${table}`);
  page = await createPublishingPage(service, {}, []);
  [password, gatewayStatus, receiverStatus] = ['secret', 200, 200];
  mailServer = await startMailServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) =>
      auth.password === password ? done(null, { user: 1 }) : done(new Error('Password has expired')),
  });
  gateway = await startReceiver(() => ({ status: gatewayStatus, body: {} }));
  receiver = await startReceiver(() => ({ status: receiverStatus }));
  settings = createTestSettings({
    ...withChannels,
    smtpUrl: `smtp://user:secret@127.0.0.1:${mailServer.port}`,
    smsUrl: gateway.url.replace('://', '://AC1:sms-secret@'),
    operatorWebhookUrl: `${receiver.url}/hook`,
    operatorEmail: 'ops@acme.example',
  });
  channels = openChannels(settings);
});
afterEach(async () => {
  await channels.close();
  for (const server of [mailServer, gateway, receiver]) await server.stop();
});

const warnings: unknown[] = [];
const withLog = () => ({
  query: service.database.query,
  log: { ...service.database.log, warn: (...line: unknown[]) => warnings.push(line) } as never,
});
const makeDue = () =>
  service.database.query(
    `update channel_check
     set due_at = now() - make_interval(secs => 1), announce_due_at = now() - make_interval(secs => 1)`,
  );
const check = () => runDueChannelChecks(withLog(), channels.adapters);
const readChecks = () =>
  service.database.query<{ channel: string; error: string | null; seconds: number; isFailing: boolean }>(
    `select channel, error, failing_since is not null as "isFailing",
       round(extract(epoch from due_at - clock_timestamp()) / 60)::integer as minutes
     from channel_check order by channel`,
  );
const askChannels = async () => {
  const { json } = await service.graphql(`{ page(id: "${page.id}") { channels { channel failingSince failure } } }`);
  return json.data.page.channels
    .filter(({ failingSince }: { failingSince: string | null }) => failingSince)
    .map(({ channel, failure }: Record<string, string>) => `${channel} ${failure}`);
};
const readPosts = () => receiver.requests.map(({ body }) => JSON.parse(body));

test('a password that has expired is found with no message sent, and again when it works', async () => {
  warnings.length = 0;
  await registerChannelChecks(service.database, channels.adapters);
  await check();
  expect(await readChecks()).toEqual([
    { channel: 'email', error: null, isFailing: false, minutes: 1440 },
    { channel: 'sms', error: null, isFailing: false, minutes: 1440 },
  ]);
  expect(gateway.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /2010-04-01/Accounts/AC1.json',
  ]);
  expect(mailServer.mails).toEqual([]);
  [password, gatewayStatus] = ['another', 401];
  // Not due before tomorrow.
  await check();
  expect(await askChannels()).toEqual([]);
  await makeDue();
  await check();
  await makeDue();
  await check();
  expect(await askChannels()).toEqual([
    expect.stringMatching(/^EMAIL The mail server refused AUTH \w+: 535 .*Password has expired/),
    'SMS The SMS gateway refuses the account and token of SMS_URL: HTTP 401.',
  ]);
  expect((await readChecks()).map(({ isFailing }) => isFailing)).toEqual([true, true]);
  const { text } = await service.get('/metrics');
  expect(text).toContain('all_clear_channel_check_failed{channel="E-mail"} 1');
  [password, gatewayStatus] = ['secret', 200];
  await makeDue();
  await check();
  expect(await askChannels()).toEqual([]);
  expect(warnings.map(line => (line as unknown[])[1])).toEqual([
    'a channel cannot be verified',
    'a channel cannot be verified',
    'a channel is verified again',
    'a channel is verified again',
  ]);
});

test('of two processes one verifies, and a channel that is not configured any more is forgotten', async () => {
  await registerChannelChecks(service.database, channels.adapters);
  await Promise.all([check(), check()]);
  expect([mailServer.connections, gateway.requests.length]).toEqual([1, 1]);
  const others = openChannels({ ...settings, smsUrl: '' });
  await registerChannelChecks(service.database, others.adapters);
  await others.close();
  expect((await readChecks()).map(({ channel }) => channel)).toEqual(['email']);
});

test('a channel that could not be reached is verified at once, and not again within half a minute', async () => {
  await registerChannelChecks(service.database, channels.adapters);
  await check();
  await requestChannelChecks(service.database, ['email']);
  await check();
  expect(mailServer.connections).toBe(1);
  await service.database.query(`update channel_check set checked_at = checked_at - interval '1 minute'`);
  await requestChannelChecks(service.database, ['email']);
  await check();
  expect([mailServer.connections, gateway.requests.length]).toEqual([2, 1]);
});

const webhook = () => ({
  url: settings.operatorWebhookUrl,
  link: 'http://console.example',
  post: channels.postToOperator,
});

test('the operator hears once that a channel fails, and once that it works again', async () => {
  await registerChannelChecks(service.database, channels.adapters);
  await page.subscribe('ada@customer.example');
  await page.notice();
  await fanOutAll(service.database);
  const failure = { pageId: page.id, channel: 'email' as const, publicationId: 1 };
  const post = async () => {
    await Promise.all([postChannelChanges(withLog(), webhook()), postChannelChanges(withLog(), webhook())]);
    return readPosts();
  };
  expect(await post()).toEqual([]);
  await raiseFailures(service.database, [{ ...failure, response: '550 5.7.1 No relay for <ada@customer.example>' }]);
  receiverStatus = 503;
  expect(await post()).toHaveLength(1);
  // It is tried again later.
  expect(await post()).toHaveLength(1);
  receiverStatus = 200;
  await makeDue();
  expect(await post()).toHaveLength(2);
  expect((await post()).slice(1)).toEqual([
    {
      event: 'channel.fails',
      channel: 'E-mail',
      link: 'http://console.example',
      pages: 1,
      reason: '550 5.7.1 No relay for <[…]>',
      since: expect.any(String),
      waiting: expect.any(Number),
      text: expect.stringMatching(/^E-mail fails: 550 5\.7\.1 No relay for <\[…\]>\. Waiting: \d+\.$/),
    },
  ]);
  await raiseFailures(service.database, [{ ...failure, response: '550 5.7.1 No relay' }]);
  expect(await post()).toHaveLength(2);
  await service.database.query(`update channel_failure set refused_at = refused_at - interval '2 minutes'`);
  await endFailures(service.database, ['email']);
  expect((await post()).slice(2)).toMatchObject([{ event: 'channel.works', text: 'E-mail works again. Waiting: 1.' }]);
  expect(await post()).toHaveLength(3);
});

test('the failing channel is reported once, where mail is what fails', async () => {
  password = 'another';
  const stop = startNotifications(service.database, settings, channels);
  await waitUntil(
    async () => readPosts(),
    posts => posts.length > 0,
  );
  await page.subscribe('ada@customer.example');
  await page.notice();
  await waitUntil(
    () => page.deliveries(),
    ([delivery]) => delivery?.state === 'retrying',
  );
  await stop();
  await makeDue();
  await check();
  await postChannelChanges(withLog(), webhook());
  expect(readPosts()).toMatchObject([
    { event: 'channel.fails', channel: 'E-mail', reason: expect.stringMatching(/535/) },
  ]);
});
