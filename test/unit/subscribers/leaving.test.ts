import { describe, expect, test } from '@jest/globals';
import { sources } from '../../../src/transfer/importers/sources/registry.js';
import { readCsv } from '../../../src/subscribers/subscriber-csv.js';

const names = ['stays', 'left', 'second'];
const toList = (column: string, cells: readonly string[]) =>
  [`email;${column}`, ...cells.map((cell, index) => `${names[index]}@example.com;"${cell}"`)].join('\n');
const readStaying = async (csv: string) =>
  (await readCsv(csv)).rows.flatMap(({ values, leaving }) => (leaving ? [] : values.email!.split('@')[0]!));

describe('who left a list is left out', () => {
  test.each([
    ['status', 'enabled', 'blocklisted'],
    ['status', 'enabled', 'disabled'],
    ['Status', 'Subscribed', 'Unsubscribed'],
    ['Status', 'Subscribed', 'Cleaned'],
    ['Status', 'Subscribed', 'Non-Subscribed'],
    ['status', 'active', 'bounced'],
    ['status', '', '5.1.1'],
    ['Status', 'active', 'something new'],
    ['Subscription Status', 'subscribed', 'opted out'],
    ['email_status', 'Active', 'Complained'],
    ['Email Marketing Consent', 'SUBSCRIBED', 'NEVER_SUBSCRIBED'],
    ['state', 'active', 'quarantined'],
    ['Status', 'Angemeldet', 'Abgemeldet'],
    ['Statut', 'Inscrit', 'Désinscrit'],
    ['subscribed', 'true', 'false'],
    ['Subscribed', 'Yes', 'No'],
    ['SUBSCRIBED', '1', '0'],
    ['opt_in', 'x', 'no'],
    ['Opt-In', 'Ja', 'Nein'],
    ['subscribed_to_emails', 'true', 'false'],
    ['Accepts Email Marketing', 'yes', 'no'],
    ['active', 't', 'f'],
    ['consent', 'given', 'withdrawn'],
    ['unsubscribed', 'false', 'true'],
    ['unsubscribed', '0', '2025-02-01 10:00:00'],
    ['Unsubscribed from all email', '', 'true'],
    ['Email Opt Out', '0', '1'],
    ['HasOptedOutOfEmail', 'FALSE', 'TRUE'],
    ['EMAIL_BLACKLISTED', 'No', 'Yes'],
    ['blocklisted', 'false', 'true'],
    ['Bounced', '', '2025-02-01'],
    ['Hard Bounce Reason', '', 'mailbox full'],
    ['unsubscribed_at', '', '2025-02-01T10:00:00Z'],
    ['unsubscribedAt', 'null', '2025-02-01T10:00:00Z'],
    ['UNSUB_TIME', '', '2025-02-01 10:00:00'],
    ['CLEAN_TIME', '', '2025-02-01 10:00:00'],
    ['deleted_at', '0000-00-00 00:00:00', '2025-02-01 10:00:00'],
    ['opted_out_at', '\\N', '1738404000'],
    ['do_not_email', 'n', 'y'],
    ['confirmed', 'true', 'false'],
    ['status', 'confirmed', 'unconfirmed'],
    ['status', 'active', 'pending'],
    ['Marketing contact status', 'Marketing contact', 'Non-marketing contact'],
    ['Email permission status', 'Implicit', 'Unsubscribed'],
    ['IsExcludedFromCampaigns', 'false', 'true'],
    ['Marketing Suspended', '0', '1'],
    ['DNC', 'No', 'Yes'],
    ['GDPR consent', 'yes', 'no'],
    ['Consent revoked', '', '2025-02-01'],
    ['Einwilligung', 'ja', 'nein'],
    ['Widerrufen am', '', '01.02.2025'],
    ['Fecha de baja', '', '2025-02-01'],
    ['Descadastrado', 'não', 'sim'],
    ['Geabonneerd', 'ja', 'nee'],
    ['Wypisany', 'nie', 'tak'],
    ['email_notifications', 'true', 'false'],
    ['Widerruf der Einwilligung', '', '2025-02-01'],
    ['Withdrawal of consent', '', '2025-02-01'],
    ['Withdrawn consent', 'no', 'yes'],
    ['No consent', 'no', 'yes'],
    ['Kündigungsdatum', '', '01.02.2025'],
    ['confirmed_at', '2025-02-01 10:00:00', 'never'],
    ['confirmed_at', '2025-02-01 10:00:00', ''],
    ['Email Verified At', '2025-02-01T10:00:00Z', 'NULL'],
  ])('%s: %j stays, %j is out', async (column, stays, left) => {
    const { ignored } = await readCsv(toList(column, [stays, left]));
    expect([await readStaying(toList(column, [stays, left, stays])), ignored]).toEqual([['stays', 'second'], []]);
  });
});

