import { beforeEach, describe, expect, test } from '@jest/globals';
import { leaseDeliveries, leaseSql } from '../../../src/notifications/delivery/lease-deliveries.js';
import { fanOutSql } from '../../../src/notifications/delivery/fan-out.js';
import { recordOutcomes } from '../../../src/notifications/delivery/record-outcomes.js';
import { releaseDeliveries, renewLeases } from '../../../src/notifications/delivery/lease.js';
import { unsubscribe } from '../../../src/subscribers/sign-up.service.js';
import { leaseAll, createPublishingPage, fanOutAll } from '../../support/ledger.js';
import { createSubscriber } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

const onServer = process.env.TEST_DATABASE_URL ? test : test.skip;

const service = useOwnService(withChannels);
let page: Awaited<ReturnType<typeof createPublishingPage>>;
beforeEach(async () => {
  // Otherwise this test would lease what an earlier one left.
  await service.database.query('delete from publication');
  page = await createPublishingPage(service);
  await service.database.query(`update page set disabled_channels = '{chatA,chatB,social}'`);
});

const fanOut = () => fanOutAll(service.database);
const subscribe = (count: number, on = page) =>
  Promise.all(Array.from({ length: count }, (_, at) => on.subscribe(`n${at}@example.com`)));
const sql = (text: string, values: unknown[] = []) => service.database.query(text, values);
const loadStates = async () => (await page.deliveries()).map(({ state, reason }) => [state, reason]);
const report = (
  leased: { id: string; lease: string }[],
  outcome: 'sent' | 'failed' | 'refused',
  retrySeconds: number | null = null,
) =>
  recordOutcomes(
    service.database,
    leased.map(({ id, lease }) => ({ id, lease, outcome, response: 'a response', retrySeconds, thread: null })),
  );
const loadAttempts = () =>
  sql(
    `select a.outcome, a.response from attempt a join delivery d on d.id = a.delivery_id
     where d.page_id = $1 order by a.id`,
    [page.id],
  );

