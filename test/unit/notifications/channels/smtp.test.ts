import { afterEach, expect, test } from '@jest/globals';
import type { SMTPServerOptions } from 'smtp-server';
import { EmailChannel } from '../../../../src/notifications/channels/email/email.js';
import { parseSender } from '../../../../src/notifications/channels/email/sender.js';
import { isSmtpUrl, parseSmtpUrl } from '../../../../src/notifications/channels/email/smtp-url.js';
import type { Outcome } from '../../../../src/notifications/channels/channel.js';
import { startMailServer } from '../../../support/mail-server.js';
import { createMessage, sendAll } from '../../../support/outgoing-messages.js';
import { startScriptedServer, defaultReply } from '../../../support/scripted-server.js';

const sender = parseSender('status@example.com', 'localhost')!;
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

function channelTo(url: string, reply = 5_000): EmailChannel {
  const channel = new EmailChannel(url, sender, {
    timeouts: { connectMs: 2_000, replyMs: reply, idleMs: 50, queueMs: 5_000 },
  });
  undo.push(() => channel.close());
  return channel;
}

async function scripted(answer: Parameters<typeof startScriptedServer>[0]) {
  const server = await startScriptedServer(answer);
  undo.push(server.stop);
  return server;
}

const some = (count: number) =>
  Array.from({ length: count }, (_, index) => createMessage(String(index + 1), `${index + 1}@example.com`));
const sorted = (told: Map<string, Outcome>) =>
  [...told].toSorted(([a], [b]) => Number(a) - Number(b)).map(([, outcome]) => outcome);
const kinds = (told: Map<string, Outcome>) => sorted(told).map(({ kind }) => kind);

/** Only the first connection is let in: so the order of what one connection says can be foretold. */
const onlyOne = (number: number, line: string) => (number > 1 && line === 'hello' ? '421 one is enough' : null);

test('reports the response to each message, with a server that answers pipelined commands one by one', async () => {
  const replies: string[] = [];
  let isWriting = false;
  let contents = 0;
  const { url } = await scripted((line, { number, socket }) => {
    const refused = onlyOne(number, line);
    if (refused || line === 'QUIT') return refused;
    if (line === 'content') contents += 1;
    replies.push(line === 'content' ? `${contents === 2 ? 451 : 250} number ${contents}` : defaultReply(line));
    const write = () => {
      socket.write(`${replies.shift()}\r\n`);
      isWriting = replies.length > 0;
      if (isWriting) setTimeout(write, 10);
    };
    if (!isWriting) setImmediate(write);
    isWriting = true;
    return null;
  });
  const outcomes = sorted(await sendAll(channelTo(url), some(4)));
  expect(outcomes.map(({ kind, response }) => [kind, response]).toSorted()).toEqual([
    ['failed', '451 number 2'],
    ['sent', '250 number 1'],
    ['sent', '250 number 3'],
    ['sent', '250 number 4'],
  ]);
});

test('a refused recipient whose message is wanted all the same gets none, and the next one goes its way', async () => {
  const { url, lines } = await scripted(
    (line, { number }) =>
      onlyOne(number, line) ??
      (line.startsWith('RCPT TO:<2@') ? '550 5.1.1 unknown' : line === 'content' ? '250 fine' : defaultReply(line)),
  );
  expect(kinds(await sendAll(channelTo(url), some(3)))).toEqual(['sent', 'refused', 'sent']);
  expect(lines.filter(line => line === 'content')).toHaveLength(3);
});

test('after a refused recipient the transaction is taken back before the next begins', async () => {
  let isOpen = false;
  let isRefused = false;
  const { url } = await scripted((line, { number }) => {
    if (line.startsWith('MAIL')) {
      if (isOpen) return '503 nested';
      isOpen = true;
    }
    if (line.startsWith('RCPT')) isRefused = line.includes('<2@');
    if (line === 'RSET' || line === 'content') isOpen = false;
    if (isRefused && line.startsWith('RCPT')) return '550 unknown';
    if (isRefused && line === 'DATA') return '554 for nobody';
    return onlyOne(number, line) ?? defaultReply(line);
  });
  expect(kinds(await sendAll(channelTo(url), some(3)))).toEqual(['sent', 'refused', 'sent']);
});

