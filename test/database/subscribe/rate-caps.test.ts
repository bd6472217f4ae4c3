import { type PublicPage, startPublicPage } from '../../support/subscribe-forms.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  requestLockKey,
  countRequest,
  type MessageRequest,
} from '../../../src/subscribers/subscription-request.service.js';
import { inTransaction } from '../../../src/db/transaction.js';
import { query } from '../../../src/db/prepared-statements.js';
import { loadSigningKey } from '../../../src/auth/signing-key.service.js';
import { createPage } from '../../support/factories.js';
import { recordStatements } from '../../support/statements.js';

/** A page can be read for its next rendering at any time. */
const isNoRefresh = (statement: string): boolean => !statement.includes('as "readAt"');

let page: PublicPage;
let other: string;
let key: Buffer;
beforeAll(async () => {
  page = await startPublicPage();
  other = (await createPage(page.service, { name: 'Other' })).id;
  key = await loadSigningKey(page.service.database);
});
afterAll(() => page.service.stop());
beforeEach(async () => {
  page.messages.length = 0;
  page.mails.length = 0;
  await page.forgetRequests();
});

/** Moves all recorded requests into the past. */
const elapse = (time: string) =>
  page.query('update subscription_request set created_at = created_at - $1::interval', [time]);
const request = async (more: Partial<MessageRequest>) => {
  const verdict = await countRequest(page.service.database, key, {
    pageId: page.id,
    method: 'sms',
    recipient: '+4930123456',
    caller: '192.0.2.1',
    smsCodesPerDay: page.service.settings.smsCodesPerDay,
    ...more,
  });
  return 'send' in verdict ? verdict.send : 'refused';
};

// The embedded database runs one statement at a time: nothing waits for a lock.
const testOnPostgres = process.env.TEST_DATABASE_URL ? test : test.skip;

describe('a phone number', () => {
  test('gets one code in 60 seconds, for all clients and pages together', async () => {
    expect(await request({})).toBe(true);
    expect([await request({}), await request({ caller: '192.0.2.2' }), await request({ pageId: other })]).toEqual([
      false,
      false,
      false,
    ]);
    await elapse('59 seconds');
    expect(await request({})).toBe(false);
    await elapse('2 seconds');
    expect(await request({})).toBe(true);
  });

  test('gets three codes a day', async () => {
    for (const sent of [true, true, true, false, false]) {
      expect(await request({})).toBe(sent);
      await elapse('2 minutes');
    }
    await elapse('23 hours 45 minutes');
    expect(await request({})).toBe(false);
    await elapse('15 minutes');
    expect(await request({})).toBe(true);
  });

  test('gets one code of twenty concurrent requests', async () => {
    // Opens all connections of the pool, so that the requests really run concurrently.
    await Promise.all(Array.from({ length: 8 }, () => page.query('select pg_sleep(0.02)')));
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, (_, index) => request({ caller: `198.51.100.${index}` })),
    );
    expect(verdicts.filter(verdict => verdict === true)).toHaveLength(1);
  });

  testOnPostgres('is counted only after a concurrent count has committed', async () => {
    let isCounted = false;
    const findWaitingLocks = () =>
      page.query(
        `select 1 from pg_locks
         where locktype = 'advisory' and objid = $1 and not granted
           and database = (select oid from pg_database where datname = current_database())`,
        [requestLockKey],
      );
    const { counted } = await inTransaction(page.service.database, async em => {
      await query(em, 'select pg_advisory_xact_lock($1)', [requestLockKey]);
      const counted = request({}).then(verdict => {
        isCounted = true;
        return verdict;
      });
      await page.waitUntil(async () => isCounted || (await findWaitingLocks()).length === 1);
      expect(isCounted).toBe(false);
      return { counted };
    });
    expect(await counted).toBe(true);
  });
});

