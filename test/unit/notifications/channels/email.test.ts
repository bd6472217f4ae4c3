import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import PostalMime from 'postal-mime';
import ical from 'ical.js';
import { parseUnsubscribeSubject } from '../../../../src/notifications/messages/unsubscribe-subject.js';
import { EmailChannel } from '../../../../src/notifications/channels/email/email.js';
import { prepareMessage } from '../../../../src/notifications/channels/email/compose-mail.js';
import { openEmail } from '../../../../src/notifications/channels/email/open-email.js';
import { parseSender } from '../../../../src/notifications/channels/email/sender.js';
import { type MailServer, startMailServer } from '../../../support/mail-server.js';
import { createMessage, sendAll } from '../../../support/outgoing-messages.js';
import { createSnapshot, createPlannedSnapshot } from '../../../support/message-snapshots.js';

const sender = parseSender('status@example.com', 'localhost')!;
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(
  options: Parameters<typeof startMailServer>[0] = {},
  from = sender,
): Promise<{ server: MailServer; channel: EmailChannel }> {
  const server = await startMailServer(options);
  const channel = new EmailChannel(server.url, from, {
    timeouts: { connectMs: 5_000, replyMs: 5_000, idleMs: 50, queueMs: 60_000 },
  });
  cleanups.push(server.stop, () => channel.close());
  return { server, channel };
}

test('what recipients have in common is rendered once for all of them', async () => {
  const { server, channel } = await start();
  let reads = 0;
  const snapshot = new Proxy(createSnapshot(), {
    get: (target, name) => {
      if (name === 'updates') reads += 1;
      return Reflect.get(target, name);
    },
  });
  await sendAll(
    channel,
    ['1', '2', '3'].map(id => createMessage(id, `${id}@example.com`, { snapshot })),
  );
  expect([server.mails.length, reads]).toEqual([3, 1]);
});

const signed = (kind: string, id: number) => `https://status.meridian.example/${kind}/${'a=b&c=d.'.repeat(30)}${id}`;
const links = (id: number) => ({ unsubscribe: signed('unsubscribe', id), preferences: signed('preferences', id) });

