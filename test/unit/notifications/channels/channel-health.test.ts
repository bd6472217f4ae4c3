import { afterEach, expect, test } from '@jest/globals';
import type { Outcome } from '../../../../src/notifications/channels/channel.js';
import { ChannelHealth } from '../../../../src/notifications/channels/channel-health.js';
import { openChannels } from '../../../../src/server/open-channels.js';
import { startReceiver } from '../../../support/http-receiver.js';
import { createTestLogger } from '../../../support/log-lines.js';
import { startMailServer } from '../../../support/mail-server.js';
import { createSnapshot } from '../../../support/message-snapshots.js';
import { createMessage, sendAll } from '../../../support/outgoing-messages.js';
import { createTestSettings, withChannels } from '../../../support/settings.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const unreachable: Outcome = { kind: 'failed', response: 'connect ECONNREFUSED', unreachable: true };
const sent: Outcome = { kind: 'sent', response: '250 ok' };

function createHealth() {
  const { log, lines, text } = createTestLogger();
  const health = new ChannelHealth(log);
  const reportAll = (outcomes: Outcome[], pageId: string | null = null) => {
    for (const outcome of outcomes) health.report({ channel: pageId ? 'chatA' : 'email', pageId, outcome });
  };
  const messages = () => lines().map(({ msg, page, reason }) => [msg, page, reason].filter(Boolean).join(': '));
  return { health, reportAll, messages, lines, text };
}

/** Opens the channels of a service that reports to its log. */
function openReporting(overrides: Partial<typeof withChannels>) {
  const { log, lines, text } = createTestLogger();
  const channels = openChannels(createTestSettings({ ...withChannels, ...overrides }), new ChannelHealth(log).report);
  cleanups.push(() => channels.close());
  return { channels, lines, text };
}

test('a channel that fails and works again is logged once each, with the reason', () => {
  const { health, reportAll, messages, lines } = createHealth();
  reportAll([sent, unreachable, unreachable, unreachable]);
  expect(messages()).toEqual(['a channel fails: connect ECONNREFUSED']);
  expect([...health.countFailing()]).toEqual([['email', 1]]);
  reportAll([sent, sent]);
  expect(messages()).toEqual(['a channel fails: connect ECONNREFUSED', 'a channel works again']);
  expect(lines().map(({ level, channel }) => [level, channel])).toEqual([
    [40, 'E-mail'],
    [40, 'E-mail'],
  ]);
  expect([...health.countFailing()]).toEqual([]);
});

test('each page has channels of its own', () => {
  const { health, reportAll, messages } = createHealth();
  reportAll([{ kind: 'refused', response: '404 no_service' }], '2017f84a');
  reportAll([unreachable], '0a1b2c3d');
  reportAll([sent], '2017f84a');
  expect(messages()).toEqual([
    'a channel fails: 2017f84a: 404 no_service',
    'a channel fails: 0a1b2c3d: connect ECONNREFUSED',
    'a channel works again: 2017f84a',
  ]);
  expect([...health.countFailing()]).toEqual([['chatA', 1]]);
});

test('an address that is refused, perhaps here, does not say that the mail server works again', () => {
  const { reportAll, messages } = createHealth();
  const invalid: Outcome = { kind: 'refused', response: 'This is not a valid e-mail address.' };
  reportAll([unreachable, invalid, unreachable, invalid]);
  expect(messages()).toEqual(['a channel fails: connect ECONNREFUSED']);
});

test('a mail server that refuses recipients works; one that fails for five in a row does not', () => {
  const { reportAll, messages } = createHealth();
  const refused: Outcome = { kind: 'refused', response: '550 no such user' };
  const greylisted: Outcome = { kind: 'failed', response: '451 4.7.1 <ada@example.com> try later, +491701234567' };
  reportAll([refused, greylisted, greylisted, greylisted, greylisted, refused, greylisted]);
  expect(messages()).toEqual([]);
  reportAll([greylisted, greylisted, greylisted, greylisted]);
  expect(messages()).toEqual(['a channel fails: 451 4.7.1 <[…]> try later, […]']);
});

test('a wrong password of the mail server is logged in its words, without the password', async () => {
  let password = 'another';
  const server = await startMailServer({
    disabledCommands: ['STARTTLS'],
    onAuth: (auth, _session, done) =>
      auth.password === password
        ? done(null, { user: 'status' })
        : done(Object.assign(new Error(`5.7.8 ${auth.password} is not the password`), { responseCode: 535 })),
  });
  cleanups.push(server.stop);
  const { channels, lines, text } = openReporting({ smtpUrl: server.url.replace('://', '://status:hunter2secret@') });
  const email = channels.adapters.get('email')!;
  await sendAll(email, [createMessage('1', 'ada@example.com'), createMessage('2', 'bob@example.com')]);
  expect(lines()).toEqual([
    {
      level: 40,
      time: expect.any(String),
      channel: 'E-mail',
      reason: 'The mail server refused AUTH PLAIN: 535 5.7.8 […] is not the password',
      msg: 'a channel fails',
    },
  ]);
  password = 'hunter2secret';
  const mail = { to: 'eve@example.com', pageName: 'P', subject: 'S', text: 'T', html: '<p>T</p>', headers: {} };
  await channels.confirmationSender.sendMail(mail);
  expect(lines().map(({ msg }) => msg)).toEqual(['a channel fails', 'a channel works again']);
  expect(text()).not.toMatch(/hunter2secret|example\.com/);
});

test('a webhook that refuses is logged with the page, without its address', async () => {
  const webhook = await startReceiver(request => ({ status: 403, body: `invalid_token ${request.path}` }));
  cleanups.push(webhook.stop);
  const { channels, lines, text } = openReporting({});
  const recipient = { target: { url: `${webhook.url}/services/T000/B000/secretsecret` }, subscriberId: null };
  await sendAll(channels.adapters.get('chatA')!, [createMessage('1', 'Slack', { recipient })]);
  const { id } = createSnapshot().page;
  expect(lines()).toMatchObject([
    { msg: 'a channel fails', channel: 'Slack', page: id, reason: '403 invalid_token […]' },
  ]);
  expect(text()).not.toContain('secretsecret');
});

test('a gateway that cannot be reached for a confirmation is logged', async () => {
  const { channels, lines, text } = openReporting({});
  await expect(channels.confirmationSender.sendSms({ to: '+491701234567', text: 'Hi' })).rejects.toThrow();
  expect(lines()).toMatchObject([
    { msg: 'a channel fails', channel: 'SMS', reason: expect.stringMatching(/ECONNREFUSED/) },
  ]);
  expect(text()).not.toMatch(/sms-secret|170123/);
});
