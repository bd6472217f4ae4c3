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
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function openChannel(url: string, replyMs = 5_000): EmailChannel {
  const channel = new EmailChannel(url, sender, {
    timeouts: { connectMs: 2_000, replyMs, idleMs: 50, queueMs: 5_000 },
  });
  cleanups.push(() => channel.close());
  return channel;
}

async function startScripted(reply: Parameters<typeof startScriptedServer>[0]) {
  const server = await startScriptedServer(reply);
  cleanups.push(server.stop);
  return server;
}

const messages = (count: number) =>
  Array.from({ length: count }, (_, index) => createMessage(String(index + 1), `${index + 1}@example.com`));
const byId = (outcomes: Map<string, Outcome>) =>
  [...outcomes].toSorted(([a], [b]) => Number(a) - Number(b)).map(([, outcome]) => outcome);
const kinds = (outcomes: Map<string, Outcome>) => byId(outcomes).map(({ kind }) => kind);

/** Accepts only the first connection, so that the order of commands is predictable. */
const refuseOthers = (number: number, line: string) => (number > 1 && line === 'hello' ? '421 one is enough' : null);

test('reports the response to each message, with a server that answers pipelined commands one by one', async () => {
  const replies: string[] = [];
  let isWriting = false;
  let contents = 0;
  const { url } = await startScripted((line, { number, socket }) => {
    const refused = refuseOthers(number, line);
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
  const outcomes = byId(await sendAll(openChannel(url), messages(4)));
  expect(outcomes.map(({ kind, response }) => [kind, response]).toSorted()).toEqual([
    ['failed', '451 number 2'],
    ['sent', '250 number 1'],
    ['sent', '250 number 3'],
    ['sent', '250 number 4'],
  ]);
});

test('sends no message to a refused recipient even if the server accepts DATA', async () => {
  const { url, lines } = await startScripted(
    (line, { number }) =>
      refuseOthers(number, line) ??
      (line.startsWith('RCPT TO:<2@') ? '550 5.1.1 unknown' : line === 'content' ? '250 fine' : defaultReply(line)),
  );
  expect(kinds(await sendAll(openChannel(url), messages(3)))).toEqual(['sent', 'refused', 'sent']);
  expect(lines.filter(line => line === 'content')).toHaveLength(3);
});

test.each([
  ['MAIL', '550 5.1.0 user unknown', { kind: 'failed', deferral: 'sender' }],
  ['RCPT', '550 no such user', { kind: 'refused', isGone: true }],
  ['RCPT', '550 5.1.1 no such user', { kind: 'refused', isGone: true }],
  ['RCPT', '550 5.7.1 policy', { kind: 'failed', deferral: 'sender' }],
  ['RCPT', '550 relay not permitted', { kind: 'failed', deferral: 'sender' }],
  ['RCPT', '552 5.2.2 mailbox full', { kind: 'failed' }],
  ['DATA', '550 5.1.1 no such user', { kind: 'refused', isGone: true }],
  ['content', '550 5.1.1 no such user', { kind: 'refused', isGone: true }],
  ['content', '550 5.7.26 DMARC', { kind: 'failed', deferral: 'sender' }],
  ['content', '550 5.4.5 Daily user sending quota exceeded', { kind: 'failed', deferral: 'sender' }],
  ['content', '432 4.3.2 Concurrent connections limit exceeded', { kind: 'failed', deferral: 'rate' }],
  ['content', '550 spam', { kind: 'refused' }],
])('a refusal after %s with %j is read for what it is about', async (command, reply, expected) => {
  const { url } = await startScripted(line => (line.startsWith(command) ? reply : defaultReply(line)));
  const [outcome] = byId(await sendAll(openChannel(url), messages(1)));
  expect(outcome).toEqual({ ...expected, response: reply });
});

test.each([
  ['hello', '421 4.7.0 Too many connections', 'rate'],
  ['hello', '554 192.0.2.1 is on a block list', 'sender'],
])('a connection that is refused at %s with %j pauses the channel', async (command, reply, deferral) => {
  const { url } = await startScripted(line => (line === command ? reply : defaultReply(line)));
  expect(byId(await sendAll(openChannel(url), messages(1)))).toMatchObject([
    { kind: 'failed', unreachable: true, deferral, response: expect.stringContaining(reply) },
  ]);
});

test('resets the transaction of a refused recipient before the next message', async () => {
  let isOpen = false;
  let isRefused = false;
  const { url } = await startScripted((line, { number }) => {
    if (line.startsWith('MAIL')) {
      if (isOpen) return '503 nested';
      isOpen = true;
    }
    if (line.startsWith('RCPT')) isRefused = line.includes('<2@');
    if (line === 'RSET' || line === 'content') isOpen = false;
    if (isRefused && line.startsWith('RCPT')) return '550 unknown';
    if (isRefused && line === 'DATA') return '554 for nobody';
    return refuseOthers(number, line) ?? defaultReply(line);
  });
  expect(kinds(await sendAll(openChannel(url), messages(3)))).toEqual(['sent', 'refused', 'sent']);
});

test.each([
  ['the server refuses the sender', (line: string) => line.startsWith('MAIL') && '550 not you', 'failed'],
  ['the server requires encryption', (line: string) => line.startsWith('RCPT') && '530 STARTTLS first', 'failed'],
  [
    'the server requires authentication',
    (line: string) => line.startsWith('RCPT') && '535 authenticate first',
    'failed',
  ],
  ['the server refuses the recipient temporarily', (line: string) => line.startsWith('RCPT') && '452 later', 'failed'],
  ['the server refuses the content permanently', (line: string) => line === 'content' && '554 spam', 'refused'],
  ['the server refuses the content temporarily', (line: string) => line === 'content' && '450 greylisted', 'failed'],
  ['the server refuses DATA', (line: string) => line === 'DATA' && '554 no', 'failed'],
] as const)('when %s', async (_, wrong, kind) => {
  for (const offers of [['PIPELINING'], ['SIZE 1000000']]) {
    const { url } = await startScripted(line => wrong(line) || defaultReply(line, offers));
    const [outcome] = byId(await sendAll(openChannel(url), messages(1)));
    expect(outcome).toMatchObject({
      kind,
      response: wrong('MAIL') || wrong('RCPT') || wrong('content') || wrong('DATA'),
    });
  }
});

test('fails only the message during which the connection breaks, and sends the others over another one', async () => {
  let contents = 0;
  const server = await startScripted((line, { socket }) => {
    if (line === 'content') contents += 1;
    if (line !== 'content' || contents !== 3) return defaultReply(line);
    socket.destroy();
    return null;
  });
  const outcomes = byId(await sendAll(openChannel(server.url), messages(12)));
  const failed = outcomes.filter(({ kind }) => kind !== 'sent');
  expect(failed).toEqual([
    {
      kind: 'failed',
      response: expect.stringContaining('before the mail server confirmed the message'),
      unreachable: true,
    },
  ]);
});

test('reconnects to a server that closes the connection after some messages', async () => {
  const taken = new Map<number, number>();
  const { url } = await startScripted((line, { number, socket }) => {
    if (line === 'content') taken.set(number, (taken.get(number) ?? 0) + 1);
    if (!line.startsWith('MAIL') || (taken.get(number) ?? 0) < 2) return defaultReply(line);
    socket.end('421 enough for today\r\n');
    return null;
  });
  expect(new Set(kinds(await sendAll(openChannel(url), messages(20))))).toEqual(new Set(['sent']));
});

test.each<[string, string, () => string | null]>([
  ['closes the connection at once', 'hello', () => null],
  ['refuses in its greeting', 'hello', () => '554 not you'],
  ['closes the connection at every MAIL', 'MAIL', () => null],
  ['is no mail server', 'hello', () => 'HTTP/1.1 400 Bad Request'],
  [
    'sends an endless response',
    'EHLO',
    () => Array.from({ length: 2_000 }, () => `250-${'x'.repeat(60)}`).join('\r\n'),
  ],
])('reports failures, not refusals, for a server that %s', async (_, when, reply) => {
  const { url } = await startScripted((line, { socket }): string | null => {
    if (!line.startsWith(when)) return defaultReply(line);
    const text = reply();
    if (text === null) socket.destroy();
    return text;
  });
  const outcomes = byId(await sendAll(openChannel(url), messages(8)));
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(8).fill('failed'));
  expect(
    outcomes.every(outcome => outcome.kind === 'failed' && outcome.unreachable && outcome.response.length > 10),
  ).toBe(true);
});

test('reports failures when no server listens', async () => {
  const stopped = await startMailServer();
  await stopped.stop();
  const outcomes = byId(await sendAll(openChannel(stopped.url), messages(3)));
  expect(outcomes.map(outcome => [outcome.kind, outcome.kind === 'failed' && outcome.unreachable])).toEqual(
    Array(3).fill(['failed', true]),
  );
  expect(outcomes[0]!.response).toContain('ECONNREFUSED');
});

test('gives up when the server stops responding, at any command', async () => {
  for (const silent of ['hello', 'EHLO', 'MAIL', 'content']) {
    const { url } = await startScripted(line => (line.startsWith(silent) ? null : defaultReply(line)));
    const [outcome] = byId(await sendAll(openChannel(url, 500), messages(1)));
    expect([silent, outcome]).toEqual([
      silent,
      { kind: 'failed', unreachable: true, response: expect.stringContaining('did not answer in time') },
    ]);
  }
});

test('drops a server whose response exceeds 64 KB', async () => {
  const { url } = await startScripted(line => {
    if (!line.startsWith('EHLO')) return defaultReply(line);
    return Array.from({ length: 20_000 }, () => '250-').join('\r\n');
  });
  const [outcome] = byId(await sendAll(openChannel(url), messages(1)));
  expect(outcome).toMatchObject({ kind: 'failed', response: expect.stringContaining('maximum allowed size') });
});

test('drops a server that sends more than 64 KB of empty lines', async () => {
  const { url } = await startScripted((line, { socket }) => {
    if (!line.startsWith('EHLO')) return defaultReply(line);
    socket.write('\r\n'.repeat(40_000));
    return '250 hello';
  });
  expect(byId(await sendAll(openChannel(url), messages(1)))).toMatchObject([
    { kind: 'failed', response: 'Server response exceeds maximum allowed size' },
  ]);
});

test('falls back to HELO when the server refuses EHLO', async () => {
  const { url, lines } = await startScripted(line => (line.startsWith('EHLO') ? '502 what?' : defaultReply(line)));
  expect(kinds(await sendAll(openChannel(url), messages(1)))).toEqual(['sent']);
  expect(lines).toContain('HELO [127.0.0.1]');
});

const auth = (methods: string[]): Pick<SMTPServerOptions, 'onAuth'> => ({
  onAuth: ({ method, username, password }, _session, done) => {
    methods.push(method);
    if (username === 'us@example.com' && password === 'p:ä/s') done(null, { user: username });
    else done(new Error(`no ${username} with ${password}`));
  },
});
const withUser = (url: string, password: string, query = '?tls=unverified') =>
  url.replace('://', `://us%40example.com:${encodeURIComponent(password)}@`) + query;

test('signs in with PLAIN and LOGIN, over STARTTLS and TLS', async () => {
  const methods: string[] = [];
  for (const options of [{}, { secure: true }, { authMethods: ['LOGIN'] }]) {
    const server = await startMailServer({ disabledCommands: [], ...auth(methods), ...options, authOptional: false });
    cleanups.push(server.stop);
    expect(kinds(await sendAll(openChannel(withUser(server.url, 'p:ä/s')), messages(2)))).toEqual(['sent', 'sent']);
    expect(server.mails.map(({ secure }) => secure)).toEqual([true, true]);
  }
  expect(new Set(methods)).toEqual(new Set(['PLAIN', 'LOGIN']));
});

test('reports a failure for a wrong password, without the password', async () => {
  const server = await startMailServer({ disabledCommands: [], ...auth([]), authOptional: false });
  cleanups.push(server.stop);
  const [outcome] = byId(await sendAll(openChannel(withUser(server.url, 'very secret')), messages(1)));
  expect(outcome).toMatchObject({ kind: 'failed', unreachable: true, response: expect.stringContaining('535') });
  expect(JSON.stringify(outcome)).not.toMatch(/very|secret|dmVyeSBzZWNyZXQ|=/);
  expect(server.mails).toEqual([]);
});

test('refuses a self-signed certificate where encryption is required', async () => {
  const server = await startMailServer({ disabledCommands: [] });
  cleanups.push(server.stop);
  const [required] = byId(await sendAll(openChannel(`${server.url}?tls=required`), messages(1)));
  expect([required!.kind, required!.response]).toEqual(['failed', expect.stringMatching(/self[- ]signed/i)]);
  expect(kinds(await sendAll(openChannel(server.url), messages(1)))).toEqual(['sent']);
  expect(kinds(await sendAll(openChannel(`${server.url}?tls=never`), messages(1)))).toEqual(['sent']);
  expect(server.mails.map(({ secure }) => secure)).toEqual([true, false]);
});

test('sends nothing without required encryption, and ignores responses injected before it', async () => {
  const plain = await startScripted(line => defaultReply(line));
  expect(byId(await sendAll(openChannel(`${plain.url}?tls=required`), messages(1)))[0]).toMatchObject({
    kind: 'failed',
    // Which of the two comes first depends on when the connection is read.
    response: expect.stringMatching(/STARTTLS|SSL/),
  });
  const injecting = await startScripted(line =>
    line === 'STARTTLS' ? '220 go\r\n250 injected' : defaultReply(line, ['STARTTLS']),
  );
  expect(byId(await sendAll(openChannel(`${injecting.url}?tls=required`), messages(1)))[0]).toMatchObject({
    kind: 'failed',
  });
  expect([...plain.lines, ...injecting.lines].some(line => /^(AUTH|MAIL)/.test(line))).toBe(false);
});

test('SMTP_URL sets the host, the encryption and the credentials', () => {
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

test('does not send a message again that came back after its timeout', async () => {
  const { url, lines } = await startScripted((line, { socket }) => {
    if (!line.startsWith('MAIL')) return defaultReply(line);
    setTimeout(() => socket.destroy(), 150);
    return null;
  });
  const channel = new EmailChannel(url, sender, {
    timeouts: { connectMs: 2_000, replyMs: 5_000, idleMs: 50, queueMs: 100 },
  });
  cleanups.push(() => channel.close());
  expect(byId(await sendAll(channel, messages(1)))).toEqual([
    { kind: 'failed', response: 'The mail server was too slow for all messages.' },
  ]);
  expect(lines.filter(line => line.startsWith('MAIL'))).toHaveLength(1);
});