describe('an e-mail', () => {
  let raws: string[];
  let parsed: Awaited<ReturnType<typeof PostalMime.parse>>[];
  beforeAll(async () => {
    const server = await startMailServer();
    const channel = new EmailChannel(server.url, sender);
    const snapshot = createPlannedSnapshot({
      text: 'Größer.\n\n.\n\n..dots\n\n- a\n- b',
      page: { name: 'Größe, "Inc."' },
    });
    await sendAll(channel, [
      createMessage('1', 'one@example.com', { snapshot, recipient: links(1) }),
      createMessage('2', 'two@example.com', { snapshot, recipient: links(2) }),
      createMessage('3', 'three@example.com', { snapshot: createSnapshot({ text: '.\r\n.\r\nQUIT\r\n' }) }),
    ]);
    await channel.close();
    await server.stop();
    raws = server.mails.toSorted((a, b) => a.to[0]!.localeCompare(b.to[0]!)).map(({ raw }) => raw);
    parsed = await Promise.all([raws[0]!, raws[2]!, raws[1]!].map(raw => PostalMime.parse(raw)));
  });
  const header = (index: number, name: string) =>
    parsed[index]!.headers.filter(({ key }) => key === name).map(({ value }) => value);

  test('has one recipient, the page as its sender, and the Message-ID of its delivery', () => {
    expect(parsed.map(({ to }) => to?.map(({ address }) => address))).toEqual([
      ['one@example.com'],
      ['two@example.com'],
      ['three@example.com'],
    ]);
    expect(parsed[0]!.from).toEqual({ name: 'Größe, "Inc."', address: 'status@example.com' });
    expect(parsed[0]!.replyTo).toEqual([{ name: '', address: 'help@meridian.example' }]);
    expect(parsed.map(({ messageId }) => messageId)).toEqual([
      '<1@status.example.com>',
      '<2@status.example.com>',
      '<3@status.example.com>',
    ]);
    for (const name of ['message-id', 'to', 'from', 'subject', 'date', 'mime-version'])
      expect(header(0, name)).toHaveLength(1);
  });

  test('offers one-click unsubscribing where there is a subscription', () => {
    for (const [index, id] of [1, 2].entries()) {
      expect(header(index, 'list-unsubscribe')).toEqual([`<${signed('unsubscribe', id)}>`]);
      expect(header(index, 'list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click']);
    }
    expect([...header(2, 'list-unsubscribe'), ...header(2, 'list-unsubscribe-post')]).toEqual([]);
  });

  test('offers to unsubscribe by a mail beside it, where one is read', async () => {
    const unsubscribe = 'https://status.meridian.example/unsubscribe/1a.._-Ab';
    const links = { messageId: '<1@example.com>', to: 'one@example.com', unsubscribe, preferences: null };
    const content = await prepareMessage(createSnapshot({}), {
      ...sender,
      unsubscribeMailbox: 'leave@example.com',
    }).compose(links);
    const mail = await PostalMime.parse(content);
    const [, address] = /^<https:[^>]*>, <mailto:([^>]*)>$/.exec(
      mail.headers.find(({ key }) => key === 'list-unsubscribe')!.value,
    )!;
    const [mailbox, subject] = address!.split('?subject=');
    expect(mailbox).toBe('leave@example.com');
    expect(parseUnsubscribeSubject(decodeURIComponent(subject!))).toEqual({ pageId: '5e1f00d5', token: '1a.._-Ab' });
  });

  test('contains the complete links of its own recipient, in text and in HTML', () => {
    for (const [index, id] of [1, 2].entries()) {
      const { text, html } = parsed[index]!;
      for (const kind of ['unsubscribe', 'preferences']) {
        expect(text).toContain(`: ${signed(kind, id)}\n`);
        expect(html).toContain(`href="${signed(kind, id).replaceAll('&', '&amp;')}"`);
        expect(text).not.toContain(signed(kind, 3 - id));
      }
    }
  });

  test('has headers that mark it as automatic, and as part of the thread of its notice', () => {
    expect(header(0, 'auto-submitted')).toEqual(['auto-generated']);
    expect(header(0, 'list-id')).toEqual(['<5e1f00d5.localhost>']);
    const thread = '<notice.abcdefgh12345678@example.com>';
    expect([header(0, 'references'), header(0, 'in-reply-to'), header(2, 'references')]).toEqual([
      [thread],
      [thread],
      [thread],
    ]);
  });

  test('arrives unchanged, with lines of a single dot and non-ASCII text', () => {
    expect(parsed[0]!.subject).toBe('[Scheduled] Database upgrade – Größe, "Inc."');
    expect(parsed[0]!.text).toContain('Größer.\n\n.\n\n..dots\n\n• a\n• b\n');
    expect(parsed[0]!.html).toContain('Größer.</p>');
    expect(parsed[2]!.text).toContain('.\n.\nQUIT\n');
  });

  test('is ASCII, in lines of permitted length', () => {
    for (const raw of raws) {
      expect(raw).toMatch(/^[\t\r\n\x20-\x7e]*$/);
      expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      const isLink = (line: string) => line.startsWith('List-Unsubscribe:');
      expect(raw.split('\r\n').filter(line => line.length > (isLink(line) ? 998 : 78))).toEqual([]);
    }
  });

  test('about a maintenance has a calendar entry attached', () => {
    const [file] = parsed[0]!.attachments;
    expect([file!.filename, file!.mimeType]).toEqual(['maintenance.ics', 'text/calendar']);
    const calendar = new ical.Component(ical.parse(new TextDecoder().decode(file!.content as ArrayBuffer)));
    const event = new ical.Event(calendar.getFirstSubcomponent('vevent')!);
    expect([event.summary, event.startDate.toJSDate().toISOString(), event.sequence]).toEqual([
      'Database upgrade',
      '2026-11-27T21:00:00.000Z',
      1,
    ]);
    expect(parsed[2]!.attachments).toEqual([]);
  });

  test('is identical at every attempt, and in every process', async () => {
    const { server, channel } = await start();
    const again = new EmailChannel(server.url, sender);
    cleanups.push(() => again.close());
    const copy = () =>
      createMessage('1', 'one@example.com', { snapshot: createPlannedSnapshot(), recipient: links(1) });
    await sendAll(channel, [copy()]);
    await sendAll(again, [copy()]);
    expect(server.mails[0]!.raw.length).toBeGreaterThan(1000);
    expect(server.mails[1]!.raw).toBe(server.mails[0]!.raw);
  });
});

test('a link of any length stays intact, with dots and equals signs anywhere', async () => {
  for (let length = 60; length <= 160; length++) {
    for (const pattern of ['.', '.=']) {
      const link = `https://a.example/${pattern.repeat(length)}`.slice(0, length);
      const recipient = {
        messageId: '<1@a.example>',
        to: 'a@example.com',
        unsubscribe: `${link}u`,
        preferences: `${link}p`,
      };
      const mail = await prepareMessage(createSnapshot(), sender).compose(recipient);
      const decoded = mail.replaceAll('=\r\n', '').replaceAll('=3D', '=');
      expect(decoded.split(`${link}u`)).toHaveLength(4);
      expect(decoded.split(`${link}p`)).toHaveLength(3);
    }
  }
});

test('reports the outcome of each of many messages, and sends none twice', async () => {
  const { server, channel } = await start({ refuse: to => ({ '3': 451, '7': 550 })[to.charAt(0)] });
  const messages = Array.from({ length: 400 }, (_, index) =>
    createMessage(`d${index}`, `${index % 10}.${index}@example.com`, { recipient: links(index) }),
  );
  const byId = await sendAll(channel, messages);
  const outcomes = messages.map(({ deliveryId }) => byId.get(deliveryId)!);
  expect(outcomes.map(({ kind }) => kind)).toEqual(
    messages.map((_, index) => ({ 3: 'failed', 7: 'refused' })[index % 10] ?? 'sent'),
  );
  expect([outcomes[0]!.response, outcomes[3]!.response, outcomes[7]!.response]).toEqual([
    '250 taken',
    '451 not for this one',
    '550 not for this one',
  ]);
  expect(server.mails.map(({ to }) => to.join()).toSorted()).toEqual(
    messages
      .filter((_, index) => ![3, 7].includes(index % 10))
      .map(({ recipient }) => recipient.address)
      .toSorted(),
  );
  for (const { to, raw } of server.mails) expect(raw).toContain(`To: ${to[0]}\r\n`);
  // Four at a time.
  expect(server.connections).toBeGreaterThanOrEqual(4);
  expect(server.connections).toBeLessThanOrEqual(8);
});

