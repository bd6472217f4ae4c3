import { describe, expect, test } from '@jest/globals';
import { openPageChannel } from '../../../../src/notifications/channels/http/page-channel.js';
import type { SsrfGuard } from '../../../../src/http/guarded-request.js';
import { createSmsChannel, parseSmsUrl } from '../../../../src/notifications/channels/http/sms-gateway.js';
import { redact } from '../../../../src/notifications/channels/redact.js';
import { channelByName } from '../../../../src/notifications/channels/registry.js';
import type { ChannelAdapter } from '../../../../src/notifications/channels/channel-adapter.js';
import { startReceiver } from '../../../support/http-receiver.js';
import { useReceivers } from '../../../support/receivers.js';
import { createMessage, sendAll } from '../../../support/outgoing-messages.js';
import { createSnapshot } from '../../../support/message-snapshots.js';

const unguarded: SsrfGuard = { allowPrivate: true, timeoutMs: 30_000 };
const receiver = useReceivers();
const createSlackChannel = (guard: SsrfGuard) => openPageChannel(channelByName.chatA, guard);
const createTeamsChannel = (guard: SsrfGuard) => openPageChannel(channelByName.chatB, guard);
const createDiscordChannel = (guard: SsrfGuard) => openPageChannel(channelByName.discord, guard);
const createMastodonChannel = (guard: SsrfGuard) => openPageChannel(channelByName.social, guard);

const secret = 'T000/B000/verysecret';
const messageTo = (url: string, id = '1', thread: string | null = null) =>
  createMessage(id, 'the page', { recipient: { subscriberId: null, thread, target: { url, token: 'secret-token' } } });
const send = async (channel: ChannelAdapter, message = messageTo('')) =>
  (await sendAll(channel, [message])).get(message.deliveryId)!;

const responses: [status: number, headers: Record<string, string>, outcome: object][] = [
  [200, {}, { kind: 'sent' }],
  [202, {}, { kind: 'sent' }],
  [302, { location: 'http://127.0.0.1:1/' }, { kind: 'refused' }],
  [400, {}, { kind: 'refused' }],
  [404, {}, { kind: 'refused', isGone: true }],
  [410, {}, { kind: 'refused', isGone: true }],
  [408, {}, { kind: 'failed' }],
  [425, {}, { kind: 'failed' }],
  [429, { 'retry-after': '42' }, { kind: 'failed', deferral: 'rate', afterSeconds: 42 }],
  [429, { 'retry-after': '60.5' }, { kind: 'failed', deferral: 'rate', afterSeconds: 61 }],
  [429, { 'retry-after': '0.3' }, { kind: 'failed', deferral: 'rate', afterSeconds: 1 }],
  [429, { 'retry-after': '60s' }, { kind: 'failed', deferral: 'rate' }],
  [429, { 'retry-after': '-1' }, { kind: 'failed', deferral: 'rate' }],
  [401, {}, { kind: 'failed', deferral: 'sender' }],
  [500, {}, { kind: 'failed' }],
  [503, { 'retry-after': '7' }, { kind: 'failed', afterSeconds: 7, unreachable: true }],
];

describe.each([
  ['Slack', createSlackChannel],
  ['Teams', createTeamsChannel],
  ['Discord', createDiscordChannel],
  ['Mastodon', createMastodonChannel],
])('%s', (_, channel) => {
  test.each(responses)('maps status %i to an outcome, and redacts secrets', async (status, headers, outcome) => {
    const { url } = await receiver(({ path, headers: sent }) => ({
      status,
      headers,
      body: [
        `no service at ${path} ${path.replaceAll('/', '\\/')} ${path.split('/').at(-1)}`,
        `${sent.authorization} ${'x'.repeat(2_000)}`,
      ].join(' '),
    }));
    const result = await send(channel(unguarded), messageTo(`${url}/services/${secret}`));
    expect(result).toEqual({ ...outcome, response: expect.stringMatching(new RegExp(`^${status} `)) });
    expect(result.response).not.toMatch(/verysecret|secret-token/);
    expect(result.response.length).toBeLessThanOrEqual(500);
  });

  test('fails if unreachable or slow, and is refused if private or not configured', async () => {
    const stopped = await startReceiver();
    await stopped.stop();
    expect(await send(channel(unguarded), messageTo(stopped.url))).toMatchObject({
      kind: 'failed',
      unreachable: true,
      response: expect.stringContaining('ECONNREFUSED'),
    });
    const slow = await receiver(() => undefined);
    expect(await send(channel({ ...unguarded, timeoutMs: 50 }), messageTo(slow.url))).toMatchObject({
      kind: 'failed',
      unreachable: true,
    });
    expect(await send(channel({ allowPrivate: false }), messageTo('https://127.0.0.1/'))).toMatchObject({
      kind: 'refused',
    });
    expect(await send(channel(unguarded), createMessage('1', 'the page'))).toMatchObject({ kind: 'refused' });
  });
});

