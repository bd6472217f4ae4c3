/** @jest-environment ./test/support/isolated-environment.js */
import type { IncomingMessage } from 'node:http';
import { type PublicPage, startPublicPage } from '../../support/subscribe-forms.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { settings } from '../../../src/core/config.js';
import {
  countingLock,
  countRequest,
  type MessageRequest,
} from '../../../src/subscribers/subscription-request.service.js';
import { callerOf } from '../../../src/status-page/subscribe/subscribe-handler.js';
import { inTransaction } from '../../../src/records/writer.js';
import { query } from '../../../src/db/prepared-statements.js';
import { signingKey } from '../../../src/subscribers/signing-key.service.js';

let page: PublicPage;
let other: string;
let key: Buffer;
beforeAll(async () => {
  page = await startPublicPage();
  other = (await page.service.post('/v1/pages', { name: 'Other' })).json.response.id;
  key = await signingKey(page.service.database);
});
afterAll(() => page.service.stop());
beforeEach(async () => {
  page.messages.length = 0;
  page.mails.length = 0;
  await page.forgetRequests();
});

/** As if so much time had passed. */
const pass = (time: string) =>
  page.rows('update subscription_request set created_at = created_at - $1::interval', [time]);
const count = async (more: Partial<MessageRequest>) => {
  const verdict = await countRequest(page.service.database, key, {
    pageId: page.id,
    way: 'sms',
    recipient: '+4930123456',
    caller: '192.0.2.1',
    ...more,
  });
  return 'send' in verdict ? verdict.send : 'refused';
};

// The embedded database does one thing after the other: nobody waits for a lock.
const onServer = process.env.TEST_DATABASE_URL ? test : test.skip;

describe('a phone', () => {
  test('gets one code in 60 seconds, whoever asks and on whichever page', async () => {
    expect(await count({})).toBe(true);
    expect([await count({}), await count({ caller: '192.0.2.2' }), await count({ pageId: other })]).toEqual([
      false,
      false,
      false,
    ]);
    await pass('59 seconds');
    expect(await count({})).toBe(false);
    await pass('2 seconds');
    expect(await count({})).toBe(true);
  });

  test('gets three in a day', async () => {
    for (const sent of [true, true, true, false, false]) {
      expect(await count({})).toBe(sent);
      await pass('2 minutes');
    }
    await pass('23 hours 45 minutes');
    expect(await count({})).toBe(false);
    await pass('15 minutes');
    expect(await count({})).toBe(true);
  });

  test('gets one of twenty that are asked for at once', async () => {
    // As many connections as there may be are open, so that they really come at once.
    await Promise.all(Array.from({ length: 8 }, () => page.rows('select pg_sleep(0.02)')));
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, index) => count({ caller: `198.51.100.${index}` })),
    );
    expect(verdicts.filter(verdict => verdict === true)).toHaveLength(1);
  });

  onServer('is counted after whoever is being counted at that moment', async () => {
    let isCounted = false;
    const waiting = () =>
      page.rows(
        `select 1 from pg_locks where locktype = 'advisory' and objid = $1 and not granted and database = (select oid from pg_database where datname = current_database())`,
        [countingLock],
      );
    const counting = await inTransaction(page.service.database, async em => {
      await query(em, 'select pg_advisory_xact_lock($1)', [countingLock]);
      const counted = count({}).then(verdict => {
        isCounted = true;
        return verdict;
      });
      await page.until(async () => isCounted || (await waiting()).length === 1);
      expect(isCounted).toBe(false);
      return { counted };
    });
    expect(await counting.counted).toBe(true);
  });
});

test('an address of the network asks ten times an hour, whatever the numbers', async () => {
  const ask = (index: number) => count({ recipient: `+49301${index}00000` });
  for (let index = 0; index < 10; index++) expect(await ask(index)).toBe(true);
  expect(await ask(10)).toBe('refused');
  expect(await count({ recipient: '+4930999999', caller: '192.0.2.9' })).toBe(true);
  await pass('61 minutes');
  expect(await ask(11)).toBe(true);
});