describe('a lease', () => {
  test('gives each pending delivery to one worker only', async () => {
    await subscribe(3);
    await page.notice();
    await fanOut();
    const [one, other] = await Promise.all([leaseAll(service.database, 'one'), leaseAll(service.database, 'other')]);
    expect(one.length + other.length + (await leaseAll(service.database)).length).toBe(3);
    expect(await loadStates()).toEqual([
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

  test('returns no more than the limit, round-robin by page', async () => {
    const small = await createPublishingPage(service);
    await service.database.query(`update page set disabled_channels = '{chatA,chatB,social}'`);
    await subscribe(20);
    await subscribe(3, small);
    await page.notice();
    await small.notice();
    await fanOut();
    const { leased } = await leaseDeliveries(service.database, {
      worker: 'w',
      limit: 8,
      maxRetries: 8,
      blocked: [],
    });
    expect(leased.map(({ pageId }) => pageId === small.id).filter(Boolean)).toHaveLength(3);
    expect(leased).toHaveLength(8);
  });

  test('returns due retries, in what is left of the limit', async () => {
    await subscribe(4);
    await page.notice();
    await fanOut();
    await report(await leaseAll(service.database), 'failed', 0);
    await sql(
      `update delivery set due_at = clock_timestamp() + interval '1 minute'
       where id = (select min(id) from delivery where page_id = $1)`,
      [page.id],
    );
    const other = await createPublishingPage(service);
    await service.database.query(`update page set disabled_channels = '{chatA,chatB,social}'`);
    await subscribe(2, other);
    await other.notice();
    await fanOut();
    const request = { worker: 'w', maxRetries: 100, blocked: [] };
    expect(
      (await leaseDeliveries(service.database, { ...request, limit: 2 })).leased.map(({ tries }) => tries),
    ).toEqual([1, 1]);
    expect(
      (await leaseDeliveries(service.database, { ...request, limit: 100, maxRetries: 2 })).leased.map(
        ({ tries }) => tries,
      ),
    ).toEqual([2, 2]);
    expect(
      (await leaseDeliveries(service.database, { ...request, limit: 100 })).leased.map(({ tries }) => tries),
    ).toEqual([2]);
  });

  test('leaves blocked targets out: channels, and channels of a page', async () => {
    await sql(`update page set disabled_channels = array_remove(disabled_channels, 'chatA') where id = $1`, [page.id]);
    await subscribe(1);
    await page.notice();
    await fanOut();
    expect(await leaseAll(service.database, 'w', ['email', `chatA:${page.id}`])).toEqual([]);
    expect((await leaseAll(service.database, 'w', ['email', 'chatA:other'])).map(({ channel }) => channel)).toEqual([
      'chatA',
    ]);
  });

  test('takes over a delivery whose lease expired, and records the attempt as lost', async () => {
    await subscribe(1);
    await page.notice();
    await fanOut();
    const [before] = await leaseAll(service.database, 'dead');
    expect(await leaseAll(service.database)).toEqual([]);
    await sql(`update delivery set leased_until = clock_timestamp() - interval '1 millisecond' where page_id = $1`, [
      page.id,
    ]);
    const [after] = await leaseAll(service.database, 'alive');
    expect(after).toMatchObject({ id: before!.id, messageId: before!.messageId, tries: 2 });
    expect(after!.lease).not.toBe(before!.lease);
    expect(await loadAttempts()).toEqual([{ outcome: 'lost', response: '' }]);
  });

  test('returns the current address of the subscriber', async () => {
    const [id] = await subscribe(1);
    await page.notice();
    await fanOut();
    await service.patch(`${page.path}/subscribers/${id}`, { email: 'new@example.com' });
    expect((await leaseAll(service.database)).map(({ address }) => address)).toEqual(['new@example.com']);
    expect((await page.deliveries()).map(({ address }) => address)).toEqual(['new@example.com']);
  });
});

describe('a lease skips a delivery', () => {
  const cases: [string, string, (created: { notice: number; subscriber: number }) => Promise<unknown>][] = [
    [
      'unsubscribed',
      'when the subscriber unsubscribed',
      ({ subscriber }) => sql('update subscriber set unsubscribed_at = clock_timestamp() where id = $1', [subscriber]),
    ],
    [
      'unconfirmed',
      'when the subscriber is no longer confirmed',
      ({ subscriber }) => sql('update subscriber set confirmed_at = null where id = $1', [subscriber]),
    ],
    [
      'subscriber deleted',
      'when the subscriber was deleted',
      ({ subscriber }) => service.delete(`${page.path}/subscribers/${subscriber}`),
    ],
    [
      'no address',
      'when the address was removed',
      ({ subscriber }) =>
        service.patch(`${page.path}/subscribers/${subscriber}`, { email: null, phone_number: '+4479460000' }),
    ],
    [
      'channel off',
      'when the channel was switched off',
      () => sql(`update page set disabled_channels = disabled_channels || '{email}' where id = $1`, [page.id]),
    ],
    ['notice deleted', 'when the notice was deleted', ({ notice }) => service.delete(`${page.path}/notices/${notice}`)],
    [
      'update deleted',
      'when the update was deleted',
      async ({ notice }) => {
        const { json } = await service.get(`${page.path}/notices/${notice}/updates`);
        await service.delete(`${page.path}/notices/${notice}/updates/${json.response[0].id}`);
      },
    ],
  ];
  test.each(cases)('with the reason "%s" %s', async (reason, _, change) => {
    const [subscriber] = await subscribe(1);
    const notice = await page.notice({ initial_comment: 'Hm' });
    await fanOut();
    await change({ notice, subscriber: subscriber! });
    expect(await leaseAll(service.database)).toEqual([]);
    expect(await loadStates()).toEqual([['skipped', reason]]);
  });

  test('with the reason "unsubscribed" at both addresses of the subscriber', async () => {
    const { id } = await createSubscriber(service, page.path, {
      email: 'both@example.com',
      phone_number: '+491700000001',
    });
    await page.notice();
    await fanOut();
    await unsubscribe(service.database, { purpose: 'unsubscribe', pageId: page.id, subscriberId: id });
    expect(await leaseAll(service.database)).toEqual([]);
    expect(await loadStates()).toEqual(Array(2).fill(['skipped', 'unsubscribed']));
  });

  test('with the reason "out of scope" when the subscriber chose other components', async () => {
    const named = await page.component('named');
    const other = await page.component('other');
    const subscriber = await page.subscribe('mail@example.com', [named]);
    await page.notice({ component_ids: [named] });
    await fanOut();
    await service.patch(`${page.path}/subscribers/${subscriber}`, { component_ids: [other] });
    expect(await leaseAll(service.database)).toEqual([]);
    expect(await loadStates()).toEqual([['skipped', 'out of scope']]);
  });

  test('with the reason "superseded" when it was unsent at the next publication of the same notice', async () => {
    await subscribe(1);
    const notice = await page.notice();
    await fanOut();
    await report(await leaseAll(service.database), 'failed', 3_600);
    await page.notice();
    await page.update(notice);
    await fanOut();
    expect(await loadStates()).toEqual([
      ['skipped', 'superseded'],
      ['pending', null],
      ['pending', null],
    ]);
    expect(await leaseAll(service.database)).toHaveLength(2);
  });

  test.each([
    ['end', 'complete'],
    ['cancellation', 'cancelled'],
  ])(
    'for the beginning of a maintenance whose %s was published, and for that, where no SMS said that it began',
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
      await fanOut();
      // Its end was not that of its window.
      expect(await leaseAll(service.database)).toEqual([]);
      expect(
        (await page.deliveries())
          .filter(({ channel }) => channel === 'sms')
          .map(({ state, reason }) => [state, reason]),
      ).toEqual([
        ['skipped', 'superseded'],
        ['skipped', 'not sent on this channel'],
      ]);
    },
  );

  test('with the reason "superseded" when it was in flight at the next publication, and failed', async () => {
    await subscribe(1);
    const notice = await page.notice();
    await fanOut();
    const leased = await leaseAll(service.database);
    await page.update(notice);
    await fanOut();
    expect(await leaseAll(service.database)).toEqual([]);
    await report(leased, 'failed', 0);
    expect(await leaseAll(service.database)).toHaveLength(1);
    expect(await loadStates()).toEqual([
      ['skipped', 'superseded'],
      ['sending', null],
    ]);
  });
});

onServer('a delivery that is leased while a later publication is fanned out is not skipped', async () => {
  await subscribe(1);
  const notice = await page.notice();
  await fanOut();
  await page.update(notice);
  const worker = service.database.createClient();
  await worker.connect();
  for (const statement of ['begin', "update delivery set state = 'sending'"]) await worker.query(statement);
  const fannedOut = fanOut();
  const waiting = `select count(*)::int as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`;
  await waitUntilEqual(() => sql(waiting), [{ count: 1 }]);
  await worker.query('commit');
  await worker.end();
  await fannedOut;
  expect(await loadStates()).toEqual([
    ['sending', null],
    ['pending', null],
  ]);
});

test('deleting an update restores the newest delivery that it superseded', async () => {
  await subscribe(2);
  const notice = await page.notice();
  await fanOut();
  await page.update(notice, 'We look.');
  await fanOut();
  const wrong = await page.update(notice, 'Oops.');
  await fanOut();
  await service.delete(`${page.path}/notices/${notice}/updates/${wrong}`);
  expect(await leaseAll(service.database)).toEqual([]);
  const leased = await leaseAll(service.database);
  expect((await page.deliveries()).map(({ state, reason }) => [state, reason])).toEqual([
    ...Array(2).fill(['skipped', 'superseded']),
    ...Array(2).fill(['sending', null]),
    ...Array(2).fill(['skipped', 'update deleted']),
  ]);
  expect(leased).toHaveLength(2);
});

test('deleting an update restores nothing where a later publication supersedes it too', async () => {
  await subscribe(1);
  const notice = await page.notice();
  await fanOut();
  const wrong = await page.update(notice, 'Oops.');
  await fanOut();
  await service.delete(`${page.path}/notices/${notice}/updates/${wrong}`);
  await page.update(notice, 'We look.');
  await fanOut();
  expect(await leaseAll(service.database)).toHaveLength(1);
  expect(await leaseAll(service.database)).toEqual([]);
  expect((await loadStates()).map(([state]) => state)).toEqual(['skipped', 'skipped', 'sending']);
});

onServer('a lease reads about as many rows as it may return, also with outdated planner statistics', async () => {
  await sql('alter table delivery set (autovacuum_enabled = false)');
  for (const small of [page, ...(await Promise.all(Array.from({ length: 5 }, () => createPublishingPage(service))))]) {
    await subscribe(20, small);
    await small.notice();
  }
  await fanOut();
  await sql('analyze');
  const notice = await page.notice();
  await sql(
    `insert into subscriber (page_id, email, consent_source, created_at, updated_at, confirmed_at)
     select $1, 'm' || n || '@example.com', 'interface', at, at, at
     from generate_series(1, 1500) n, (select clock_timestamp() as at) at`,
    [page.id],
  );
  await page.update(notice);
  await page.update(notice, 'Still.');
  await fanOut();
  await leaseDeliveries(service.database, { worker: 'w', limit: 32, maxRetries: 8, blocked: [] });
  expect(await countMostRows({ worker: 'w', limit: 32, maxRetries: 8, blocked: [] })).toBeLessThan(2_000);
});

onServer('a fan-out looks up what it supersedes, also with statistics of a time when nothing was pending', async () => {
  await sql('alter table delivery set (autovacuum_enabled = false)');
  await sql(
    `insert into subscriber (page_id, email, consent_source, created_at, updated_at, confirmed_at)
     select $1, 'm' || n || '@example.com', 'interface', at, at, at
     from generate_series(1, 4000) n, (select clock_timestamp() as at) at`,
    [page.id],
  );
  const notice = await page.notice();
  await fanOut();
  await sql(`update delivery set state = 'sent'`);
  await sql('vacuum analyze');
  await page.update(notice);
  const lines = await sql(`explain ${fanOutSql}`, ['']);
  const plan = lines.map(line => (line as { 'QUERY PLAN': string })['QUERY PLAN']).join('\n');
  const [, lookup] = /CTE unsent.*?Scan using \w+ on delivery d .*?Index Cond: ([^\n]*)/s.exec(plan)!;
  expect(lookup).toMatch(/recipient_key/);
  expect(lookup).toMatch(/notice_id|publication_id/);
});

/** The most rows that any step of the plan of a lease reads, those removed by filters included. */
async function countMostRows({
  worker,
  limit,
  maxRetries,
  blocked,
}: Parameters<typeof leaseDeliveries>[1]): Promise<number> {
  interface PlanStep {
    'Actual Rows': number;
    'Actual Loops': number;
    'Rows Removed by Filter'?: number;
    'Rows Removed by Join Filter'?: number;
    Plans?: PlanStep[];
  }
  const [plan] = await service.database.query<{ 'QUERY PLAN': [{ Plan: PlanStep }] }>(
    `explain (analyze, timing off, format json) ${leaseSql}`,
    [worker, limit, maxRetries, blocked, [], []],
  );
  const countRows = (step: PlanStep): number => {
    const rowsPerLoop =
      step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Join Filter'] ?? 0);
    return Math.max(rowsPerLoop * step['Actual Loops'], ...(step.Plans ?? []).map(countRows));
  };
  return countRows(plan!['QUERY PLAN'][0].Plan);
}

test('deleting a page deletes its deliveries, also one in flight', async () => {
  await subscribe(1);
  await page.notice();
  await fanOut();
  const leased = await leaseAll(service.database);
  await service.delete(page.path);
  await report(leased, 'sent');
  expect(await page.deliveries()).toEqual([]);
});

describe('the outcome of a delivery', () => {
  beforeEach(async () => {
    await subscribe(1);
    await page.notice();
    await fanOut();
  });

  test.each([
    ['sent', null, 'sent', null],
    ['refused', null, 'dead', 'refused'],
    ['failed', null, 'dead', 'gave up'],
    ['failed', 600, 'retrying', null],
  ] as const)(
    '%s, with %s seconds until the next attempt, makes it %s (%s)',
    async (outcome, retrySeconds, state, reason) => {
      await report(await leaseAll(service.database), outcome, retrySeconds);
      const [delivery] = await page.deliveries();
      expect([delivery!.state, delivery!.reason]).toEqual([state, reason]);
      expect(delivery!.dueInSeconds).toBeCloseTo(retrySeconds ?? 0, -1);
      expect(await loadAttempts()).toEqual([{ outcome, response: 'a response' }]);
    },
  );

  test('changes its state only while the lease is held, but is always recorded as an attempt', async () => {
    const before = await leaseAll(service.database, 'slow');
    await sql(`update delivery set leased_until = clock_timestamp() - interval '1 millisecond' where page_id = $1`, [
      page.id,
    ]);
    const after = await leaseAll(service.database, 'fast');
    await report(before, 'refused');
    expect(await loadStates()).toEqual([['sending', null]]);
    await report(after, 'sent');
    await report(before, 'failed', 1);
    expect(await loadStates()).toEqual([['sent', null]]);
    expect(await loadAttempts()).toEqual(
      ['lost', 'refused', 'sent', 'failed'].map(outcome => ({
        outcome,
        response: outcome === 'lost' ? '' : 'a response',
      })),
    );
  });

  test('"sent" counts also when another worker has taken the delivery over, so that it is not tried again', async () => {
    const expire = () =>
      sql(`update delivery set leased_until = clock_timestamp() - interval '1 millisecond' where page_id = $1`, [
        page.id,
      ]);
    const first = await leaseAll(service.database, 'slow');
    await expire();
    const second = await leaseAll(service.database, 'slow too');
    await expire();
    const third = await leaseAll(service.database, 'fast');
    await report(third, 'failed', 0);
    await report(first, 'sent');
    expect(await loadStates()).toEqual([['sent', null]]);
    await report(second, 'failed', 0);
    expect(await loadStates()).toEqual([['sent', null]]);
    expect(await leaseAll(service.database)).toEqual([]);
  });

  test('is none when it is released: it is pending again', async () => {
    const leased = await leaseAll(service.database);
    await releaseDeliveries(service.database, leased);
    const [delivery] = await page.deliveries();
    expect([delivery!.state, delivery!.tries]).toEqual(['pending', 0]);
    expect(await leaseAll(service.database)).toHaveLength(1);
  });

  test('is awaited while its lease is renewed', async () => {
    const leased = await leaseAll(service.database);
    await sql(`update delivery set leased_until = clock_timestamp() - interval '1 millisecond' where page_id = $1`, [
      page.id,
    ]);
    expect(await renewLeases(service.database, leased)).toEqual(new Set([leased[0]!.id]));
    expect(await leaseAll(service.database)).toEqual([]);
    expect(
      await renewLeases(service.database, [{ ...leased[0]!, lease: '00000000-0000-0000-0000-000000000000' }]),
    ).toEqual(new Set());
  });
});

test('the messages of a notice follow the latest thread, where an earlier one was deleted', async () => {
  await sql(`update page set disabled_channels = array_remove(disabled_channels, 'social') where id = $1`, [page.id]);
  /** `newThread`: null where the message replies in the given thread. Returns the given thread. */
  const send = async (newThread: string | null) => {
    await fanOut();
    const [leased] = await leaseAll(service.database);
    await recordOutcomes(service.database, [
      { ...leased!, outcome: 'sent', response: 'ok', retrySeconds: null, thread: newThread ?? leased!.thread },
    ]);
    return leased!.thread;
  };
  const notice = await page.notice();
  const threads = [await send('first')];
  for (const newThread of [null, 'second', null, null]) {
    await page.update(notice, 'We look.');
    threads.push(await send(newThread));
  }
  expect(threads).toEqual([null, 'first', 'first', 'second', 'second']);
});

test('a delivery that waits for an earlier one does not hide the next that is free', async () => {
  await subscribe(6);
  const blocking = await page.notice();
  await fanOut();
  expect(await leaseAll(service.database)).toHaveLength(6);
  await page.update(blocking);
  const free = await page.notice();
  await fanOut();
  const { leased } = await leaseDeliveries(service.database, {
    worker: 'w',
    limit: 1,
    maxRetries: 0,
    blocked: [],
  });
  const [found] = await sql('select notice_id as notice from delivery where id = any($1::integer[])', [
    leased.map(({ id }) => id),
  ]);
  expect(found).toEqual({ notice: free });
});

test('the messages of a notice on a channel of the page follow the thread of the first', async () => {
  await sql(`update page set disabled_channels = array_remove(disabled_channels, 'chatA') where id = $1`, [page.id]);
  const notice = await page.notice();
  await fanOut();
  const [first] = await leaseAll(service.database);
  await recordOutcomes(service.database, [
    { ...first!, outcome: 'sent', response: 'ok', retrySeconds: null, thread: 'T1' },
  ]);
  await page.update(notice);
  await page.notice();
  await fanOut();
  expect((await leaseAll(service.database)).map(({ thread }) => thread).toSorted()).toEqual(['T1', null]);
});
