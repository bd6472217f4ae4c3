import { expect, test } from '@jest/globals';
import { isGone, type MailEvent } from '../../../../src/notifications/bounces/mail-event.js';
import { readMailEvents } from '../../../../src/notifications/bounces/providers.js';
import { readReportMail as readMail } from '../../../../src/notifications/bounces/report-mail.js';

const readReportMail = async (content: Buffer): Promise<MailEvent[]> =>
  (await readMail(content)).filter(event => event.kind !== 'unsubscribed');

/** Events as providers document them, shortened. */
const sesBounce = (bounceType: string, recipient: object) => ({
  eventType: 'Bounce',
  bounce: {
    bounceType,
    bounceSubType: 'General',
    feedbackId: '0102',
    bouncedRecipients: [{ emailAddress: 'ada@customer.example', action: 'failed', ...recipient }],
  },
  mail: { messageId: '0100018f-ses-000000', commonHeaders: { messageId: '<own@example.com>' } },
});
const sendGrid = (event: object) => ({
  email: 'ada@customer.example',
  timestamp: 1_700_000_000,
  sg_event_id: 'e',
  'smtp-id': '<own@example.com>',
  sg_message_id: '14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0',
  ...event,
});
const mailgun = (data: object) => ({
  signature: { token: 't', timestamp: '1', signature: 's' },
  'event-data': {
    recipient: 'ada@customer.example',
    message: { headers: { 'message-id': 'own@example.com' } },
    ...data,
  },
});

