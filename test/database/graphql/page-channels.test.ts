import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startReceiver } from '../../support/http-receiver.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { createPage } from '../../support/factories.js';
import { startTestService, type TestService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';
import { codesByField } from '../../support/user-errors.js';

let service: TestService;
let mailServer: MailServer;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let providerResponse: { status?: number; body?: unknown } = {};
let page: string;
beforeAll(async () => {
  mailServer = await startMailServer();
  receiver = await startReceiver(() => providerResponse);
  const smsUrl = receiver.url.replace('://', '://AC1:sms-secret@');
  service = await startTestService({ ...withChannels, smtpUrl: mailServer.url, smsUrl });
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
  await mailServer.stop();
});
beforeEach(async () => {
  providerResponse = {};
  receiver.requests.length = 0;
  page = (await createPage(service, { name: 'Meridian', support_email: 'help@meridian.example' })).id;
});
afterEach(() => {
  service.settings.allowPrivateTargets = true;
});

test('channels says what each channel of the service is called and how it is configured', async () => {
  const { json } = await service.graphql(
    '{ channels { channel label address settings urlHint } }',
    {},
    { token: null },
  );
  const webhook = { address: 'WEBHOOK', settings: [], urlHint: expect.any(String) };
  expect(json).toEqual({
    data: {
      channels: [
        {
          channel: 'EMAIL',
          label: 'E-mail',
          address: 'EMAIL_ADDRESS',
          urlHint: null,
          settings: ['SMTP_URL', 'MAIL_FROM'],
        },
        { channel: 'SMS', label: 'SMS', address: 'PHONE_NUMBER', settings: ['SMS_URL', 'SMS_FROM'], urlHint: null },
        { channel: 'SLACK', label: 'Slack', ...webhook },
        { channel: 'TEAMS', label: 'Microsoft Teams', ...webhook },
        { channel: 'DISCORD', label: 'Discord', ...webhook },
        { channel: 'MASTODON', label: 'Mastodon', ...webhook, address: 'SERVER' },
        { channel: 'WEBHOOK', label: 'Webhooks', address: 'WEBHOOKS', settings: [], urlHint: null },
        { channel: 'PUSH', label: 'Push messages', address: 'BROWSERS', settings: [], urlHint: null },
      ],
    },
  });
});

const channelFields = 'channels { channel isConfigured isActive host testedAt testOutcome testResponse }';
const run = async (verb: string, type: string, input: object, selection: string) => {
  const { json } = await service.graphql(
    `mutation($page: ID!, $input: ${type}!) { ${verb}(pageId: $page, input: $input) { ${selection} } }`,
    { page, input },
  );
  return json;
};
const configure = (input: object) =>
  run('configureChannel', 'ConfigureChannelInput', input, `page { ${channelFields} }`);
const remove = (channel: string) =>
  run('removeChannel', 'RemoveChannelInput', { channel }, `page { ${channelFields} }`);
const testChannel = (input: object) =>
  run('testChannel', 'TestChannelInput', input, `outcome response page { ${channelFields} }`);
const channels = async () =>
  (await service.graphql(`query($page: ID!) { page(id: $page) { ${channelFields} } }`, { page })).json.data.page
    .channels;
const one = async (name: string) => (await channels()).find(({ channel }: { channel: string }) => channel === name);

describe('the channels of a page', () => {
  test('are eight, of which e-mail and SMS are configured for the whole service', async () => {
    const nothing = {
      isActive: false,
      isConfigured: false,
      host: null,
      testedAt: null,
      testOutcome: null,
      testResponse: null,
    };
    expect(await channels()).toEqual([
      { ...nothing, channel: 'EMAIL', isConfigured: true, isActive: true },
      { ...nothing, channel: 'SMS', isConfigured: true, isActive: true },
      { ...nothing, channel: 'SLACK' },
      { ...nothing, channel: 'TEAMS' },
      { ...nothing, channel: 'DISCORD' },
      { ...nothing, channel: 'MASTODON' },
      { ...nothing, channel: 'WEBHOOK', isConfigured: true, isActive: true },
      { ...nothing, channel: 'PUSH', isConfigured: true, isActive: true },
    ]);
  });

  test('are configured and removed independently, on their own page', async () => {
    const other = (await createPage(service, { name: 'Other' })).id;
    const json = await configure({ channel: 'SLACK', url: 'https://hooks.slack.com/services/T0/B0/x' });
    expect(json.data.configureChannel.page.channels[2]).toMatchObject({
      channel: 'SLACK',
      isConfigured: true,
      isActive: true,
      host: 'hooks.slack.com',
    });
    expect((await service.get(`/v1/pages/${page}`)).json.response).toMatchObject({
      send_notifications_by_chat_a: true,
      send_notifications_by_chat_b: false,
    });
    expect((await service.get(`/v1/pages/${other}`)).json.response).toMatchObject({
      send_notifications_by_chat_a: false,
    });
    expect((await remove('SLACK')).data.removeChannel.page.channels[2]).toMatchObject({
      isConfigured: false,
      host: null,
    });
    expect((await remove('SLACK')).errors[0].extensions.code).toBe('CONFLICT');
  });

  test('do not reveal their secrets, not even in errors', async () => {
    await configure({ channel: 'SLACK', url: `${receiver.url}/services/hook-secret?k=query-secret` });
    await configure({ channel: 'MASTODON', url: 'https://mastodon.example/some/where', token: 'token-secret' });
    providerResponse = { status: 404, body: 'nothing at /services/hook-secret?k=query-secret' };
    const readable = [
      await testChannel({ channel: 'SLACK' }),
      await configure({ channel: 'MASTODON', url: 'https://user:password-secret@mastodon.example', token: 'x' }),
      await channels(),
      (await service.get(`/v1/pages/${page}`)).json,
    ];
    expect(JSON.stringify(readable)).not.toMatch(/secret/);
    expect(JSON.stringify(readable)).toContain('mastodon.example');
    // A filter would reveal them letter by letter.
    const { json } = await service.graphql('{ __type(name: "PageChannelFilter") { name } }');
    expect(json.data.__type).toBeNull();
  });
});

describe('configureChannel', () => {
  test.each([
    '',
    'hooks.slack.com',
    'ftp://hooks.slack.com/x',
    'https://a:b@hooks.slack.com/x',
    'https://',
    'javascript:alert(1)',
    `https://a.example/${'x'.repeat(2_000)}`,
  ])('refuses the address %.40s', async url => {
    expect(codesByField(await configure({ channel: 'TEAMS', url }))).toHaveProperty('url');
    expect((await one('TEAMS')).isConfigured).toBe(false);
  });

  test('refuses http, unless private targets are allowed', async () => {
    service.settings.allowPrivateTargets = false;
    expect(codesByField(await configure({ channel: 'TEAMS', url: 'http://chat.example/x' }))).toEqual({
      url: ['INVALID'],
    });
    service.settings.allowPrivateTargets = true;
    expect((await configure({ channel: 'TEAMS', url: 'http://chat.example/x' })).errors).toBeUndefined();
  });

  test('refuses a channel of the whole service', async () => {
    expect(codesByField(await configure({ channel: 'EMAIL', url: 'https://a.example' }))).toEqual({
      channel: ['NOT_IN_LIST'],
    });
    expect(codesByField(await remove('SMS'))).toEqual({ channel: ['NOT_IN_LIST'] });
  });

  test('refuses Mastodon without a token, and a stored token for another server', async () => {
    const mastodon = { channel: 'MASTODON', url: 'https://mastodon.example' };
    expect(codesByField(await configure(mastodon))).toEqual({ token: ['BLANK'] });
    expect(codesByField(await configure({ ...mastodon, token: 'a\r\nb' }))).toEqual({ token: ['INVALID'] });
    expect((await configure({ ...mastodon, token: 'abc' })).errors).toBeUndefined();
    expect((await configure(mastodon)).errors).toBeUndefined();
    expect(codesByField(await configure({ ...mastodon, url: 'https://evil.example' }))).toEqual({
      token: ['BLANK'],
    });
    const [row] = await service.database.query<{ target: object }>(
      "select target from channel_target where page_id = $1 and channel = 'social'",
      [page],
    );
    expect(row!.target).toEqual({ url: 'https://mastodon.example', token: 'abc' });
  });
});

describe('testChannel', () => {
  test('sends at once, and the page shows the outcome until the channel changes', async () => {
    await configure({ channel: 'SLACK', url: `${receiver.url}/hook` });
    const { testChannel: result } = (await testChannel({ channel: 'SLACK' })).data;
    expect(result).toMatchObject({ outcome: 'SENT', response: '200 ok' });
    expect(result.page.channels[2]).toMatchObject({
      testOutcome: 'SENT',
      testResponse: '200 ok',
      testedAt: expect.stringMatching(/Z$/),
    });
    expect(receiver.requests).toHaveLength(1);
    expect(JSON.parse(receiver.requests[0]!.body).text).toBe('Meridian: Test message (Announcement)');
    providerResponse = { status: 410, body: 'channel_is_archived' };
    expect((await testChannel({ channel: 'SLACK' })).data.testChannel).toMatchObject({
      outcome: 'REFUSED',
      response: '410 channel_is_archived',
    });
    await configure({ channel: 'SLACK', url: `${receiver.url}/other` });
    expect(await one('SLACK')).toMatchObject({ testedAt: null, testOutcome: null, testResponse: null });
  });

  test.each([
    ['PUSH', 'subscribe your own browser on the page'],
    ['WEBHOOK', 'test one by `testWebhook`'],
  ])('is refused for %s, whose recipients it could not name, and stores nothing', async (channel, what) => {
    const json = await testChannel({ channel });
    expect(codesByField(json)).toEqual({ channel: ['NOT_APPLICABLE'] });
    expect(json.errors[0].extensions.userErrors[0].message).toBe(
      `\`channel\` must not be ${channel}, which has any number of recipients: ${what}.`,
    );
    expect(await service.database.query('select 1 from channel_target where page_id = $1', [page])).toEqual([]);
    expect(await one(channel)).toMatchObject({ testedAt: null });
  });

  test('lifts a suspension only when the provider accepts the message', async () => {
    await configure({ channel: 'SLACK', url: `${receiver.url}/hook` });
    await service.database.query(
      `insert into recipient_refusals (page_id, channel, address, count, response, suspended_at)
       values ($1, 'chatA', 'Slack', 3, '404 no_service', now())`,
      [page],
    );
    const readSuspension = async () =>
      (await service.database.query('select 1 from recipient_refusals where page_id = $1', [page])).length;
    for (const [status, count] of [
      [404, 1],
      [503, 1],
      [200, 0],
    ] as const) {
      providerResponse = { status };
      await testChannel({ channel: 'SLACK' });
      expect([status, await readSuspension()]).toEqual([status, count]);
    }
  });

  test('says the same of a private host and of an unknown one', async () => {
    const answers = [];
    for (const host of ['localhost', 'unknown.invalid']) {
      service.settings.allowPrivateTargets = true;
      await configure({ channel: 'SLACK', url: `https://${host}/hook` });
      service.settings.allowPrivateTargets = false;
      const { outcome, response } = (await testChannel({ channel: 'SLACK' })).data.testChannel;
      answers.push({ outcome, response: response.replace(host, 'HOST') });
    }
    expect(answers[0]).toEqual({
      outcome: 'FAILED',
      response: 'HOST does not resolve to a public address. ALLOW_PRIVATE_TARGETS=true allows private ones.',
    });
    expect(answers[1]).toEqual(answers[0]);
  });

  test('uses the language of the page', async () => {
    await service.patch(`/v1/pages/${page}`, { locale: 'de' });
    await configure({ channel: 'TEAMS', url: `${receiver.url}/hook` });
    await testChannel({ channel: 'TEAMS' });
    expect(receiver.requests[0]!.body).toContain('Dies ist ein Test');
  });

  test('sends e-mail and SMS to the given recipient', async () => {
    expect((await testChannel({ channel: 'EMAIL', to: 'me@example.com' })).data.testChannel).toMatchObject({
      outcome: 'SENT',
      response: '250 taken',
    });
    expect(mailServer.mails.at(-1)).toMatchObject({ from: 'status@example.com', to: ['me@example.com'] });
    expect((await testChannel({ channel: 'SMS', to: '+49 170 1234567' })).data.testChannel.outcome).toBe('SENT');
    expect(new URLSearchParams(receiver.requests[0]!.body).get('To')).toBe('+491701234567');
    expect((await one('EMAIL')).testOutcome).toBe('SENT');
    expect(codesByField(await testChannel({ channel: 'EMAIL' }))).toEqual({ to: ['BLANK'] });
    expect(codesByField(await testChannel({ channel: 'SMS', to: 'me' }))).toEqual({ to: ['INVALID'] });
  });

  test('is refused for a channel that is not configured, or that leads to a private address', async () => {
    expect((await testChannel({ channel: 'MASTODON' })).errors[0].extensions.code).toBe('CONFLICT');
    await configure({ channel: 'SLACK', url: `${receiver.url}/hook` });
    service.settings.allowPrivateTargets = false;
    expect((await testChannel({ channel: 'SLACK' })).data.testChannel).toMatchObject({
      outcome: 'REFUSED',
      response: 'Only https URLs are allowed.',
    });
    expect(receiver.requests).toEqual([]);
  });
});
