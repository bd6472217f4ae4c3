import { beforeEach, expect, jest, test } from '@jest/globals';
import { loadLinkKey } from '../../../src/auth/link-key.service.js';
import { Admission } from '../../../src/http/admission/admission.js';
import { signLink } from '../../../src/subscribers/signed-link.js';
import { readReportMail } from '../../../src/notifications/bounces/report-mail.js';
import { recordMailEvents } from '../../../src/notifications/bounces/record-mail-events.js';
import { rotateBounceHook } from '../../../src/notifications/bounces/bounce-hook.service.js';
import {
  createChannelFailureMails,
  pushChannelFailures,
} from '../../../src/notifications/failures/channel-failure-report.js';
import { endFailures } from '../../../src/notifications/failures/channel-failures.js';
import { sendOperatorMails } from '../../../src/notifications/operator-mail/operator-mail.js';
import { recordOutcomes } from '../../../src/notifications/delivery/record-outcomes.js';
import { Writer } from '../../../src/records/writer.js';
import { createPublishingPage, fanOutAll, leaseAll } from '../../support/ledger.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';

/** What is reported of a mail after its server accepted it, by a provider or by a mail. */
const service = useOwnService(withChannels);
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let token: string;
beforeEach(async () => {
  await service.database.query('delete from publication');
  await service.database.query('delete from channel_failure');
  page = await createPublishingPage(service, {}, []);
  token = await rotateBounceHook(new Writer(service.database));
});

/** Publishes to all subscribers. Their server accepts each mail by an answer that ends with `queued as <n>-<address>`. */
let count = 0;
async function publish(): Promise<void> {
  count += 1;
  await page.notice({ subject: `No. ${count}` });
  await fanOutAll(service.database);
  await recordOutcomes(
    service.database,
    (await leaseAll(service.database)).map(({ id, lease, address }) => ({
      id,
      lease,
      outcome: 'sent' as const,
      response: `250 2.0.0 queued as ${count}-${address}`,
      retrySeconds: null,
      thread: null,
    })),
  );
}