describe('an e-mail address', () => {
  const mail = { method: 'email', recipient: 'ann@example.com' } as const;

  test('gets three codes a day that count in the browser of a client alone, whatever others request', async () => {
    const ofClient = (number: number) => request({ ...mail, isForCaller: true, caller: `192.0.2.${number}` });
    const sent = [];
    for (let count = 0; count < 4; count += 1) {
      sent.push(await ofClient(1));
      await elapse('2 minutes');
    }
    expect(sent).toEqual([true, true, true, false]);
    for (let number = 2; number <= 28; number += 1) expect(await ofClient(number)).toBe(true);
    expect(await ofClient(29)).toBe(false);
    expect(await request({ ...mail, caller: '192.0.2.99' })).toBe(false);
  });

  test('gets three mails a day, for all pages together', async () => {
    for (const [pageId, sent] of [
      [page.id, true],
      [other, true],
      [page.id, true],
      [other, false],
      [page.id, false],
    ] as const) {
      expect(await request({ ...mail, pageId })).toBe(sent);
      await elapse('2 minutes');
    }
    await elapse('24 hours');
    expect(await request({ ...mail, pageId: other })).toBe(true);
  });

  test('gets one mail in 60 seconds for each page', async () => {
    expect([await request(mail), await request(mail)]).toEqual([true, false]);
    expect([await request({ ...mail, pageId: other }), await request({ ...mail, pageId: other })]).toEqual([
      true,
      false,
    ]);
  });
});

test('a client can make ten requests an hour, whatever the recipients', async () => {
  const requestFor = (index: number) => request({ recipient: `+49301${index}00000` });
  for (let index = 0; index < 10; index++) expect(await requestFor(index)).toBe(true);
  expect(await requestFor(10)).toBe('refused');
  expect(await request({ recipient: '+4930999999', caller: '192.0.2.9' })).toBe(true);
  await elapse('61 minutes');
  expect(await requestFor(11)).toBe(true);
});

test('repeated requests of a client for one number count each time', async () => {
  for (let index = 0; index < 10; index++) await request({});
  expect(await request({})).toBe('refused');
});

test('requests for mails do not count towards the cap of text messages of a client', async () => {
  for (let index = 0; index < 10; index++) await request({ method: 'email', recipient: `${index}@example.com` });
  expect(await request({})).toBe(true);
});

test('each page has a daily cap of codes', async () => {
  await page.query(
    `insert into subscription_request (page_id, method, recipient, caller, sent, created_at)
     select $1, 'sms', 'r' || n, 'c' || n, true, clock_timestamp() - interval '1 hour'
     from generate_series(1, $2::int) n`,
    [page.id, page.service.settings.smsCodesPerDay],
  );
  expect([await request({}), await request({ pageId: other })]).toEqual(['refused', true]);
  expect(await request({ method: 'email', recipient: 'a@example.com' })).toBe(true);
  await elapse('23 hours 1 minute');
  expect(await request({ recipient: '+4930999999' })).toBe(true);
});

test('the mails of a page do not count towards its cap of codes', async () => {
  await page.query(
    `insert into subscription_request (page_id, method, recipient, caller, sent, created_at)
     select $1, 'email', 'r' || n, 'c' || n, true, clock_timestamp() - interval '1 hour'
     from generate_series(1, $2::int) n`,
    [page.id, page.service.settings.smsCodesPerDay],
  );
  expect(await request({})).toBe(true);
});

test('a mailbox has a cap for each page', async () => {
  const mail = { method: 'email', recipient: 'a@example.com' } as const;
  expect([await request(mail), await request({ ...mail, pageId: other }), await request(mail)]).toEqual([
    true,
    true,
    false,
  ]);
});

