/** @jest-environment ./test/support/isolated-environment.js */
import '../../support/all-channels.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { claim, claimSql, record, release, renew } from '../../../src/notifications/delivery/queue.js';
import { unsubscribe } from '../../../src/subscribers/sign-up.service.js';
import { claimAll, newTellingPage, spreadAll } from '../../support/ledger.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let page: Awaited<ReturnType<typeof newTellingPage>>;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  // What another test left must not be claimed by this one.
  await service.database.query('delete from publication');
  page = await newTellingPage(service);
  await service.database.query('update page set chat_a_switch = false, chat_b_switch = false, social_switch = false');
});

const spread = () => spreadAll(service.database);
const subscribe = (count: number, on = page) =>
  Promise.all(Array.from({ length: count }, (_, at) => on.subscribe(`n${at}@example.com`)));
const sql = (text: string, values: unknown[] = []) => service.database.query(text, values);
const states = async () => (await page.deliveries()).map(({ state, reason }) => [state, reason]);
const said = (
  claimed: { id: string; lease: string }[],
  outcome: 'sent' | 'failed' | 'refused',
  retrySeconds: number | null = null,
) =>
  record(
    service.database,
    claimed.map(({ id, lease }) => ({ id, lease, outcome, answer: 'it said', retrySeconds, thread: null })),
  );
const attempts = () =>
  sql(
    'select a.outcome, a.answer from attempt a join delivery d on d.id = a.delivery_id where d.page_id = $1 order by a.id',
    [page.id],
  );

describe('a claim', () => {
  test('takes what is pending, for one worker alone', async () => {
    await subscribe(3);
    await page.notice();
    await spread();
    const [one, other] = await Promise.all([claimAll(service.database, 'one'), claimAll(service.database, 'other')]);
    expect(one.length + other.length + (await claimAll(service.database)).length).toBe(3);
    expect(await states()).toEqual([
      ['sending', null],
      ['sending', null],
      ['sending', null],
    ]);
    const [first] = [...one, ...other];
    expect(first).toMatchObject({
      pageId: page.id,
      channel: 'email',
      tries: 1,
      thread: null,
      address: expect.stringContaining('@example.com'),
    });
  });

  test('takes no more than is wanted, and by turns of the pages', async () => {
    const small = await newTellingPage(service);
    await service.database.query('update page set chat_a_switch = false, chat_b_switch = false, social_switch = false');
    await subscribe(20);
    await subscribe(3, small);
    await page.notice();
    await small.notice();
    await spread();
    const { claimed } = await claim(service.database, { worker: 'w', limit: 8, retries: 8, shut: [] });
    expect(claimed.map(({ pageId }) => pageId === small.id).filter(Boolean)).toHaveLength(3);
    expect(claimed).toHaveLength(8);
  });

  test('takes what failed before only where room is left, and only what is due', async () => {
    await subscribe(4);
    await page.notice();
    await spread();
    await said(await claimAll(service.database), 'failed', 0);
    await sql(
      `update delivery set due_at = clock_timestamp() + interval '1 minute' where id = (select min(id) from delivery where page_id = $1)`,
      [page.id],
    );
    const other = await newTellingPage(service);
    await service.database.query('update page set chat_a_switch = false, chat_b_switch = false, social_switch = false');
    await subscribe(2, other);
    await other.notice();
    await spread();
    const wanted = { worker: 'w', retries: 100, shut: [] };
    expect((await claim(service.database, { ...wanted, limit: 2 })).claimed.map(({ tries }) => tries)).toEqual([1, 1]);
    expect(
      (await claim(service.database, { ...wanted, limit: 100, retries: 2 })).claimed.map(({ tries }) => tries),
    ).toEqual([2, 2]);
    expect((await claim(service.database, { ...wanted, limit: 100 })).claimed.map(({ tries }) => tries)).toEqual([2]);
  });

  test('leaves what is shut, by channel and by channel of a page', async () => {
    await sql('update page set chat_a_switch = true where id = $1', [page.id]);
    await subscribe(1);
    await page.notice();
    await spread();
    expect(await claimAll(service.database, 'w', ['email', `chatA:${page.id}`])).toEqual([]);
    expect((await claimAll(service.database, 'w', ['email', 'chatA:other'])).map(({ channel }) => channel)).toEqual([
      'chatA',
    ]);
  });

  test('takes over what a worker left that is gone, and tells that its attempt was lost', async () => {
    await subscribe(1);
    await page.notice();
    await spread();
    const [before] = await claimAll(service.database, 'gone');
    expect(await claimAll(service.database)).toEqual([]);
    await sql(`update delivery set leased_until = clock_timestamp() - interval '1 millisecond' where page_id = $1`, [
      page.id,
    ]);
    const [after] = await claimAll(service.database, 'there');
    expect(after).toMatchObject({ id: before!.id, messageId: before!.messageId, tries: 2 });
    expect(after!.lease).not.toBe(before!.lease);
    expect(await attempts()).toEqual([{ outcome: 'lost', answer: '' }]);
  });

  test('takes the address that the subscriber has now', async () => {
    const [id] = await subscribe(1);
    await page.notice();
    await spread();
    await service.patch(`${page.path}/subscribers/${id}`, { email: 'new@example.com' });
    expect((await claimAll(service.database)).map(({ address }) => address)).toEqual(['new@example.com']);
    expect((await page.deliveries()).map(({ address }) => address)).toEqual(['new@example.com']);
  });
});