test.each([
  ['the sender is refused', (line: string) => line.startsWith('MAIL') && '550 not you', 'failed'],
  ['encryption is wanted', (line: string) => line.startsWith('RCPT') && '530 STARTTLS first', 'failed'],
  ['it wants a password', (line: string) => line.startsWith('RCPT') && '535 authenticate first', 'failed'],
  ['it is too busy', (line: string) => line.startsWith('RCPT') && '452 later', 'failed'],
  ['it does not want the message', (line: string) => line === 'content' && '554 spam', 'refused'],
  ['it does not want it now', (line: string) => line === 'content' && '450 greylisted', 'failed'],
  ['it does not take data', (line: string) => line === 'DATA' && '554 no', 'failed'],
] as const)('when %s', async (_, wrong, kind) => {
  for (const offers of [['PIPELINING'], ['SIZE 1000000']]) {
    const { url } = await scripted(line => wrong(line) || defaultReply(line, offers));
    const [outcome] = sorted(await sendAll(channelTo(url), some(1)));
    expect(outcome).toEqual({ kind, answer: wrong('MAIL') || wrong('RCPT') || wrong('content') || wrong('DATA') });
  }
});

test('a connection that breaks in a message fails that one alone: the others go by another', async () => {
  let contents = 0;
  const server = await scripted((line, { socket }) => {
    if (line === 'content') contents += 1;
    if (line !== 'content' || contents !== 3) return defaultReply(line);
    socket.destroy();
    return null;
  });
  const outcomes = sorted(await sendAll(channelTo(server.url), some(12)));
  const failed = outcomes.filter(({ kind }) => kind !== 'sent');
  expect(failed).toEqual([
    {
      kind: 'failed',
      answer: expect.stringContaining('before the mail server confirmed the message'),
      unreachable: true,
    },
  ]);
});

test('a server that ends the connection after a while is called again', async () => {
  const taken = new Map<number, number>();
  const { url } = await scripted((line, { number, socket }) => {
    if (line === 'content') taken.set(number, (taken.get(number) ?? 0) + 1);
    if (!line.startsWith('MAIL') || (taken.get(number) ?? 0) < 2) return defaultReply(line);
    socket.end('421 enough for today\r\n');
    return null;
  });
  expect(new Set(kinds(await sendAll(channelTo(url), some(20))))).toEqual(new Set(['sent']));
});

test.each<[string, string, () => string | null]>([
  ['hangs up at once', 'hello', () => null],
  ['has no greeting for us', 'hello', () => '554 not you'],
  ['hangs up at every envelope', 'MAIL', () => null],
  ['is no mail server', 'hello', () => 'HTTP/1.1 400 Bad Request'],
  ['talks without an end', 'EHLO', () => Array.from({ length: 2_000 }, () => `250-${'x'.repeat(60)}`).join('\r\n')],
])('a server that %s: all fail and none is refused', async (_, when, said) => {
  const { url } = await scripted((line, { socket }): string | null => {
    if (!line.startsWith(when)) return defaultReply(line);
    const answer = said();
    if (answer === null) socket.destroy();
    return answer;
  });
  const outcomes = sorted(await sendAll(channelTo(url), some(8)));
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(8).fill('failed'));
  expect(
    outcomes.every(outcome => outcome.kind === 'failed' && outcome.unreachable && outcome.response.length > 10),
  ).toBe(true);
});

test('nobody there: all fail, and it can go on when somebody is', async () => {
  const gone = await startMailServer();
  await gone.stop();
  const outcomes = sorted(await sendAll(channelTo(gone.url), some(3)));
  expect(outcomes.map(outcome => [outcome.kind, outcome.kind === 'failed' && outcome.unreachable])).toEqual(
    Array(3).fill(['failed', true]),
  );
  expect(outcomes[0]!.response).toContain('ECONNREFUSED');
});

test('a server that does not answer is not waited for, whatever it was asked', async () => {
  for (const silent of ['hello', 'EHLO', 'MAIL', 'content']) {
    const { url } = await scripted(line => (line.startsWith(silent) ? null : defaultReply(line)));
    const [outcome] = sorted(await sendAll(channelTo(url, 100), some(1)));
    expect([silent, outcome]).toEqual([
      silent,
      { kind: 'failed', unreachable: true, answer: expect.stringContaining('did not answer in time') },
    ]);
  }
});

test('a server that knows no EHLO is greeted in the old way', async () => {
  const { url, lines } = await scripted(line => (line.startsWith('EHLO') ? '502 what?' : defaultReply(line)));
  expect(kinds(await sendAll(channelTo(url), some(1)))).toEqual(['sent']);
  expect(lines).toContain('HELO [127.0.0.1]');
});

const auth = (told: string[]): Pick<SMTPServerOptions, 'onAuth'> => ({
  onAuth: ({ method, username, password }, _session, done) => {
    told.push(method);
    if (username === 'us@example.com' && password === 'p:ä/s') done(null, { user: username });
    else done(new Error(`no ${username} with ${password}`));
  },
});
const withUser = (url: string, password: string, query = '?tls=unverified') =>
  url.replace('://', `://us%40example.com:${encodeURIComponent(password)}@`) + query;