async function report(body: unknown, type = 'application/json', to = token) {
  const response = await service.call('POST', `/hooks/bounces/${to}`, {
    headers: { 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return `${response.status} ${response.text.trim()}`;
}
const ses = (address: string, messageId: string, kind: 'Bounce' | 'Complaint' = 'Bounce') => ({
  notificationType: kind,
  mail: { messageId },
  bounce: {
    bounceType: 'Permanent',
    bouncedRecipients: [{ emailAddress: address, diagnosticCode: 'smtp; 550 5.1.1 user unknown' }],
  },
  complaint: { complainedRecipients: [{ emailAddress: address }] },
});
const readStates = async () =>
  (await page.deliveries()).map(({ address, state, reason }) => `${address} ${reason ?? state}`);
const readRefusals = () =>
  service.database.query<{ count: number; isSuspended: boolean }>(
    `select count, suspended_at is not null as "isSuspended" from recipient_refusals where page_id = $1`,
    [page.id],
  );
const moveTimesBack = (interval: string) =>
  service.database.query(
    `with moved as (update delivery set sent_at = sent_at - $1::interval where page_id = $2)
     update recipient_refusals set refused_at = refused_at - $1::interval where page_id = $2`,
    [interval, page.id],
  );
const dsn = (address: string, messageId: string) =>
  [
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    `Final-Recipient: rfc822; ${address}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
    '',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: ${messageId}`,
    '',
    '--b--',
    '',
  ].join('\r\n');

test('three bounces in a row suspend, though the server accepts each mail first', async () => {
  await page.subscribe('ada@customer.example');
  await page.subscribe('bo@customer.example');
  for (let number = 1; number <= 3; number++) {
    expect(await readRefusals()).toEqual(number === 1 ? [] : [{ count: number - 1, isSuspended: false }]);
    await publish();
    await moveTimesBack('40 days');
    expect(await report(ses('Ada@customer.example', `${count}-ada@customer.example`))).toBe(
      '200 bounces: 1, complaints: 0, ignored: 0',
    );
  }
  expect(await readRefusals()).toEqual([{ count: 3, isSuspended: true }]);
  await publish();
  expect((await readStates()).slice(-2).toSorted()).toEqual([
    'ada@customer.example suspended',
    'bo@customer.example sent',
  ]);
  const { json } = await service.graphql(
    `{ deliveries(pageId: "${page.id}", filter: { reason: { eq: REFUSED } }, first: 1) {
      nodes { state sentAt attempts { outcome response } } } }`,
  );
  expect(json.data.deliveries.nodes).toEqual([
    {
      state: 'DEAD',
      sentAt: null,
      attempts: [
        { outcome: 'SENT', response: expect.stringMatching(/^250 /) },
        { outcome: 'BOUNCED', response: 'smtp; 550 5.1.1 user unknown' },
      ],
    },
  ]);
});

test('a mail that was not reported since the bounce begins the count anew, after a day', async () => {
  await page.subscribe('ada@customer.example');
  await publish();
  await report(ses('ada@customer.example', `${count}-ada@customer.example`));
  await publish();
  await publish();
  expect(await readRefusals()).toEqual([{ count: 1, isSuspended: false }]);
  await service.database.query(
    `update recipient_refusals set refused_at = refused_at - interval '2 days' where page_id = $1`,
    [page.id],
  );
  await service.database.query(`update delivery set sent_at = sent_at - interval '30 hours' where page_id = $1`, [
    page.id,
  ]);
  await publish();
  expect(await readRefusals()).toEqual([]);
});

test('a report that is repeated, or is of a mail that is not known, changes nothing', async () => {
  await page.subscribe('ada@customer.example');
  await publish();
  await publish();
  const [first, second] = await page.deliveries();
  const ignored = '200 bounces: 0, complaints: 0, ignored: 1';
  expect(await report(dsn('ada@customer.example', first!.messageId), 'message/rfc822')).toMatch(/bounces: 1,/);
  expect(await report(dsn('ada@customer.example', first!.messageId), 'message/rfc822')).toBe(ignored);
  expect(await readStates()).toEqual(['ada@customer.example refused', 'ada@customer.example sent']);
  // An id that nothing has: the latest mail to the address, once.
  expect(await report(ses('ada@customer.example', 'of-no-mail-here'))).toMatch(/bounces: 1,/);
  expect(await report(ses('ada@customer.example', 'of-no-mail-here'))).toBe(ignored);
  expect((await page.deliveries()).find(({ id }) => id === second!.id)).toMatchObject({ state: 'dead' });
  expect(await report(ses('nobody@customer.example', 'of-no-mail-here'))).toBe(ignored);
  expect(await readRefusals()).toEqual([{ count: 2, isSuspended: false }]);
});

test('a report that names another mail neither ends nor counts anything, where anybody could have sent it', async () => {
  await page.subscribe('ada@customer.example');
  await publish();
  const ignored = '200 bounces: 0, complaints: 0, ignored: 1';
  // Of a newsletter by the same account, and forged by somebody who knows the address alone.
  expect(await report(ses('ada@customer.example', 'of-a-newsletter', 'Complaint'))).toBe(ignored);
  expect(await report(dsn('ada@customer.example', '<another@mail.example>'), 'message/rfc822')).toBe(ignored);
  // What each response of a mail server has in it.
  for (const id of ['<250 2.0.0>', '<queued as>', '<250 2.0.0 queued as>'])
    expect(await report(dsn('ada@customer.example', id), 'message/rfc822')).toBe(ignored);
  expect(await readStates()).toEqual(['ada@customer.example sent']);
});

test('a complaint unsubscribes, and the audit log says why', async () => {
  const subscriber = await page.subscribe('ada@customer.example');
  await publish();
  const body = ses('ada@customer.example', `${count}-ada@customer.example`, 'Complaint');
  expect(await report(body)).toBe('200 bounces: 0, complaints: 1, ignored: 0');
  expect(await report(body)).toBe('200 bounces: 0, complaints: 0, ignored: 1');
  await publish();
  expect(await readStates()).toEqual(['ada@customer.example sent']);
  const { json } = await service.graphql(
    `{ auditLog(pageId: "${page.id}", filter: { operation: { eq: "recordComplaint" } }) {
      nodes { subject subjectId changes { field after } } } }`,
  );
  expect(json.data.auditLog.nodes).toEqual([
    {
      subject: 'Subscriber',
      subjectId: String(subscriber),
      changes: [{ field: 'unsubscribedFor', after: 'Complaint' }],
    },
  ]);
});

test('a complaint counts by the ASCII form of a domain, to which the mail was sent', async () => {
  await page.subscribe('ada@bücher.example');
  await publish();
  const body = ses('ada@xn--bcher-kva.example', '', 'Complaint');
  expect(await report(body)).toBe('200 bounces: 0, complaints: 1, ignored: 0');
});

test('SNS sends notifications, and confirms a subscription at its own hosts only', async () => {
  await page.subscribe('ada@customer.example');
  await publish();
  const sns = (Type: string, values: object) => ({
    Type,
    TopicArn: 'arn:aws:sns:eu-west-1:1:t',
    MessageId: 'm',
    ...values,
  });
  const Message = JSON.stringify(ses('ada@customer.example', `${count}-ada@customer.example`));
  expect(await report(sns('Notification', { Message }), 'text/plain; charset=UTF-8')).toMatch(/^200 bounces: 1,/);
  expect(await report(sns('Notification', { Message: 'Successfully validated SNS topic' }))).toMatch(
    /^200 bounces: 0,/,
  );
  for (const SubscribeURL of [
    'https://sns.eu-west-1.amazonaws.com.evil.example/?Action=ConfirmSubscription',
    'http://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription',
    'https://sns.eu-west-1.amazonaws.com/?Action=Publish',
    'https://169.254.169.254/?Action=ConfirmSubscription',
    undefined,
  ])
    expect(await report(sns('SubscriptionConfirmation', { SubscribeURL }))).toMatch(/^422 `SubscribeURL` must confirm/);
});

test('what cannot be read is refused with what was expected, and an old address ends', async () => {
  expect(await report('')).toMatch(/^400 The body must be JSON, or a mail as message\/rfc822\./);
  expect(await report('{')).toMatch(/^400 The body is not JSON\./);
  expect(await report({ hello: 1 })).toMatch(
    /^422 The body has none of the known formats .* Amazon SES, by SNS, Postmark, Mailgun/,
  );
  expect(await report('Subject: Re: Outage\r\n\r\nThanks', 'message/rfc822')).toBe(
    '200 bounces: 0, complaints: 0, ignored: 0',
  );
  expect((await service.call('GET', `/hooks/bounces/${token}`)).status).toBe(405);
  const old = token;
  token = await rotateBounceHook(new Writer(service.database));
  expect(await report([], undefined, old)).toMatch(/^404 Bounces are not read at this address\./);
  expect(await report([])).toBe('200 bounces: 0, complaints: 0, ignored: 0');
});

const byHook = async (address: string, _messageId: string) =>
  expect(await report(ses(address, `${count}-${address}`))).toMatch(/bounces: 1,/);
const byCommand = async (address: string, messageId: string) =>
  expect(
    await recordMailEvents(service.database, await readReportMail(Buffer.from(dsn(address, messageId)))),
  ).toMatchObject({ bounces: 1 });
const readFailures = () =>
  service.database.query<{ response: string; isReported: boolean; isEnded: boolean }>(
    `select response, reported_at is not null as "isReported", ended_at is not null as "isEnded"
     from channel_failure where page_id = $1`,
    [page.id],
  );
const countReasons = async () => {
  const latest = (await page.deliveries()).filter(({ id }) => BigInt(id) > newestBefore);
  return Object.fromEntries(
    [...Map.groupBy(latest, ({ state, reason }) => reason ?? state)].map(([name, all]) => [name, all.length]),
  );
};
let newestBefore = 0n;
const markNewest = async () => {
  newestBefore = BigInt((await page.deliveries()).at(-1)?.id ?? 0);
};

test.each([
  ['to the hook', byHook],
  ['to the command', byCommand],
])(
  'bounces of more than a third with one answer, %s, count against nobody, and the channel fails',
  async (_, bounce) => {
    await page.subscribeMany(12);
    // What was counted hours before stays.
    await publish();
    const [first] = await page.deliveries();
    await bounce(first!.address, first!.messageId);
    await service.database.query(`update attempt set at = at - interval '2 hours'`);
    await markNewest();
    await publish();
    const deliveries = (await page.deliveries()).filter(({ id }) => BigInt(id) > newestBefore);
    for (const { address, messageId } of deliveries.slice(0, 4)) await bounce(address, messageId);
    expect(await readFailures()).toEqual([]);
    expect(await countReasons()).toEqual({ refused: 4, sent: 8 });
    expect((await readRefusals()).map(({ count: refusals }) => refusals).toSorted()).toEqual([1, 1, 1, 2]);
    for (const { address, messageId } of deliveries.slice(4, 6)) await bounce(address, messageId);
    expect(await readFailures()).toEqual([
      { response: expect.stringContaining('5.1.1'), isReported: false, isEnded: false },
    ]);
    expect(await countReasons()).toEqual({ 'channel failed': 6, sent: 6 });
    expect(await readRefusals()).toEqual([{ count: 1, isSuspended: false }]);
    // A mail that is accepted says nothing: those that bounced were accepted, too.
    await publish();
    await endFailures(service.database, ['email']);
    expect(await readFailures()).toMatchObject([{ isEnded: false }]);
    await service.database.query(`update channel_failure set refused_at = refused_at - interval '2 hours'`);
    await endFailures(service.database, ['email']);
    expect(await readFailures()).toMatchObject([{ isEnded: true }]);
  },
);

test('three publications that bounce at once suspend nobody, and the channel is reported once', async () => {
  await page.subscribeMany(12);
  for (let publication = 1; publication <= 3; publication++) await publish();
  const mails: string[] = [];
  const sendMails = () =>
    sendOperatorMails(
      service.database,
      createChannelFailureMails(service.database, 'ops@acme.example', 'https://console.example'),
      async mail => {
        mails.push(`${mail.to}: ${mail.subject} ${/Resend all that failed/.test(mail.text)}`);
      },
    );
  const deliveries = await page.deliveries();
  // Each person's mails together, so that three count before any publication has reached a third.
  for (const { address, messageId } of deliveries.toSorted((a, b) => a.address.localeCompare(b.address)))
    await byCommand(address, messageId);
  expect(await readRefusals()).toEqual([]);
  await pushChannelFailures(service.database, '', async () => {});
  await sendMails();
  await sendMails();
  expect(mails).toEqual(['ops@acme.example: E-mail is refused on Meridian: 12 of 12 bounced true']);
});

const readCounts = () =>
  service.database.query('select count, check_at as "checkAt" from bounce_count order by count desc');

test('a mail that bounces again after it was sent again counts once for the share of its publication', async () => {
  await page.subscribeMany(12);
  await publish();
  const [first] = await page.deliveries();
  for (let time = 1; time <= 5; time++) {
    await byCommand(first!.address, first!.messageId);
    await service.database.query(`update delivery set state = 'sent', sent_at = now() where state = 'dead'`);
  }
  expect(await readCounts()).toEqual([{ count: 1, checkAt: 4 }]);
});

test('the outcomes of a publication are read when the bounces can be a third of them, in any process', async () => {
  await page.subscribeMany(40);
  await publish();
  // As if there were 360 more mails that were accepted, and 34 bounces that another process has recorded.
  await service.database.query(
    `insert into delivery (page_id, publication_id, notice_id, channel, recipient_key, address, message_id, state, due_at,
       created_at, queued_at)
     select page_id, publication_id, notice_id, 'email', 'more-' || n, 'more-' || n, '<' || n || '>', 'sent', now(),
       now(), now()
     from (select * from delivery limit 1) d, generate_series(1, 360) n`,
  );
  const deliveries = (await page.deliveries()).slice(0, 5);
  const bounceNext = async () => {
    const { address, messageId } = deliveries.shift()!;
    const read = jest.spyOn(service.database, 'query');
    await byCommand(address, messageId);
    const limits = read.mock.calls.filter(([text]) => text.includes('as known')).map(([, values]) => values![1]);
    read.mockRestore();
    return limits;
  };
  // One is below the fewest that can be a third; four are compared with twelve deliveries.
  expect(await bounceNext()).toEqual([]);
  await service.database.query('update bounce_count set count = 3');
  expect(await bounceNext()).toEqual([12]);
  await service.database.query('update bounce_count set count = 34');
  expect(await bounceNext()).toEqual([null]);
  expect(await readCounts()).toEqual([{ count: 35, checkAt: 134 }]);
  expect(await bounceNext()).toEqual([]);
  expect(await readFailures()).toEqual([]);
  await service.database.query('update bounce_count set count = 133');
  expect(await bounceNext()).toEqual([null]);
  expect(await readFailures()).toHaveLength(1);
});

test('an answer by which mail fails on one page counts against nobody on another, which has no failure', async () => {
  await page.subscribeMany(12);
  await publish();
  for (const { address, messageId } of (await page.deliveries()).slice(0, 5)) await byCommand(address, messageId);
  expect(await readFailures()).toHaveLength(1);
  page = await createPublishingPage(service, {}, []);
  await page.subscribe('ada@customer.example');
  await publish();
  await byCommand('ada@customer.example', (await page.deliveries())[0]!.messageId);
  expect([await readFailures(), await readRefusals()]).toEqual([[], []]);
  expect(await readStates()).toEqual(['ada@customer.example channel failed']);
});

test('an answer by which mail fails on one page fails another, too, where more than a third get it', async () => {
  await page.subscribeMany(12);
  await publish();
  for (const { address, messageId } of (await page.deliveries()).slice(0, 5)) await byCommand(address, messageId);
  page = await createPublishingPage(service, {}, []);
  await page.subscribeMany(12);
  await publish();
  const deliveries = await page.deliveries();
  for (const { address, messageId } of deliveries.slice(0, 4)) await byCommand(address, messageId);
  expect(await readFailures()).toEqual([]);
  await byCommand(deliveries[4]!.address, deliveries[4]!.messageId);
  expect(await readFailures()).toMatchObject([{ isReported: false, isEnded: false }]);
  expect(await readRefusals()).toEqual([]);
});

test('a mail with the signed subject unsubscribes once, from any address, and no other mail does', async () => {
  const ada = await page.subscribe('ada@customer.example');
  const bo = await page.subscribe('bo@customer.example');
  const key = await loadLinkKey(service.database, page.id);
  const sign = (subscriberId: number) => signLink(key, { purpose: 'unsubscribe', pageId: page.id, subscriberId });
  const mail = (pageId: string, token: string) =>
    `From: a@else.example\r\nSubject: Unsubscribe  ${pageId}.${token}\r\n\r\n`;
  const preferences = signLink(key, { purpose: 'preferences', pageId: page.id, subscriberId: bo });
  const ignored = '200 bounces: 0, complaints: 0, ignored: 1';
  for (const [pageId, token] of [
    ['00000000', sign(bo)],
    [page.id, preferences],
    [page.id, sign(bo).replace(/^[^.]*/, (bo + 1_000).toString(36))],
    [page.id, sign(bo).replace(/.(?=.{9}$)/, letter => (letter === 'A' ? 'B' : 'A'))],
  ] as const)
    expect(await report(mail(pageId, token), 'message/rfc822')).toBe(ignored);
  expect(await report(`Subject: unsubscribe\r\n\r\n${sign(bo)}`, 'message/rfc822')).toMatch(/ignored: 0$/);
  expect(await report(mail(page.id, sign(ada)), 'message/rfc822')).toBe('200 Unsubscribed.');
  expect(await report(mail(page.id, sign(ada)), 'message/rfc822')).toBe(ignored);
  await publish();
  expect(await readStates()).toEqual(['bo@customer.example sent']);
});

test('characters that the database cannot store are no mail of anybody, in an address as in an id', async () => {
  await page.subscribe('ada@customer.example');
  await publish();
  const ignored = '200 bounces: 0, complaints: 0, ignored: 1';
  expect(await report(ses('a\0da@customer.example', 'of-no-mail-here'))).toBe(ignored);
  expect(await report(ses('nobody@customer.example', 'of-no-\0-mail'))).toBe(ignored);
  expect(await report(ses('nobody@customer.example', 'of-no-\ud800-mail'))).toBe(ignored);
  expect(await report(dsn('ada@\0customer.example', '<a\0b@mail.example>'), 'message/rfc822')).toBe(ignored);
  const body = ses('ada@customer.example', `${count}-ada@customer.example`);
  body.bounce.bouncedRecipients[0]!.diagnosticCode = 'smtp; 550 5.1.1 user\0 \ud800 unknown';
  expect(await report(body)).toMatch(/^200 bounces: 1/);
});

test('another write waits for some events, and not for thousands', async () => {
  const admission = new Admission({ maxRequests: 100, connections: 1 });
  const mails = Array.from({ length: 50 }, (_, index) => Buffer.from(dsn(`${index}@customer.example`, 'of-no-mail')));
  const events = (await Promise.all(mails.map(readReportMail))).flat();
  let begun = 0;
  const recording = recordMailEvents(service.database, events, write =>
    admission.run('write', () => {
      begun += 1;
      return write();
    }),
  );
  const before = await admission.run('write', async () => begun);
  expect(await recording).toMatchObject({ ignored: 50 });
  expect([before, begun]).toEqual([1, 3]);
});