describe('what is not to be sent any more is skipped, with its reason:', () => {
  const cases: [string, string, (made: { notice: number; subscriber: number }) => Promise<unknown>][] = [
    [
      'unsubscribed',
      'who left',
      ({ subscriber }) => sql('update subscriber set unsubscribed_at = clock_timestamp() where id = $1', [subscriber]),
    ],
    [
      'unconfirmed',
      'who is not confirmed any more',
      ({ subscriber }) => sql('update subscriber set confirmed_at = null where id = $1', [subscriber]),
    ],
    [
      'subscriber deleted',
      'who was deleted',
      ({ subscriber }) => service.delete(`${page.path}/subscribers/${subscriber}`),
    ],
    [
      'no address',
      'whose address was cleared',
      ({ subscriber }) =>
        service.patch(`${page.path}/subscribers/${subscriber}`, { email: null, phone_number: '+4479460000' }),
    ],
    [
      'channel off',
      'whose channel was switched off',
      () => sql('update page set email_switch = false where id = $1', [page.id]),
    ],
    ['notice deleted', 'whose notice was deleted', ({ notice }) => service.delete(`${page.path}/notices/${notice}`)],
    [
      'update deleted',
      'whose update was deleted',
      async ({ notice }) => {
        const { json } = await service.get(`${page.path}/notices/${notice}/updates`);
        await service.delete(`${page.path}/notices/${notice}/updates/${json.response[0].id}`);
      },
    ],
  ];
  test.each(cases)('%s: %s', async (reason, _, change) => {
    const [subscriber] = await subscribe(1);
    const notice = await page.notice({ initial_comment: 'Hm' });
    await spread();
    await change({ notice, subscriber: subscriber! });
    expect(await claimAll(service.database)).toEqual([]);
    expect(await states()).toEqual([['skipped', reason]]);
  });

  test('unsubscribed: who left, at both of their addresses', async () => {
    const { id } = (
      await service.post(`${page.path}/subscribers`, { email: 'both@example.com', phone_number: '+491700000001' })
    ).json.response;
    await page.notice();
    await spread();
    await unsubscribe(service.database, { purpose: 'unsubscribe', pageId: page.id, subscriberId: id });
    expect(await claimAll(service.database)).toEqual([]);
    expect(await states()).toEqual(Array(2).fill(['skipped', 'unsubscribed']));
  });

  test('out of scope: who chose other components meanwhile', async () => {
    const [named, other] = [await page.component('named'), await page.component('other')];
    const subscriber = await page.subscribe('mail@example.com', [named]);
    await page.notice({ component_ids: [named] });
    await spread();
    await service.patch(`${page.path}/subscribers/${subscriber}`, { component_ids: [other] });
    expect(await claimAll(service.database)).toEqual([]);
    expect(await states()).toEqual([['skipped', 'out of scope']]);
  });

  test('superseded: what was stuck when the next of the same notice came, and only that', async () => {
    await subscribe(1);
    const notice = await page.notice();
    await spread();
    await said(await claimAll(service.database), 'failed', 3_600);
    await page.notice();
    await page.update(notice);
    await spread();
    expect(await states()).toEqual([
      ['skipped', 'superseded'],
      ['pending', null],
      ['pending', null],
    ]);
    expect(await claimAll(service.database)).toHaveLength(2);
  });

  test.each([
    ['end', 'complete'],
    ['cancellation', 'cancelled'],
  ])(
    'superseded: that a maintenance begins, when its %s was told, also for who does not hear of that',
    async (_, state) => {
      await page.subscribe('+4479460000');
      const window = {
        type: 'planned',
        begins_at: '2020-01-01',
        ends_at: '2020-01-02',
        should_automate_schedule: true,
      };
      const notice = await page.notice(window);
      await service.patch(`${page.path}/notices/${notice}`, { state: 'underway', should_publish: true });
      await service.patch(`${page.path}/notices/${notice}`, { state, should_publish: true });
      await spread();
      expect(await claimAll(service.database)).toEqual([]);
      expect(
        (await page.deliveries())
          .filter(({ channel }) => channel === 'sms')
          .map(({ state, reason }) => [state, reason]),
      ).toEqual([['skipped', 'superseded']]);
    },
  );

  test('superseded too when it was being sent at that time and failed', async () => {
    await subscribe(1);
    const notice = await page.notice();
    await spread();
    const claimed = await claimAll(service.database);
    await page.update(notice);
    await spread();
    expect(await claimAll(service.database)).toEqual([]);
    await said(claimed, 'failed', 0);
    expect(await claimAll(service.database)).toHaveLength(1);
    expect(await states()).toEqual([
      ['skipped', 'superseded'],
      ['sending', null],
    ]);
  });
});