test('logs in, over STARTTLS and over TLS, by either way', async () => {
  const told: string[] = [];
  for (const options of [{}, { secure: true }, { authMethods: ['LOGIN'] }]) {
    const server = await startMailServer({ disabledCommands: [], ...auth(told), ...options, authOptional: false });
    undo.push(server.stop);
    expect(kinds(await sendAll(channelTo(withUser(server.url, 'p:ä/s')), some(2)))).toEqual(['sent', 'sent']);
    expect(server.mails.map(({ secure }) => secure)).toEqual([true, true]);
  }
  expect(new Set(told)).toEqual(new Set(['PLAIN', 'LOGIN']));
});

test('a wrong password fails, refuses nobody, and is in no answer', async () => {
  const server = await startMailServer({ disabledCommands: [], ...auth([]), authOptional: false });
  undo.push(server.stop);
  const [outcome] = sorted(await sendAll(channelTo(withUser(server.url, 'very secret')), some(1)));
  expect(outcome).toMatchObject({ kind: 'failed', unreachable: true, answer: expect.stringContaining('535') });
  expect(JSON.stringify(outcome)).not.toMatch(/very|secret|dmVyeSBzZWNyZXQ|=/);
  expect(server.mails).toEqual([]);
});

test('a certificate that nobody vouches for is not taken where encryption is required', async () => {
  const server = await startMailServer({ disabledCommands: [] });
  undo.push(server.stop);
  const [required] = sorted(await sendAll(channelTo(`${server.url}?tls=required`), some(1)));
  expect([required!.kind, required!.response]).toEqual(['failed', expect.stringMatching(/self[- ]signed/i)]);
  expect(kinds(await sendAll(channelTo(server.url), some(1)))).toEqual(['sent']);
  expect(kinds(await sendAll(channelTo(`${server.url}?tls=never`), some(1)))).toEqual(['sent']);
  expect(server.mails.map(({ secure }) => secure)).toEqual([true, false]);
});

test('without the encryption that is required nothing is said, and what comes before it does not count', async () => {
  const plain = await scripted(line => defaultReply(line));
  expect(sorted(await sendAll(channelTo(`${plain.url}?tls=required`), some(1)))[0]).toMatchObject({
    kind: 'failed',
    answer: expect.stringContaining('STARTTLS'),
  });
  const between = await scripted(line =>
    line === 'STARTTLS' ? '220 go\r\n250 and this is mine' : defaultReply(line, ['STARTTLS']),
  );
  expect(sorted(await sendAll(channelTo(`${between.url}?tls=required`), some(1)))[0]).toMatchObject({ kind: 'failed' });
  expect([...plain.lines, ...between.lines].some(line => /^(AUTH|MAIL)/.test(line))).toBe(false);
});

test('SMTP_URL says where, how encrypted, and who we are', () => {
  const { host, port, isImplicitTls, starttls, verifiesCertificate } = parseSmtpUrl('smtp://mail.example');
  expect({ host, port, isImplicitTls, starttls, verifiesCertificate }).toEqual({
    host: 'mail.example',
    port: 25,
    isImplicitTls: false,
    starttls: 'offered',
    verifiesCertificate: false,
  });
  expect(parseSmtpUrl('smtp://a:b@mail.example')).toMatchObject({
    port: 587,
    starttls: 'required',
    verifiesCertificate: true,
  });
  expect(parseSmtpUrl('smtp://a:b@127.0.0.1:2525')).toMatchObject({ port: 2525, starttls: 'offered' });
  expect(parseSmtpUrl('smtps://a:b%2F@[2001:db8::1]')).toMatchObject({
    host: '2001:db8::1',
    port: 465,
    isImplicitTls: true,
    verifiesCertificate: true,
    password: 'b/',
  });
  const wrong = [
    'mail.example',
    'http://mail.example',
    'smtp://',
    'smtp://mail.example/path',
    'smtp://mail.example?tls=maybe',
    'smtp://mail.example?x=1',
    'smtp://a:%zz@mail.example',
  ];
  expect(wrong.filter(isSmtpUrl)).toEqual([]);
  expect(['smtp://mail.example', 'smtps://a:b@mail.example:465?tls=unverified'].filter(isSmtpUrl)).toHaveLength(2);
});

test('a letter that came back too late for who handed it in is not sent once more', async () => {
  const { url, lines } = await scripted((line, { socket }) => {
    if (!line.startsWith('MAIL')) return defaultReply(line);
    setTimeout(() => socket.destroy(), 150);
    return null;
  });
  const channel = new EmailChannel(url, sender, {
    timeouts: { connectMs: 2_000, replyMs: 5_000, idleMs: 50, queueMs: 100 },
  });
  undo.push(() => channel.close());
  expect(sorted(await sendAll(channel, some(1)))).toEqual([
    { kind: 'failed', answer: 'The mail server was too slow for all messages.' },
  ]);
  expect(lines.filter(line => line.startsWith('MAIL'))).toHaveLength(1);
});