describe('the subscribe form', () => {
  test('hides the cap of a recipient and reports the cap of the client', async () => {
    const submit = (phone: string, from: string) =>
      page.post('subscribe', { by: 'sms', phone }, { 'x-forwarded-for': from });
    const responses = [await submit('+49301234567', '192.0.2.1'), await submit('+49301234567', '192.0.2.1')];
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    for (let index = 0; index < 8; index++) await submit(`+4930222222${index}`, '192.0.2.1');
    const refused = await submit('+49303333333', '192.0.2.1');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600']);
    expect(refused.text).toContain('Too many requests');
    await page.waitForMessages(9);
    expect(page.messages).toHaveLength(9);
  });

  test('sends one mail to a mailbox, however its domain is written', async () => {
    for (const email of [
      'ada@example.com',
      'ada@ｅxample.com',
      'ada@exa\u00ADmple.com',
      'ada@example。com',
      'ada@EXAMPLE.com',
    ])
      expect((await page.post('subscribe', { email })).status).toBe(200);
    await page.waitForMessages(1);
    await page.post('subscribe', { email: 'last@example.com' });
    await page.waitUntil(() => page.mails.some(({ to }) => to === 'last@example.com'));
    expect(page.mails.map(({ to }) => to)).toEqual(['ada@example.com', 'last@example.com']);
  });

  test('does not count requests that send nothing', async () => {
    const isNothingCounted = async () =>
      (await page.query('select 1 from subscription_request where sent')).length === 0;
    for (let index = 0; index < 3; index++) {
      await page.post('preferences', { email: 'new@example.com' });
      await page.waitUntil(isNothingCounted);
    }
    await page.post('subscribe', { email: 'new@example.com' });
    await page.waitForMessages(1);
    expect(page.mails.map(({ to }) => to)).toEqual(['new@example.com']);
  });

  test('asks the database no more about a client and a page that have exceeded their caps', async () => {
    const own = await startPublicPage();
    try {
      const submit = async (number: number) =>
        (await own.post('subscribe', { email: `visitor-${number}@example.com` })).status;
      await own.query(
        `insert into subscription_request (page_id, method, recipient, caller, sent, created_at)
         select $1, 'email', 'other ' || n, 'caller ' || n, true, clock_timestamp() from generate_series(1, 5000) n`,
        [own.id],
      );
      expect(await submit(1)).toBe(429);
      const statements = await recordStatements(own.service.database, async () => {
        for (let number = 2; number < 20; number++) expect(await submit(number)).toBe(429);
      });
      expect(statements.filter(isNoRefresh)).toEqual([]);
      const { id } = await createPage(own.service, { name: 'Other' });
      expect((await own.onHost(`${id}.localhost`, '/').post('subscribe', { email: 'a@example.com' })).status).toBe(200);
    } finally {
      await own.service.stop();
    }
  });

  test('is answered with 503 while twenty submissions are in progress', async () => {
    const statuses: number[] = [];
    const submit = async (number: number) => {
      const { status } = await page.post('subscribe', { email: `visitor-${number}@example.com` });
      statuses.push(status);
    };
    const { submissions } = await inTransaction(page.service.database, async em => {
      await query(em, 'select pg_advisory_xact_lock($1)', [requestLockKey]);
      const submissions = Array.from({ length: 25 }, (_, number) => submit(number));
      await page.waitUntil(() => statuses.length === 5);
      return { submissions };
    });
    expect(statuses).toEqual(Array(5).fill(503));
    await Promise.all(submissions);
    expect(statuses.slice(5)).toEqual(Array(20).fill(200));
    await page.waitForMessages(20);
  });

  test('counts all networks of a customer of a provider together', async () => {
    const own = await startPublicPage({ settings: { trustedProxies: ['loopback'] } });
    try {
      const submit = async (number: number, from: string) =>
        (await own.post('subscribe', { by: 'sms', phone: `+4930555555${number}` }, { 'x-forwarded-for': from })).status;
      const sent: number[] = [];
      for (let number = 10; number < 20; number++) sent.push(await submit(number, `2001:db8:1:${number}::1`));
      expect(sent).toEqual(Array.from({ length: 10 }, () => 200));
      expect([await submit(20, '2001:db8:1:ffff::1'), await submit(20, '2001:db8:2::1')]).toEqual([429, 200]);
    } finally {
      await own.service.stop();
    }
  });

  test('ignores X-Forwarded-For when no proxy is configured', async () => {
    const own = await startPublicPage();
    try {
      const statuses: number[] = [];
      const submit = async (number: number) =>
        own.post(
          'subscribe',
          { by: 'sms', phone: `+4930444444${10 + number}` },
          { 'x-forwarded-for': `192.0.2.${number}` },
        );
      for (let number = 0; number < 11; number++) statuses.push((await submit(number)).status);
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
      const statements = await recordStatements(own.service.database, () => submit(11));
      expect(statements.filter(isNoRefresh)).toEqual([]);
      expect((await submit(12)).headers['retry-after']).toBe('3600');
    } finally {
      await own.service.stop();
    }
  });
});
