/** @jest-environment ./test/support/isolated-environment.js */
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { query } from '../../../src/db/prepared-statements.js';
import { inTransaction } from '../../../src/records/writer.js';
import { automate, moveDueNotices } from '../../../src/notices/notice.automation.js';
import { newPageOfMaintenances } from '../../support/automated-notices.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
/** A page of each test's own, so that its states are those of one notice. */
let on: Awaited<ReturnType<typeof newPageOfMaintenances>>;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  on = await newPageOfMaintenances(service);
});

const look = () => moveDueNotices(service.database);

describe('a scheduled notice', () => {
  test('stays while its time has not come', async () => {
    const id = await on.create();
    await on.shift(id, 30_000, 3_600_000);
    const before = await on.whole(id);
    expect(await look()).toBe(0);
    expect(await on.whole(id)).toEqual(before);
  });

  // The embedded database runs in the process, and has no other clock than that.
  const withClockOfItsOwn = process.env.TEST_DATABASE_URL ? test : test.skip;
  withClockOfItsOwn('stays by the database’s clock, whatever the process thinks the time is', async () => {
    const id = await on.create();
    const before = await on.whole(id);
    const others = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const;
    jest.useFakeTimers({
      now: Date.parse('2100-01-01'),
      doNotFake: [...others, 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'],
    });
    try {
      expect(new Date().getFullYear()).toBe(2100);
      expect(await look()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
    expect(await on.whole(id)).toEqual(before);
  });

  test('goes underway at its begin and is complete at its end; component and page follow', async () => {
    const id = await on.create();
    expect(await on.states(id)).toEqual(['scheduled', 'operational', 'operational']);
    await on.toBegin(id);
    const before = await on.read(id);
    expect(await look()).toBe(1);
    const underway = await on.read(id);
    expect(underway).toEqual({
      ...before,
      state: 'underway',
      timeline_state: 'present',
      began_at: underway.updated_at,
      updated_at: expect.any(String),
    });
    expect(underway.updated_at > before.updated_at && underway.began_at >= before.begins_at).toBe(true);
    expect(await on.states(id)).toEqual(['underway', 'degraded', 'degraded']);

    await on.toEnd(id);
    expect(await look()).toBe(1);
    const complete = await on.read(id);
    expect(complete).toMatchObject({
      state: 'complete',
      timeline_state: 'past_recent',
      began_at: underway.began_at,
      ended_at: complete.updated_at,
    });
    expect(complete.updated_at > underway.updated_at).toBe(true);
    expect(await on.states(id)).toEqual(['complete', 'operational', 'operational']);
  });

  test('makes both moves in order when its window is past, and tells the real switch', async () => {
    const id = await on.create();
    await on.toBePast(id);
    const created = await on.read(id);
    expect(await look()).toBe(1);
    const notice = await on.read(id);
    expect(notice).toMatchObject({ state: 'complete', began_at: notice.updated_at, ended_at: notice.updated_at });
    expect(notice.began_at > created.created_at).toBe(true);
    expect(await on.states(id)).toEqual(['complete', 'operational', 'operational']);
  });

  test('made with a window that is past makes both moves, too', async () => {
    const id = await on.create({ begins_at_date: '2020-01-01' });
    expect(await look()).toBe(1);
    expect((await on.read(id)).state).toBe('complete');
  });

  test('moves its version, so that a write of one who did not see the move is refused', async () => {
    const id = await on.create();
    const seen = (await on.whole(id)).etag;
    const before = await on.version(id);
    await on.toBegin(id);
    await look();
    expect(await on.version(id)).toBeGreaterThan(before);
    const answer = await service.patch(`${on.path}/notices/${id}`, { subject: 'x' }, { headers: { 'if-match': seen } });
    expect(answer.status).toBe(412);
  });
});

describe('each move', () => {
  test('fires once', async () => {
    const id = await on.create();
    for (const due of [on.toBegin, on.toEnd]) {
      await due(id);
      expect(await look()).toBe(1);
      const after = await on.whole(id);
      expect(await look()).toBe(0);
      expect(await on.whole(id)).toEqual(after);
    }
  });

  test('is made once by several that look at the same time', async () => {
    const ids = [await on.create(), await on.create(), await on.create()];
    for (const due of [on.toBegin, on.toEnd]) {
      for (const id of ids) await due(id);
      const before = await Promise.all(ids.map(on.version));
      const moved = await Promise.all(Array.from({ length: 5 }, look));
      expect(moved.reduce((sum, one) => sum + one)).toBe(3);
      expect(await Promise.all(ids.map(on.version))).toEqual(before.map(one => one + 1));
    }
  });

  test('is made by one look for all of a page, however many are due', async () => {
    const ids = await Promise.all(Array.from({ length: 45 }, () => on.create()));
    for (const id of ids) await on.toBegin(id);
    expect(await look()).toBe(45);
    for (const id of ids) expect((await on.read(id)).state).toBe('underway');
  });

  test('that cannot be made holds up no other', async () => {
    const [first, broken, last] = [await on.create(), await on.create(), await on.create()];
    for (const id of [first, broken, last]) await on.toBegin(id);
    await service.database.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`,
    );
    await service.database.query(
      `create trigger refuse before update on notice for each row when (old.id = ${broken}) execute function refuse()`,
    );
    try {
      await expect(look()).rejects.toThrow('no');
    } finally {
      await service.database.query('drop function refuse cascade');
    }
    expect([(await on.read(first)).state, (await on.read(broken)).state, (await on.read(last)).state]).toEqual([
      'underway',
      'scheduled',
      'underway',
    ]);
    expect(await look()).toBe(1);
  });

  test('leaves a request at the same time its own, and the other way round', async () => {
    const id = await on.create();
    await on.toBegin(id);
    const [, answer] = await Promise.all([look(), on.patch(id, { subject: 'Other' })]);
    expect(answer.status).toBe(200);
    expect(await on.read(id)).toMatchObject({ subject: 'Other', state: 'underway' });
  });
});

describe('automation', () => {
  test.each([{}, { should_automate_schedule: false }])('is off unless it is asked for: %j', async values => {
    const id = await on.create({ should_automate_schedule: undefined, ...values, begins_at_date: '2020-01-01' });
    expect(await look()).toBe(0);
    expect((await on.read(id)).state).toBe('scheduled');
  });

  test('that is switched off moves nothing, and switched on again moves what is due', async () => {
    const id = await on.create();
    await on.patch(id, { should_automate_schedule: false });
    await on.toBegin(id);
    expect(await look()).toBe(0);
    await on.patch(id, { should_automate_schedule: true });
    expect(await look()).toBe(1);
    expect((await on.read(id)).state).toBe('underway');
    await on.patch(id, { should_automate_schedule: false });
    await on.toEnd(id);
    expect(await look()).toBe(0);
    expect((await on.read(id)).state).toBe('underway');
  });

  test('that is said to be on where it is on arms nothing', async () => {
    const id = await on.create();
    for (const state of ['cancelled', 'scheduled']) await on.patch(id, { state, should_automate_schedule: true });
    await on.toBegin(id);
    expect(await look()).toBe(0);
  });

  test('of a notice made underway has its end to come', async () => {
    const id = await on.create({ state: 'underway' });
    await on.toEnd(id);
    expect(await look()).toBe(1);
    expect((await on.read(id)).state).toBe('complete');
  });

  test('is told as the last request says that carried should_publish', async () => {
    const id = await on.create({ should_publish: true });
    const told = async () =>
      (
        await service.database.query<{ told: boolean }>(
          'select last_should_publish as told from notice where id = $1',
          [id],
        )
      )[0]!.told;
    expect(await told()).toBe(true);
    await on.patch(id, { subject: 'Other' });
    expect(await told()).toBe(true);
    await on.patch(id, { should_publish: false });
    expect(await told()).toBe(false);
    await service.post(`${on.path}/notices/${id}/updates`, { content: 'x' });
    expect(await told()).toBe(false);
    await service.post(`${on.path}/notices/${id}/updates`, { content: 'x', should_publish: true });
    expect(await told()).toBe(true);
  });

  test('forgets a notice that was deleted, and one whose page was', async () => {
    const id = await on.create();
    await on.create();
    await service.delete(`${on.path}/notices/${id}`);
    await service.delete(on.path);
    expect(await look()).toBe(0);
  });

  test('goes on looking by itself until it is stopped', async () => {
    const stop = automate(service.database);
    try {
      const id = await on.create();
      await on.toBegin(id);
      let state = '';
      for (let attempt = 0; attempt < 500 && state !== 'underway'; attempt++) state = (await on.read(id)).state;
      expect(state).toBe('underway');
    } finally {
      await stop();
    }
  });
});

// The embedded database has one connection: what writes there waits for what writes before.
const withManyConnections = process.env.TEST_DATABASE_URL ? test : test.skip;
withManyConnections('an automatic move counts on from an update that is being written meanwhile', async () => {
  const id = await on.create();
  await on.toBegin(id);
  const before = await on.version(id);
  const waiting = async () =>
    (await service.database.query<{ n: number }>('select count(*)::integer as n from pg_locks where not granted'))[0]!
      .n;
  let moving: Promise<number> | undefined;
  await inTransaction(service.database, async em => {
    await query(em, 'select 1 from notice where id = $1 for no key update', [id]);
    await query(em, 'update notice set version = version + 1, last_should_publish = true where id = $1', [id]);
    moving = look();
    for (let looks = 0; looks < 500 && !(await waiting()); ) looks += 1;
    expect(await waiting()).toBe(1);
  });
  expect(await moving).toBe(1);
  expect(await on.version(id)).toBe(before + 2);
  expect(await service.database.query('select event from publication where notice_id = $1', [id])).toEqual([
    { event: 'begun' },
  ]);
});