test('What a deleted update had replaced is told after all, the newest of it', async () => {
  await subscribe(2);
  const notice = await page.notice();
  await spread();
  await page.update(notice, 'We look.');
  await spread();
  const wrong = await page.update(notice, 'Oops.');
  await spread();
  await service.delete(`${page.path}/notices/${notice}/updates/${wrong}`);
  expect(await claimAll(service.database)).toEqual([]);
  const claimed = await claimAll(service.database);
  expect((await page.deliveries()).map(({ state, reason }) => [state, reason])).toEqual([
    ...Array(2).fill(['skipped', 'superseded']),
    ...Array(2).fill(['sending', null]),
    ...Array(2).fill(['skipped', 'update deleted']),
  ]);
  expect(claimed).toHaveLength(2);
});

test('What a deleted update had replaced stays so where a later one tells of it', async () => {
  await subscribe(1);
  const notice = await page.notice();
  await spread();
  const wrong = await page.update(notice, 'Oops.');
  await spread();
  await service.delete(`${page.path}/notices/${notice}/updates/${wrong}`);
  await page.update(notice, 'We look.');
  await spread();
  expect(await claimAll(service.database)).toHaveLength(1);
  expect(await claimAll(service.database)).toEqual([]);
  expect((await states()).map(([state]) => state)).toEqual(['skipped', 'skipped', 'sending']);
});

const onServer = process.env.TEST_DATABASE_URL ? test : test.skip;
onServer(
  'A claim reads about as many rows as it may take, also while the database believes that its tables are as small as a moment ago',
  async () => {
    await sql('alter table delivery set (autovacuum_enabled = false)');
    for (const small of [page, ...(await Promise.all(Array.from({ length: 5 }, () => newTellingPage(service))))]) {
      await subscribe(20, small);
      await small.notice();
    }
    await spread();
    await sql('analyze');
    const notice = await page.notice();
    await sql(
      `insert into subscriber (page_id, email, consent_source, created_at, updated_at, confirmed_at)
     select $1, 'm' || n || '@example.com', 'interface', at, at, at from generate_series(1, 1500) n, (select clock_timestamp() as at) at`,
      [page.id],
    );
    await page.update(notice);
    await page.update(notice, 'Still.');
    await spread();
    await claim(service.database, { worker: 'w', limit: 32, retries: 8, shut: [] });
    expect(await mostRowsOf({ worker: 'w', limit: 32, retries: 8, shut: [] })).toBeLessThan(2_000);
  },
);

/** The most rows that any step of a claim looks at, of what it keeps and of what it leaves out. */
async function mostRowsOf({ worker, limit, retries, shut }: Parameters<typeof claim>[1]): Promise<number> {
  interface Step {
    'Actual Rows': number;
    'Actual Loops': number;
    'Rows Removed by Filter'?: number;
    'Rows Removed by Join Filter'?: number;
    Plans?: Step[];
  }
  const [plan] = await service.database.query<{ 'QUERY PLAN': [{ Plan: Step }] }>(
    `explain (analyze, timing off, format json) ${claimSql}`,
    [worker, limit, retries, shut],
  );
  const most = (step: Step): number => {
    const each =
      step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Join Filter'] ?? 0);
    return Math.max(each * step['Actual Loops'], ...(step.Plans ?? []).map(most));
  };
  return most(plan!['QUERY PLAN'][0].Plan);
}