test('Slack and Teams get JSON at the configured URL', async () => {
  const { url, requests } = await receiver();
  await sendAll(createSlackChannel(unguarded), [messageTo(`${url}/services/${secret}`)]);
  await sendAll(createTeamsChannel(unguarded), [messageTo(`${url}/workflows/x?sig=y`)]);
  expect(requests.map(({ path, headers }) => [path, headers['content-type']])).toEqual([
    [`/services/${secret}`, 'application/json; charset=utf-8'],
    ['/workflows/x?sig=y', 'application/json; charset=utf-8'],
  ]);
  expect(JSON.parse(requests[0]!.body)).toMatchObject({ text: 'Meridian: Payments fail (Investigating)' });
  expect(JSON.parse(requests[1]!.body)).toMatchObject({ type: 'message' });
});

test('Teams reports an error in a response with status 200', async () => {
  const { url } = await receiver(() => ({
    body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId',
  }));
  expect(await send(createTeamsChannel(unguarded), messageTo(url))).toMatchObject({ kind: 'failed' });
});

const signIn = '<!DOCTYPE html><html><title>Sign in</title><form></form></html>';

test.each([
  ['Slack', createSlackChannel],
  ['Teams', createTeamsChannel],
  ['Discord', createDiscordChannel],
  ['Mastodon', createMastodonChannel],
])('%s has not been sent a message that a form to sign in answers', async (_, channel) => {
  const answers = [signIn, 'Please sign in'];
  const { url } = await receiver(() => ({ headers: { 'content-type': 'text/html' }, body: answers.shift()! }));
  for (let index = 0; index < 2; index++)
    expect(await send(channel(unguarded), messageTo(url))).toMatchObject({
      kind: 'failed',
      deferral: 'sender',
      response: expect.stringContaining('200, with a web page'),
    });
});

test('Slack says ok as HTML, and an error with status 200', async () => {
  const answers = ['ok', 'invalid_payload'];
  const { url } = await receiver(() => ({ headers: { 'content-type': 'text/html' }, body: answers.shift()! }));
  expect(await send(createSlackChannel(unguarded), messageTo(url))).toEqual({ kind: 'sent', response: '200 ok' });
  expect(await send(createSlackChannel(unguarded), messageTo(url))).toMatchObject({ kind: 'failed' });
});

test.each([
  ['{"ok": false, "error": "channel_not_found"}', { kind: 'refused' }],
  ['{"success": false}', { kind: 'refused' }],
  ['{"ok": false, "error": "ratelimited"}', { kind: 'failed', deferral: 'rate' }],
  ['{"ok": true}', { kind: 'sent' }],
  ['{"success": true}', { kind: 'sent' }],
  ['{"text": "ok: false"', { kind: 'sent' }],
])('a chat that answers 200 says in %s what became of the message', async (body, outcome) => {
  const { url } = await receiver(() => ({ body }));
  expect(await send(createSlackChannel(unguarded), messageTo(url))).toMatchObject(outcome);
});

test('a workflow of Teams that answers 202 has accepted the message, and perhaps not shown it', async () => {
  const { url } = await receiver(() => ({ status: 202, body: '' }));
  expect(await send(createTeamsChannel(unguarded), messageTo(url))).toEqual({
    kind: 'sent',
    response: '202 accepted: look into the channel whether it is there',
  });
});

