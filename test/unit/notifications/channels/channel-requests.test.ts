import { describe, expect, test } from '@jest/globals';
import { createSlackChannel } from '../../../../src/notifications/channels/slack.js';
import { createTeamsChannel } from '../../../../src/notifications/channels/teams.js';
import { createSmsChannel, parseSmsUrl } from '../../../../src/notifications/channels/sms.js';
import { createMastodonChannel } from '../../../../src/notifications/channels/mastodon.js';
import type { ChannelAdapter } from '../../../../src/notifications/channels/channel.js';
import { startReceiver } from '../../../support/http-receiver.js';
import { useReceivers } from '../../../support/receivers.js';
import { createMessage, sendAll } from '../../../support/outgoing-messages.js';
import { createSnapshot } from '../../../support/message-snapshots.js';

const open = { allowPrivate: true, patience: 1_000 };
const receiver = useReceivers();

const secret = 'T000/B000/verysecret';
const to = (url: string, id = '1', thread: string | null = null) =>
  createMessage(id, 'the page', { recipient: { subscriberId: null, thread, target: { url, token: 'secret-token' } } });
const outcomeOf = async (channel: ChannelAdapter, message = to('')) =>
  (await sendAll(channel, [message])).get(message.deliveryId)!;

const answers: [status: number, headers: Record<string, string>, outcome: object][] = [
  [200, {}, { kind: 'sent' }],
  [202, {}, { kind: 'sent' }],
  [302, { location: 'http://127.0.0.1:1/' }, { kind: 'refused' }],
  [400, {}, { kind: 'refused' }],
  [404, {}, { kind: 'refused' }],
  [410, {}, { kind: 'refused' }],
  [408, {}, { kind: 'failed' }],
  [425, {}, { kind: 'failed' }],
  [429, { 'retry-after': '42' }, { kind: 'failed', afterSeconds: 42 }],
  [500, {}, { kind: 'failed' }],
  [503, { 'retry-after': '7' }, { kind: 'failed', afterSeconds: 7, unreachable: true }],
];

describe.each([
  ['Slack', createSlackChannel],
  ['Teams', createTeamsChannel],
  ['Mastodon', createMastodonChannel],
])('%s', (_, channel) => {
  test.each(answers)(
    'answers %i: what it means, and no secret in what is kept of it',
    async (status, headers, outcome) => {
      const { url } = await receiver(({ path, headers: sent }) => ({
        status,
        headers,
        body: `no service at ${path} ${path.replaceAll('/', '\\/')} ${path.split('/').at(-1)} ${sent.authorization} ${'x'.repeat(2_000)}`,
      }));
      const told = await outcomeOf(channel(open), to(`${url}/services/${secret}`));
      expect(told).toEqual({ ...outcome, answer: expect.stringMatching(new RegExp(`^${status} `)) });
      expect(told.response).not.toMatch(/verysecret|secret-token/);
      expect(told.response.length).toBeLessThanOrEqual(500);
    },
  );

  test('that is not there, or slow, fails; one inside is refused; none that is configured is refused, too', async () => {
    const gone = await startReceiver();
    await gone.stop();
    expect(await outcomeOf(channel(open), to(gone.url))).toMatchObject({
      kind: 'failed',
      unreachable: true,
      answer: expect.stringContaining('ECONNREFUSED'),
    });
    const slow = await receiver(() => undefined);
    expect(await outcomeOf(channel({ ...open, timeoutMs: 50 }), to(slow.url))).toMatchObject({
      kind: 'failed',
      unreachable: true,
    });
    expect(await outcomeOf(channel({ allowPrivate: false }), to('https://127.0.0.1/'))).toMatchObject({
      kind: 'refused',
    });
    expect(await outcomeOf(channel(open), createMessage('1', 'the page'))).toMatchObject({ kind: 'refused' });
  });
});

test('Slack and Teams get JSON at the very address', async () => {
  const { url, requests } = await receiver();
  await sendAll(createSlackChannel(open), [to(`${url}/services/${secret}`)]);
  await sendAll(createTeamsChannel(open), [to(`${url}/workflows/x?sig=y`)]);
  expect(requests.map(({ path, headers }) => [path, headers['content-type']])).toEqual([
    [`/services/${secret}`, 'application/json; charset=utf-8'],
    ['/workflows/x?sig=y', 'application/json; charset=utf-8'],
  ]);
  expect(JSON.parse(requests[0]!.body)).toMatchObject({ text: 'Meridian: Payments fail (Investigating)' });
  expect(JSON.parse(requests[1]!.body)).toMatchObject({ type: 'message' });
});

test('Teams may say 200 and mean something else', async () => {
  const { url } = await receiver(() => ({
    body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId',
  }));
  expect(await outcomeOf(createTeamsChannel(open), to(url))).toMatchObject({ kind: 'failed' });
});