test('sends commands one by one to a server without PIPELINING', async () => {
  const { server, channel } = await start({
    hidePIPELINING: true,
    refuse: to => (to.startsWith('1') ? 550 : undefined),
  });
  const outcomes = await sendAll(
    channel,
    ['0', '1', '2', '11', '3'].map(name => createMessage(name, `${name}@example.com`)),
  );
  expect([...outcomes].map(([id, { kind }]) => `${id} ${kind}`).toSorted()).toEqual([
    '0 sent',
    '1 refused',
    '11 refused',
    '2 sent',
    '3 sent',
  ]);
  expect(server.mails).toHaveLength(3);
});

const injections = [
  'a@example.com>\r\nRCPT TO:<b@example.com',
  'a@example.com\r\nBcc: b@example.com',
  'a b@example.com',
  '<a@example.com>',
  'a@b@example.com',
  'a@',
  '@b',
  '',
  'a@exa\u0000mple.com',
];
test('refuses an invalid address without a connection', async () => {
  const { server, channel } = await start();
  const outcomes = await sendAll(
    channel,
    injections.map((address, index) => createMessage(String(index), address)),
  );
  expect([...outcomes.values()].map(({ kind }) => kind)).toEqual(injections.map(() => 'refused'));
  expect([server.mails, server.connections]).toEqual([[], 0]);
});

test('prevents header injection from texts, links and a Message-ID', async () => {
  const { server, channel } = await start();
  const evil = 'x\r\nBcc: b@example.com\r\n\r\nbody';
  const snapshot = createSnapshot({
    text: evil,
    page: { name: evil, supportEmail: null },
    notice: { subject: evil, components: [{ id: 1, name: evil }] },
  });
  const sent = createMessage('1', 'a@example.com', {
    snapshot,
    recipient: { unsubscribe: `https://a.example/${evil}`, preferences: null },
  });
  const outcomes = await sendAll(channel, [{ ...sent, messageId: `<1@x>\r\nBcc: c@example.com` }]);
  expect(outcomes.get('1')!.kind).toBe('sent');
  const [head] = server.mails[0]!.raw.split('\r\n\r\n');
  expect(head).not.toMatch(/^Bcc/im);
  expect(server.mails[0]!.to).toEqual(['a@example.com']);
});

test('writes a non-ASCII domain in punycode, and requires SMTPUTF8 for a non-ASCII local part', async () => {
  const { server, channel } = await start();
  const withoutUtf8 = await start({ hideSMTPUTF8: true });
  const mails = [createMessage('1', 'jose@müller.example'), createMessage('2', 'josé@müller.example')];
  expect([...(await sendAll(channel, mails)).values()].map(({ kind }) => kind)).toEqual(['sent', 'sent']);
  const recipients = server.mails.map(({ raw }) => /^To: (.*)\r$/m.exec(raw)![1]);
  // A header with characters beyond ASCII has the domain as people write it (RFC 6532).
  expect(recipients.toSorted()).toEqual(['jose@xn--mller-kva.example', 'josé@müller.example']);
  const outcomes = await sendAll(withoutUtf8.channel, mails);
  expect([outcomes.get('1')!.kind, outcomes.get('2')!.kind]).toEqual(['sent', 'refused']);
});

test('uses the name of MAIL_FROM rather than that of the page', async () => {
  const { server, channel } = await start({}, parseSender('"Status of all" <status@example.com>', 'localhost')!);
  await sendAll(channel, [createMessage('1', 'a@example.com')]);
  expect((await PostalMime.parse(server.mails[0]!.raw)).from).toEqual({
    name: 'Status of all',
    address: 'status@example.com',
  });
  expect(parseSender('nobody', 'localhost')).toBeNull();
});

test('headers of the settings are in each mail', async () => {
  const server = await startMailServer();
  const channel = openEmail({
    smtpUrl: server.url,
    mailFrom: 'status@example.com',
    publicUrl: '',
    port: 3000,
    mailHeaders: { 'X-SES-CONFIGURATION-SET': 'main' },
  })!;
  cleanups.push(server.stop, () => channel.close());
  await sendAll(channel, [createMessage('1', 'one@example.com')]);
  const mail = { pageName: 'P', subject: 'Confirm', text: 'x', html: 'x', headers: { 'Auto-Submitted': 'no' } };
  await channel.sendTransactional({ ...mail, to: 'two@example.com' });
  expect(server.mails.map(({ raw }) => /^X-SES-CONFIGURATION-SET: main\r$/im.test(raw))).toEqual([true, true]);
  expect(server.mails[1]!.raw).toMatch(/^Auto-Submitted: no\r$/m);
});