describe('Mastodon', () => {
  const mastodon = () => {
    const statuses = new Map<string, object>();
    return receiver(({ headers, body }) => {
      const { in_reply_to_id } = JSON.parse(body);
      if (in_reply_to_id === 'gone')
        return { status: 404, body: { error: 'The post you are trying to reply to does not appear to exist.' } };
      const key = String(headers['idempotency-key']);
      const status = statuses.get(key) ?? { id: String(1000 + statuses.size) };
      statuses.set(key, status);
      return { body: status };
    });
  };

  test('gets the token, and an idempotency key for each delivery', async () => {
    const { url, requests } = await mastodon();
    const outcomes = [
      await send(createMastodonChannel(unguarded), messageTo(`${url}/`)),
      await send(createMastodonChannel(unguarded), messageTo(url)),
      await send(createMastodonChannel(unguarded), messageTo(url, '2')),
    ];
    expect(outcomes.map(outcome => outcome.kind === 'sent' && outcome.thread)).toEqual(['1000', '1000', '1001']);
    expect(requests[0]).toMatchObject({
      path: '/api/v1/statuses',
      headers: { authorization: 'Bearer secret-token', 'idempotency-key': '1@status.example.com' },
    });
    expect(JSON.parse(requests[0]!.body)).toEqual({
      status: expect.stringContaining('Payments fail'),
      visibility: 'public',
      language: 'en',
    });
  });

  test('gets one thread for each notice, and a new one if its first status was deleted', async () => {
    const { url, requests } = await mastodon();
    expect(await send(createMastodonChannel(unguarded), messageTo(url, '5', '77'))).toEqual({
      kind: 'sent',
      response: '200 1000',
      thread: '77',
    });
    expect(JSON.parse(requests[0]!.body).in_reply_to_id).toBe('77');
    expect(await send(createMastodonChannel(unguarded), messageTo(url, '6', 'gone'))).toEqual({
      kind: 'sent',
      response: '200 1001',
      thread: '1001',
    });
    expect(requests.slice(1).map(({ body }) => JSON.parse(body).in_reply_to_id)).toEqual(['gone', undefined]);
  });

  test('gets test messages as direct messages', async () => {
    const { url, requests } = await mastodon();
    await send(
      createMastodonChannel(unguarded),
      createMessage('t', 'the page', {
        snapshot: createSnapshot({ notice: { id: 0, token: '' } }),
        recipient: { subscriberId: null, target: { url, token: 'x' } },
      }),
    );
    await send(createMastodonChannel(unguarded), messageTo(url));
    expect(requests.map(({ body }) => JSON.parse(body).visibility)).toEqual(['direct', 'public']);
  });

  test.each(['', '1\0', 'a b', '\ud800', 'x'.repeat(101), 7, null, { a: 1 }])(
    'starts no thread with the invalid id %j',
    async id => {
      const { url } = await receiver(() => ({ body: { id } }));
      const result = await send(createMastodonChannel(unguarded), messageTo(url));
      expect([result.kind, result.kind === 'sent' && result.thread]).toEqual(['sent', undefined]);
    },
  );
});