describe('Mastodon', () => {
  const mastodon = () => {
    const known = new Map<string, object>();
    return receiver(({ headers, body }) => {
      const { in_reply_to_id } = JSON.parse(body);
      if (in_reply_to_id === 'gone')
        return { status: 404, body: { error: 'The post you are trying to reply to does not appear to exist.' } };
      const key = String(headers['idempotency-key']);
      const status = known.get(key) ?? { id: String(1000 + known.size) };
      known.set(key, status);
      return { body: status };
    });
  };

  test('is told who we are, and of one delivery once', async () => {
    const { url, requests } = await mastodon();
    const outcomes = [
      await outcomeOf(createMastodonChannel(open), to(`${url}/`)),
      await outcomeOf(createMastodonChannel(open), to(url)),
      await outcomeOf(createMastodonChannel(open), to(url, '2')),
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

  test('hears of one notice in one thread, which begins anew where its first status was taken away', async () => {
    const { url, requests } = await mastodon();
    expect(await outcomeOf(createMastodonChannel(open), to(url, '5', '77'))).toEqual({
      kind: 'sent',
      answer: '200 1000',
      thread: '77',
    });
    expect(JSON.parse(requests[0]!.body).in_reply_to_id).toBe('77');
    expect(await outcomeOf(createMastodonChannel(open), to(url, '6', 'gone'))).toEqual({
      kind: 'sent',
      answer: '200 1001',
      thread: '1001',
    });
    expect(requests.slice(1).map(({ body }) => JSON.parse(body).in_reply_to_id)).toEqual(['gone', undefined]);
  });

  test('shows a test to nobody but whoever sends it', async () => {
    const { url, requests } = await mastodon();
    await outcomeOf(
      createMastodonChannel(open),
      createMessage('t', 'the page', {
        snapshot: createSnapshot({ notice: { id: 0, token: '' } }),
        recipient: { subscriberId: null, target: { url, token: 'x' } },
      }),
    );
    await outcomeOf(createMastodonChannel(open), to(url));
    expect(requests.map(({ body }) => JSON.parse(body).visibility)).toEqual(['direct', 'public']);
  });

  test.each(['', '1\0', 'a b', '\ud800', 'x'.repeat(101), 7, null, { a: 1 }])(
    'may call a status %j, which begins no thread',
    async id => {
      const { url } = await receiver(() => ({ body: { id } }));
      const told = await outcomeOf(createMastodonChannel(open), to(url));
      expect([told.kind, told.kind === 'sent' && told.thread]).toEqual(['sent', undefined]);
    },
  );
});

describe('SMS', () => {
  const gateway = (url: string, from = '+15005550006') =>
    parseSmsUrl(url.replace('://', '://AC123:sms%2Fsecret@'), from);
  const message = (id = '1') => createMessage(id, '+4917012345678');

  test('goes as a form to the account at the gateway', async () => {
    const { url, requests } = await receiver(() => ({
      status: 201,
      body: { sid: 'SM1', status: 'queued', body: 'the text', to: '+4917012345678' },
    }));
    expect(await outcomeOf(createSmsChannel(gateway(url)), message())).toEqual({
      kind: 'sent',
      answer: '201 queued SM1',
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

  test('may have a gateway with a path of its own, and a service that chooses the sender', async () => {
    const { url, requests } = await receiver();
    await outcomeOf(createSmsChannel(gateway(`${url}/sms/send?v=2`, 'MG123')), message());
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
    [429, 20429, 'failed'],
    [500, 0, 'failed'],
  ])(
    'answered with %i and %i: what is wrong with the number is for good, what is wrong with us is not',
    async (status, code, kind) => {
      const { url } = await receiver(({ headers }) => ({
        status,
        body: { code, message: `no: sms/secret ${btoa('sms/secret')} ${headers.authorization}` },
      }));
      const outcome = await outcomeOf(createSmsChannel(gateway(url)), message());
      expect(outcome.kind).toBe(kind);
      expect(outcome.response).toMatch(new RegExp(`^${status} ${code} no: `));
      expect(outcome.response).not.toMatch(/secret|c21zL3NlY3JldA|QUMxMjM6/);
    },
  );

  test('each of many is told of by itself, a few at a time', async () => {
    let now = 0;
    let most = 0;
    const { url } = await receiver(({ body }, response) => {
      now += 1;
      most = Math.max(most, now);
      setImmediate(() => {
        now -= 1;
        const isBad = new URLSearchParams(body).get('To')!.endsWith('3');
        response.writeHead(isBad ? 400 : 201).end('{"code":21211}');
      });
      return undefined;
    });
    const told = await sendAll(
      createSmsChannel(gateway(url)),
      Array.from({ length: 20 }, (_, index) =>
        createMessage(String(index), `+49170123456${String(index).padStart(2, '0')}`),
      ),
    );
    expect(
      [...told]
        .filter(([, { kind }]) => kind === 'refused')
        .map(([id]) => id)
        .toSorted(),
    ).toEqual(['13', '3']);
    expect(told.size).toBe(20);
    expect(most).toBeLessThanOrEqual(4);
  });

  test('keeps a text of whatever script in three segments', async () => {
    const { url, requests } = await receiver();
    await sendAll(createSmsChannel(gateway(url)), [
      createMessage('1', '+4917012345678', {
        snapshot: createSnapshot({ text: '障害'.repeat(300), page: { locale: 'ja' } }),
      }),
    ]);
    expect(new URLSearchParams(requests[0]!.body).get('Body')!.length).toBeLessThanOrEqual(201);
  });
});