test('an address that asks again and again for one number is counted each time', async () => {
  for (let index = 0; index < 10; index++) await count({});
  expect(await count({})).toBe('refused');
});

test('an address of the network that asked for mails may ask for as many SMS as before', async () => {
  for (let index = 0; index < 10; index++) await count({ way: 'email', recipient: `${index}@example.com` });
  expect(await count({})).toBe(true);
});

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::'],
  ['2001:db8:1:3::1', '2001:db8:1:3::'],
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
])('of IPv6 the network asks, since one customer has all of its addresses: %s is %s', (remoteAddress, caller) => {
  expect(callerOf({ headers: {}, socket: { remoteAddress } } as IncomingMessage)).toBe(caller);
});

test('a page sends so many codes a day, and another page as many', async () => {
  await page.rows(
    `insert into subscription_request (page_id, way, recipient, caller, sent, created_at)
     select $1, 'sms', 'r' || n, 'c' || n, true, clock_timestamp() - interval '1 hour' from generate_series(1, $2::int) n`,
    [page.id, settings.smsCodesPerDay],
  );
  expect([await count({}), await count({ pageId: other })]).toEqual(['refused', true]);
  expect(await count({ way: 'email', recipient: 'a@example.com' })).toBe(true);
  await pass('23 hours 1 minute');
  expect(await count({ recipient: '+4930999999' })).toBe(true);
});

test('the mails of a page take nothing from its codes', async () => {
  await page.rows(
    `insert into subscription_request (page_id, way, recipient, caller, sent, created_at)
     select $1, 'email', 'r' || n, 'c' || n, true, clock_timestamp() - interval '1 hour' from generate_series(1, $2::int) n`,
    [page.id, settings.smsCodesPerDay],
  );
  expect(await count({})).toBe(true);
});

test('a mailbox gets mails of two pages at once, and of each three a day', async () => {
  const mail = { way: 'email', recipient: 'a@example.com' } as const;
  expect([await count(mail), await count({ ...mail, pageId: other }), await count(mail)]).toEqual([true, true, false]);
});

describe('on the page', () => {
  test('a cap of a recipient is silent, and one of the caller is said', async () => {
    const ask = (phone: string, from: string) =>
      page.post('subscribe', { by: 'sms', phone }, { 'x-forwarded-for': from });
    const answers = [await ask('+49301234567', '192.0.2.1'), await ask('+49301234567', '192.0.2.1')];
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    for (let index = 0; index < 8; index++) await ask(`+4930222222${index}`, '192.0.2.1');
    const refused = await ask('+49303333333', '192.0.2.1');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600']);
    expect(refused.text).toContain('Too many requests');
    await page.sent(9);
    expect(page.messages).toHaveLength(9);
  });

  test('a mailbox gets one mail, however its domain is written', async () => {
    for (const email of [
      'ada@example.com',
      'ada@ｅxample.com',
      'ada@exa\u00ADmple.com',
      'ada@example。com',
      'ada@EXAMPLE.com',
    ])
      expect((await page.post('subscribe', { email })).status).toBe(200);
    await page.sent(1);
    await page.post('subscribe', { email: 'last@example.com' });
    await page.until(() => page.mails.some(({ to }) => to === 'last@example.com'));
    expect(page.mails.map(({ to }) => to)).toEqual(['ada@example.com', 'last@example.com']);
  });

  test('nobody is locked out by others who ask in their name for what is never sent', async () => {
    const nobodyIsCounted = async () => (await page.rows('select 1 from subscription_request where sent')).length === 0;
    for (let index = 0; index < 3; index++) {
      await page.post('preferences', { email: 'new@example.com' });
      await page.until(nobodyIsCounted);
    }
    await page.post('subscribe', { email: 'new@example.com' });
    await page.sent(1);
    expect(page.mails.map(({ to }) => to)).toEqual(['new@example.com']);
  });

  test('nobody trusts what a caller says of its own address, where no proxy is named', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 11; index++)
      statuses.push(
        (
          await page.post(
            'subscribe',
            { by: 'sms', phone: `+4930444444${10 + index}` },
            { 'x-forwarded-for': `192.0.2.${index}` },
          )
        ).status,
      );
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });
});