test.each<[name: string, body: unknown, expected: string[]]>([
  [
    'SES, permanent',
    sesBounce('Permanent', { status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' }),
    ['bounced gone 0100018f-ses-000000,own@example.com smtp; 550 5.1.1 user unknown'],
  ],
  [
    'SES, suppressed: no answer of a server',
    sesBounce('Permanent', {}),
    ['bounced gone 0100018f-ses-000000,own@example.com Permanent General'],
  ],
  [
    'SES, a block list that it calls permanent',
    sesBounce('Permanent', { diagnosticCode: 'smtp; 550 5.7.1 Service unavailable; client host in Spamhaus' }),
    ['bounced here 0100018f-ses-000000,own@example.com smtp; 550 5.7.1 Service unavailable; client host in Spamhaus'],
  ],
  [
    'SES, a full mailbox',
    sesBounce('Transient', { diagnosticCode: 'smtp; 552 5.2.2 mailbox full' }),
    ['bounced here 0100018f-ses-000000,own@example.com smtp; 552 5.2.2 mailbox full'],
  ],
  ['SES, the answer of a person who is away', sesBounce('Transient', { bounceSubType: 'General' }), []],
  [
    'Postmark, the answer of a program',
    { RecordType: 'Bounce', Type: 'AutoResponder', Email: 'ada@customer.example', MessageID: '883953f4-6105' },
    [],
  ],
  [
    'Postmark, an unsubscription',
    { RecordType: 'Bounce', Type: 'Unsubscribe', Email: 'ada@customer.example', MessageID: '883953f4-6105' },
    ['complained here 883953f4-6105 Unsubscribe'],
  ],
  [
    'SES, a complaint',
    {
      notificationType: 'Complaint',
      complaint: {
        complainedRecipients: [{ emailAddress: 'Ada <ada@customer.example>' }],
        complaintFeedbackType: 'abuse',
      },
      mail: { messageId: '0100018f-ses-000000' },
    },
    ['complained here 0100018f-ses-000000 Complaint abuse'],
  ],
  ['SES, a delivery', { eventType: 'Delivery', mail: { messageId: '0100018f-ses-000000' }, delivery: {} }, []],
  [
    'Postmark, permanent',
    {
      RecordType: 'Bounce',
      Type: 'HardBounce',
      Email: 'ada@customer.example',
      MessageID: '883953f4-6105',
      Details: 'smtp;550 5.1.1 The email account does not exist',
      Inactive: true,
    },
    ['bounced gone 883953f4-6105 HardBounce smtp;550 5.1.1 The email account does not exist'],
  ],
  [
    'Postmark, soft',
    {
      RecordType: 'Bounce',
      Type: 'SoftBounce',
      Email: 'ada@customer.example',
      MessageID: '883953f4-6105',
      Details: '',
    },
    ['bounced here 883953f4-6105 SoftBounce'],
  ],
  [
    'Postmark, a complaint',
    { RecordType: 'SpamComplaint', Type: 'SpamComplaint', Email: 'ada@customer.example', MessageID: '883953f4-6105' },
    ['complained here 883953f4-6105 SpamComplaint'],
  ],
  [
    'Mailgun, permanent',
    mailgun({
      event: 'failed',
      severity: 'permanent',
      reason: 'bounce',
      'delivery-status': { code: 550, message: '5.1.1 The email account does not exist' },
    }),
    ['bounced gone own@example.com 550 5.1.1 The email account does not exist'],
  ],
  [
    'Mailgun, bounced before',
    mailgun({
      event: 'failed',
      severity: 'permanent',
      reason: 'suppress-bounce',
      'delivery-status': { code: 605, message: '', description: 'Not delivering to previously bounced address' },
    }),
    ['bounced gone own@example.com suppress-bounce Not delivering to previously bounced address'],
  ],
  ['Mailgun, tried again', mailgun({ event: 'failed', severity: 'temporary', 'delivery-status': { code: 450 } }), []],
  ['Mailgun, a complaint', mailgun({ event: 'complained' }), ['complained here own@example.com complained']],
  [
    'SendGrid, several',
    [
      sendGrid({ event: 'bounce', type: 'bounce', status: '5.1.1', reason: '550 5.1.1 The account does not exist' }),
      sendGrid({ event: 'bounce', type: 'blocked', status: '5.7.1', reason: '550 5.7.1 Blocked by policy' }),
      sendGrid({ event: 'dropped', reason: 'Bounced Address' }),
      sendGrid({ event: 'spamreport' }),
      sendGrid({ event: 'delivered', response: '250 OK' }),
    ],
    [
      'bounced gone own@example.com,14c5d75ce93 550 5.1.1 The account does not exist',
      'bounced here own@example.com,14c5d75ce93 550 5.7.1 Blocked by policy',
      'bounced gone own@example.com,14c5d75ce93 Bounced Address',
      'complained here own@example.com,14c5d75ce93 spamreport',
    ],
  ],
  [
    'Brevo, permanent',
    {
      event: 'hard_bounce',
      email: 'ada@customer.example',
      'message-id': '<own@example.com>',
      reason: 'does not exist',
    },
    ['bounced gone own@example.com hard_bounce does not exist'],
  ],
  [
    'Brevo, a complaint',
    { event: 'spam', email: 'ada@customer.example', 'message-id': '<own@example.com>' },
    ['complained here own@example.com spam'],
  ],
  ['Brevo, opened', { event: 'opened', email: 'ada@customer.example', 'message-id': '<own@example.com>' }, []],
])('%s', (_, body, expected) => {
  const events = readMailEvents(body)!;
  expect(events.map(({ addresses }) => addresses)).toEqual(events.map(() => ['ada@customer.example']));
  expect(
    events.map(event => `${event.kind} ${isGone(event) ? 'gone' : 'here'} ${event.ids.join()} ${event.response}`),
  ).toEqual(expected);
});

test.each([[[]], [null], ['text'], [5], [{}], [{ event: 'bounce' }], [[null, sendGrid({ event: 'bounce' })]]])(
  'what has another shape is known as such: %j',
  body => expect(readMailEvents(body)).toEqual(Array.isArray(body) && !body.length ? [] : null),
);

test.each([
  { ...sesBounce('Permanent', {}), bounce: null },
  { ...sesBounce('Permanent', {}), bounce: { bouncedRecipients: [null, 5, { emailAddress: {} }, {}] } },
  { RecordType: 'Bounce', Email: ['ada@customer.example'], MessageID: {} },
  mailgun({ event: 'failed', severity: 'permanent', recipient: 7, 'delivery-status': 'x', message: null }),
  sendGrid({ event: 'bounce', email: null, reason: [] }),
])('fields of another type are no event: %j', body => expect(readMailEvents(body)).toEqual([]));

const report = (type: string, parts: [type: string, content: string][]) =>
  Buffer.from(
    [
      'From: MAILER-DAEMON@mx.example',
      'To: status@example.com',
      'Subject: Undelivered Mail',
      'MIME-Version: 1.0',
      `Content-Type: multipart/report; report-type=${type}; boundary="b"`,
      '',
      ...parts.flatMap(([partType, content]) => ['--b', `Content-Type: ${partType}`, '', content]),
      '--b--',
      '',
    ]
      .join('\n')
      .replaceAll('\n', '\r\n'),
  );
const original: [string, string] = ['text/rfc822-headers', 'Message-ID: <own@example.com>\nTo: ada@customer.example\n'];
const status = (fields: string): [string, string] => [
  'message/delivery-status',
  `Reporting-MTA: dns; mx.example\n\nFinal-Recipient: rfc822; ada@mail.example\n${fields}\n`,
];

test.each<[string, Buffer, unknown[]]>([
  [
    'a failure with a folded answer and an alias',
    report('delivery-status', [
      ['text/plain', 'Sorry.'],
      status(
        'Original-Recipient: rfc822;ada@customer.example\nAction: failed\nStatus: 5.1.1\n' +
          'Diagnostic-Code: smtp; 550 5.1.1 <ada@customer.example>:\n    User unknown',
      ),
      original,
    ]),
    [
      {
        kind: 'bounced',
        addresses: ['ada@customer.example', 'ada@mail.example'],
        ids: ['own@example.com'],
        response: '550 5.1.1 <ada@customer.example>: User unknown',
        mustBeNamed: true,
        isByMail: true,
        isPermanent: false,
      },
    ],
  ],
  [
    'a failure with its status alone, and the whole mail',
    report('delivery-status', [
      status('Action: failed\nStatus: 5.1.10'),
      ['message/rfc822', 'Subject: Outage\nMessage-ID:\n <own@example.com>\n\nMessage-ID: <other@example.com>\n'],
    ]),
    [
      {
        kind: 'bounced',
        addresses: ['ada@mail.example'],
        ids: ['own@example.com'],
        response: '550 5.1.10',
        mustBeNamed: true,
        isByMail: true,
        isPermanent: false,
      },
    ],
  ],
  ['a delay', report('delivery-status', [status('Action: delayed\nStatus: 4.4.1'), original]), []],
  [
    'a complaint',
    report('feedback-report', [['message/feedback-report', 'Feedback-Type: abuse\nVersion: 1\n'], original]),
    [
      {
        kind: 'complained',
        addresses: ['ada@customer.example'],
        ids: ['own@example.com'],
        response: 'Complaint abuse',
        mustBeNamed: true,
        isByMail: true,
        isPermanent: false,
      },
    ],
  ],
  ['an answer of a person', Buffer.from('From: ada@customer.example\r\nSubject: Re: Outage\r\n\r\nThanks\r\n'), []],
  ['no mail', Buffer.from([0, 255, 13, 10]), []],
])('a mail that reports %s', async (_, content, expected) => {
  expect(await readReportMail(content)).toEqual(expected);
});

test('fields and answers of any length are read in the time of their length', async () => {
  const spaces = ' '.repeat(120_000);
  const fields = `Action: failed\nStatus: 5.1.1\nX-Spaces:${spaces}\u2028x\nDiagnostic-Code: smtp; 550 ${'mail'.repeat(30_000)}`;
  const [event] = await readReportMail(report('delivery-status', [status(fields)]));
  expect(isGone(event!)).toBe(false);
});

test('the status of a report decides where it has no answer', async () => {
  const [gone] = await readReportMail(report('delivery-status', [status('Action: failed\nStatus: 5.1.1')]));
  const [full] = await readReportMail(report('delivery-status', [status('Action: failed\nStatus: 4.2.2')]));
  expect([isGone(gone!), isGone(full!)]).toEqual([true, false]);
});

test('of a mail the beginning alone is read, with the header of the mail that it is about', async () => {
  const failure = status('Action: failed\nStatus: 5.1.1');
  const whole = `Message-ID: <own@example.com>\n\n${'x'.repeat(70)}\n`;
  const long: [string, string] = ['message/rfc822', `${whole}${`${'x'.repeat(70)}\n`.repeat(20_000)}`];
  expect(await readReportMail(report('delivery-status', [failure, long]))).toMatchObject([
    { ids: ['own@example.com'] },
  ]);
  for (const filler of ['\n'.repeat(6_000), 'x'.repeat(300_000)])
    expect(await readReportMail(report('delivery-status', [['text/plain', filler], failure]))).toEqual([]);
});

test('texts that recipients have in common are cut, and one recipient more is read than the maximum', () => {
  const bouncedRecipients = Array.from({ length: 6_000 }, (_, index) => ({ emailAddress: `a${index}@b.example` }));
  const bounce = { bounceType: 'Permanent', bounceSubType: 'a'.repeat(100_000), bouncedRecipients };
  const body = { ...sesBounce('Permanent', {}), bounce };
  const events = readMailEvents([body, body])!;
  expect(events).toHaveLength(5_001);
  expect(Math.max(...events.map(({ response }) => response.length))).toBe('Permanent '.length + 2_000);
});