describe('a column that does not say it is ignored', () => {
  test.each([
    ['status', ['gold', 'silver']],
    ['state', ['CA', 'NY', 'OK']],
    ['unsubscribe_url', ['https://example.com/u/1', 'https://example.com/u/2']],
    ['email_type', ['html', 'text']],
    ['bounce_rate', ['0.5', '1']],
    ['unsubscribe_group_id', ['12', '13']],
    ['newsletter', ['weekly', 'monthly']],
    ['verified_by', ['Ada', '']],
    ['Kündigungsfrist', ['3 Monate', '']],
    ['Widerrufsbelehrung', ['ja', 'nein']],
    ['Excluded components', ['API', '']],
    ['Muted components', ['Database', '']],
    ['Cookie consent', ['yes', 'no']],
  ])('%s with %j', async (column, cells) => {
    expect(await readStaying(toList(column, cells))).toEqual(names.slice(0, cells.length));
    expect((await readCsv(toList(column, cells))).ignored).toEqual([column]);
  });
});

test('who refuses text messages gets mails, and nothing where the phone is all there is', async () => {
  const { rows } = await readCsv(
    [
      'email,phone_number,sms_consent,email_notifications',
      'both@example.com,+447700900001,no,yes',
      'wants@example.com,+447700900002,yes,yes',
      ',+447700900003,no,',
      'left@example.com,+447700900004,yes,no',
    ].join('\n'),
  );
  expect(rows.map(({ values, leaving }) => (leaving ? leaving.column : [values.email, values.phone_number]))).toEqual([
    ['both@example.com', undefined],
    ['wants@example.com', '+447700900002'],
    'sms_consent',
    'email_notifications',
  ]);
});

test('the reason names the column and what it says', async () => {
  const findReason = async (column: string, cell: string) =>
    (await readCsv(toList(column, ['', cell]))).rows[1]!.leaving;
  expect(await findReason('Status', 'Bounced')).toEqual({
    column: 'Status',
    reason: 'has left the list: `Status` is "Bounced"',
  });
  expect((await findReason('unsubscribed_at', '2025-02-01T10:00:00Z'))?.reason).toBe(
    'has left the list: `unsubscribed_at` has a time',
  );
  expect((await findReason('confirmed', 'no'))?.reason).toBe('has not confirmed the subscription');
});

test.each([
  ['statuspage', { mode: 'email', state: 'unconfirmed' }],
  ['statuspage', { mode: 'email', quarantined_at: '2025-01-01T00:00:00Z' }],
  ['instatus', { confirmed: false }],
  ['instatus', { confirmed: 'no' }],
  ['instatus', { confirmed: true, unsubscribedAt: '2025-01-01T00:00:00Z' }],
  ['cachet', { verified: true, verified_at: '2025-01-01 00:00:00', unsubscribed: true }],
  ['cachet', { verified: true, deleted_at: { human: 'then', string: '2025-01-01 00:00:00' } }],
] as const)('an answer of %s with %j', (source, fields) => {
  const subscribers = [{ id: 's', email: 'left@example.com', ...fields }];
  const page = sources[source].read({ subscribers }, { now: new Date(), timeZone: 'UTC' });
  expect(page.subscribers).toEqual([]);
  expect(page.leftOut).toMatchObject([{ kind: 'subscriber', sourceId: 's' }]);
});