describe('SMS', () => {
  const gateway = (url: string, from = '+15005550006') =>
    parseSmsUrl(url.replace('://', '://AC123:sms%2Fsecret@'), from);
  const message = (id = '1') => createMessage(id, '+4917012345678');

  test('is sent as a form to the account at the gateway', async () => {
    const { url, requests } = await receiver(() => ({
      status: 201,
      body: { sid: 'SM1', status: 'queued', body: 'the text', to: '+4917012345678' },
    }));
    expect(await send(createSmsChannel(gateway(url), { allowPrivate: true }), message())).toEqual({
      kind: 'sent',
      response: '201 queued SM1',
    });
    expect(requests[0]).toMatchObject({
      path: '/2010-04-01/Accounts/AC123/Messages.json',
      headers: {
        authorization: `Basic ${btoa('AC123:sms/secret')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    });
    const form = new URLSearchParams(requests[0]!.body);
    expect([form.get('To'), form.get('From')]).toEqual(['+4917012345678', '+15005550006']);
    expect(form.get('Body')).toContain('Payments fail');
  });

  test('is sent to the path of the URL, and by a messaging service if one is configured', async () => {
    const { url, requests } = await receiver();
    await send(createSmsChannel(gateway(`${url}/sms/send?v=2`, 'MG123'), { allowPrivate: true }), message());
    expect(requests[0]!.path).toBe('/sms/send?v=2');
    expect(new URLSearchParams(requests[0]!.body).get('MessagingServiceSid')).toBe('MG123');
  });

  test.each([
    [400, 21211, 'refused'],
    [400, 21610, 'refused'],
    [400, 21606, 'failed'],
    [401, 20003, 'failed'],
    [403, 0, 'failed'],
    [404, 0, 'failed'],
    [410, 0, 'refused'],
    [429, 20429, 'failed'],
    [500, 0, 'failed'],
  ])('with status %i and code %i is refused for an error of the number only', async (status, code, kind) => {
    const { url } = await receiver(({ headers }) => ({
      status,
      body: { code, message: `no: sms/secret ${btoa('sms/secret')} ${headers.authorization}` },
    }));
    const outcome = await send(createSmsChannel(gateway(url), { allowPrivate: true }), message());
    expect(outcome.kind).toBe(kind);
    expect(outcome).not.toHaveProperty('isGone');
    expect(outcome.response).toMatch(new RegExp(`^${status} ${code} no: `));
    expect(outcome.response).not.toMatch(/secret|c21zL3NlY3JldA|QUMxMjM6/);
  });

  test.each([
    [{ status: 'failed', error_code: 30_454, error_message: 'Daily cap' }, 'failed', '201 30454 Daily cap failed'],
    [{ status: 'rejected', code: 21_211 }, 'refused', '201 21211 rejected'],
    [{ status: 'queued', error_code: null }, 'sent', '201 queued'],
  ])('that a gateway took and says that it has not sent is not sent: %j', async (body, kind, response) => {
    const { url } = await receiver(() => ({ status: 201, body }));
    const outcome = await send(createSmsChannel(gateway(url), { allowPrivate: true }), message());
    expect([outcome.kind, outcome.response]).toEqual([kind, response]);
  });

  test('reports the outcome of each of many, and sends a few at a time', async () => {
    let active = 0;
    let maxActive = 0;
    const { url } = await receiver(({ body }, response) => {
      active += 1;
      maxActive = Math.max(maxActive, active);
      setImmediate(() => {
        active -= 1;
        const isInvalid = new URLSearchParams(body).get('To')!.endsWith('3');
        response.writeHead(isInvalid ? 400 : 201).end('{"code":21211}');
      });
      return undefined;
    });
    const outcomes = await sendAll(
      createSmsChannel(gateway(url), { allowPrivate: true }),
      Array.from({ length: 20 }, (_, index) =>
        createMessage(String(index), `+49170123456${String(index).padStart(2, '0')}`),
      ),
    );
    expect(
      [...outcomes]
        .filter(([, { kind }]) => kind === 'refused')
        .map(([id]) => id)
        .toSorted(),
    ).toEqual(['13', '3']);
    expect(outcomes.size).toBe(20);
    expect(maxActive).toBeLessThanOrEqual(4);
  });

  test('has three segments at most, in any script', async () => {
    const { url, requests } = await receiver();
    await sendAll(createSmsChannel(gateway(url), { allowPrivate: true }), [
      createMessage('1', '+4917012345678', {
        snapshot: createSnapshot({ text: '障害'.repeat(300), page: { locale: 'ja' } }),
      }),
    ]);
    expect(new URLSearchParams(requests[0]!.body).get('Body')!.length).toBeLessThanOrEqual(201);
  });
});

test('a credential of a letter leaves the words of a response as they are', () => {
  expect(redact('The status is not accepted.', ['s'])).toBe('The status is not accepted.');
  expect(redact('The token s3cr is not accepted.', ['s3cr'])).toBe('The token […] is not accepted.');
});