test('A page that is deleted takes its deliveries along, and whoever was sending one hears nothing of it', async () => {
  await subscribe(1);
  await page.notice();
  await spread();
  const claimed = await claimAll(service.database);
  await service.delete(page.path);
  await said(claimed, 'sent');
  expect(await page.deliveries()).toEqual([]);
});

describe('what became of a delivery', () => {
  beforeEach(async () => {
    await subscribe(1);
    await page.notice();
    await spread();
  });

  test.each([
    ['sent', null, 'sent', null],
    ['refused', null, 'dead', 'refused'],
    ['failed', null, 'dead', 'gave up'],
    ['failed', 600, 'retrying', null],
  ] as const)('%s, with %s seconds to the next attempt, is %s (%s)', async (outcome, retrySeconds, state, reason) => {
    await said(await claimAll(service.database), outcome, retrySeconds);
    const [delivery] = await page.deliveries();
    expect([delivery!.state, delivery!.reason]).toEqual([state, reason]);
    expect(delivery!.due).toBeCloseTo(retrySeconds ?? 0, -1);
    expect(await attempts()).toEqual([{ outcome, answer: 'it said' }]);
  });

  test('counts only while the lease is held, and the attempt is told of all the same', async () => {
    const before = await claimAll(service.database, 'slow');
    await sql(`update delivery set leased_until = clock_timestamp() - interval '1 millisecond' where page_id = $1`, [
      page.id,
    ]);
    const after = await claimAll(service.database, 'fast');
    await said(before, 'refused');
    expect(await states()).toEqual([['sending', null]]);
    await said(after, 'sent');
    await said(before, 'failed', 1);
    expect(await states()).toEqual([['sent', null]]);
    expect(await attempts()).toEqual(
      ['lost', 'refused', 'sent', 'failed'].map(outcome => ({ outcome, answer: outcome === 'lost' ? '' : 'it said' })),
    );
  });

  test('is nothing where it was given back: it waits as before', async () => {
    const claimed = await claimAll(service.database);
    await release(service.database, claimed);
    const [delivery] = await page.deliveries();
    expect([delivery!.state, delivery!.tries]).toEqual(['pending', 0]);
    expect(await claimAll(service.database)).toHaveLength(1);
  });

  test('is open while its lease is renewed', async () => {
    const claimed = await claimAll(service.database);
    await sql(`update delivery set leased_until = clock_timestamp() - interval '1 millisecond' where page_id = $1`, [
      page.id,
    ]);
    expect(await renew(service.database, claimed)).toEqual(new Set([claimed[0]!.id]));
    expect(await claimAll(service.database)).toEqual([]);
    expect(await renew(service.database, [{ ...claimed[0]!, lease: '00000000-0000-0000-0000-000000000000' }])).toEqual(
      new Set(),
    );
  });
});

test('The messages of a notice hang on the thread that began last, where an earlier one was taken away', async () => {
  await sql('update page set social_switch = true where id = $1', [page.id]);
  /** `began`: null where the message hangs on what it was told. */
  const told = async (began: string | null) => {
    await spread();
    const [claimed] = await claimAll(service.database);
    await record(service.database, [
      { ...claimed!, outcome: 'sent', answer: 'ok', retrySeconds: null, thread: began ?? claimed!.thread },
    ]);
    return claimed!.thread;
  };
  const notice = await page.notice();
  const threads = [await told('first')];
  for (const began of [null, 'second', null, null]) {
    await page.update(notice, 'We look.');
    threads.push(await told(began));
  }
  expect(threads).toEqual([null, 'first', 'first', 'second', 'second']);
});

test('One that blocks others ahead does not hide the next that is free', async () => {
  await subscribe(6);
  const blocking = await page.notice();
  await spread();
  expect(await claimAll(service.database)).toHaveLength(6);
  await page.update(blocking);
  const free = await page.notice();
  await spread();
  const { claimed } = await claim(service.database, { worker: 'w', limit: 1, retries: 0, shut: [] });
  const [found] = await sql('select notice_id as notice from delivery where id = any($1::integer[])', [
    claimed.map(({ id }) => id),
  ]);
  expect(found).toEqual({ notice: free });
});

test('The messages of a notice hang on the first that a channel of the page took', async () => {
  await sql('update page set chat_a_switch = true where id = $1', [page.id]);
  const notice = await page.notice();
  await spread();
  const [first] = await claimAll(service.database);
  await record(service.database, [{ ...first!, outcome: 'sent', answer: 'ok', retrySeconds: null, thread: 'T1' }]);
  await page.update(notice);
  await page.notice();
  await spread();
  expect((await claimAll(service.database)).map(({ thread }) => thread).toSorted()).toEqual(['T1', null]);
});
