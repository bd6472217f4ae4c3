import { describe, expect, test } from '@jest/globals';
import { query } from '../../../src/db/prepared-statements.js';
import { inTransaction } from '../../../src/db/transaction.js';
import { createInputFormat } from '../../../src/notices/drafts/input-format.js';
import { startNoticeAutomation, advanceDueNotices } from '../../../src/notices/automation/notice.automation.js';
import { createAutomatedPage, useAutomatedPages } from '../../support/automated-notices.js';
import { withProcessClock } from '../../support/process-clock.js';
import { schema } from '../../../src/schema.js';

const { service, automated } = useAutomatedPages();
const advance = () => advanceDueNotices(service.database);

describe('a scheduled notice', () => {
  test('does not change before the start of its window', async () => {
    const id = await automated.create();
    await automated.moveWindow(id, 30_000, 3_600_000);
    const before = await automated.readResponse(id);
    expect(await advance()).toBe(0);
    expect(await automated.readResponse(id)).toEqual(before);
  });

  // The embedded database runs in the process and shares its clock.
  const withSeparateClock = process.env.TEST_DATABASE_URL ? test : test.skip;
  withSeparateClock(
    'does not change before its time by the clock of the database, whatever the clock of the process says',
    async () => {
      const id = await automated.create();
      const before = await automated.readResponse(id);
      await withProcessClock(new Date('2100-01-01'), async () => {
        expect(new Date().getFullYear()).toBe(2100);
        expect(await advance()).toBe(0);
      });
      expect(await automated.readResponse(id)).toEqual(before);
    },
  );

  test('becomes underway at its start and complete at its end, and component and page follow', async () => {
    const id = await automated.create();
    expect(await automated.readStates(id)).toEqual(['scheduled', 'operational', 'operational']);
    await automated.makeStartDue(id);
    const before = await automated.read(id);
    expect(await advance()).toBe(1);
    const underway = await automated.read(id);
    expect(underway).toEqual({
      ...before,
      state: 'underway',
      timeline_state: 'present',
      began_at: underway.updated_at,
      updated_at: expect.any(String),
    });
    expect(underway.updated_at > before.updated_at && underway.began_at >= before.begins_at).toBe(true);
    expect(await automated.readStates(id)).toEqual(['underway', 'degraded', 'degraded']);

    await automated.makeEndDue(id);
    expect(await advance()).toBe(1);
    const complete = await automated.read(id);
    expect(complete).toMatchObject({
      state: 'complete',
      timeline_state: 'past_recent',
      began_at: underway.began_at,
      ended_at: complete.updated_at,
    });
    expect(complete.updated_at > underway.updated_at).toBe(true);
    expect(await automated.readStates(id)).toEqual(['complete', 'operational', 'operational']);
  });

  test('makes both changes in order if its window is past, with the real times', async () => {
    const id = await automated.create();
    await automated.makeStartAndEndDue(id);
    const created = await automated.read(id);
    expect(await advance()).toBe(1);
    const notice = await automated.read(id);
    expect(notice).toMatchObject({ state: 'complete', began_at: notice.updated_at, ended_at: notice.updated_at });
    expect(notice.began_at > created.created_at).toBe(true);
    expect(await automated.readStates(id)).toEqual(['complete', 'operational', 'operational']);
  });

  test('created with a past window makes both changes', async () => {
    const id = await automated.create({ begins_at_date: '2020-01-01' });
    expect(await advance()).toBe(1);
    expect((await automated.read(id)).state).toBe('complete');
  });

  test('gets a new version, so that If-Match with the old one answers 412', async () => {
    const id = await automated.create();
    const etag = (await automated.readResponse(id)).etag;
    const before = await automated.readVersion(id);
    await automated.makeStartDue(id);
    await advance();
    expect(await automated.readVersion(id)).toBeGreaterThan(before);
    const response = await service.patch(
      `${automated.path}/notices/${id}`,
      { subject: 'x' },
      { headers: { 'if-match': etag } },
    );
    expect(response.status).toBe(412);
  });
});

describe('each automatic change', () => {
  test('happens once', async () => {
    const id = await automated.create();
    for (const due of [automated.makeStartDue, automated.makeEndDue]) {
      await due(id);
      expect(await advance()).toBe(1);
      const after = await automated.readResponse(id);
      expect(await advance()).toBe(0);
      expect(await automated.readResponse(id)).toEqual(after);
    }
  });

  test('happens once if several processes run at the same time', async () => {
    const ids = [await automated.create(), await automated.create(), await automated.create()];
    for (const due of [automated.makeStartDue, automated.makeEndDue]) {
      for (const id of ids) await due(id);
      const before = await Promise.all(ids.map(automated.readVersion));
      const counts = await Promise.all(Array.from({ length: 5 }, advance));
      expect(counts.reduce((sum, count) => sum + count)).toBe(3);
      expect(await Promise.all(ids.map(automated.readVersion))).toEqual(before.map(version => version + 1));
    }
  });

  test('happens in turns of the pages, so that many on one page do not delay others', async () => {
    const ids = await Promise.all(Array.from({ length: 45 }, () => automated.create()));
    for (const id of ids) await automated.makeStartDue(id);
    const other = await createAutomatedPage(service);
    const last = await other.create();
    await other.makeStartDue(last);
    let total = await advance();
    expect(total).toBe(6);
    expect((await other.read(last)).state).toBe('underway');
    for (let advanced = total; advanced; total += advanced) advanced = await advance();
    expect(total).toBe(46);
    for (const id of ids) expect((await automated.read(id)).state).toBe('underway');
  });

  test('that fails does not stop the others', async () => {
    const first = await automated.create();
    const broken = await automated.create();
    const last = await automated.create();
    for (const id of [first, broken, last]) await automated.makeStartDue(id);
    await service.database.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`,
    );
    await service.database.query(
      `create trigger refuse before update on notice for each row when (old.id = ${broken}) execute function refuse()`,
    );
    try {
      expect(await advance()).toBe(2);
    } finally {
      await service.database.query('drop function refuse cascade');
    }
    expect([
      (await automated.read(first)).state,
      (await automated.read(broken)).state,
      (await automated.read(last)).state,
    ]).toEqual(['underway', 'scheduled', 'underway']);
    expect(await advance()).toBe(1);
  });

  test('and a simultaneous request both take effect', async () => {
    const id = await automated.create();
    await automated.makeStartDue(id);
    const [, response] = await Promise.all([advance(), automated.patch(id, { subject: 'Other' })]);
    expect(response.status).toBe(200);
    expect(await automated.read(id)).toMatchObject({ subject: 'Other', state: 'underway' });
  });
});

describe('automation', () => {
  test.each([{}, { should_automate_schedule: false }])('is off by default: %j', async values => {
    const id = await automated.create({ should_automate_schedule: undefined, ...values, begins_at_date: '2020-01-01' });
    expect(await advance()).toBe(0);
    expect((await automated.read(id)).state).toBe('scheduled');
  });

  test('changes nothing while switched off, and makes the due changes once switched on again', async () => {
    const id = await automated.create();
    await automated.patch(id, { should_automate_schedule: false });
    await automated.makeStartDue(id);
    expect(await advance()).toBe(0);
    await automated.patch(id, { should_automate_schedule: true });
    expect(await advance()).toBe(1);
    expect((await automated.read(id)).state).toBe('underway');
    await automated.patch(id, { should_automate_schedule: false });
    await automated.makeEndDue(id);
    expect(await advance()).toBe(0);
    expect((await automated.read(id)).state).toBe('underway');
  });

  test('arms nothing if it is switched on already', async () => {
    const id = await automated.create();
    for (const state of ['cancelled', 'scheduled'])
      await automated.patch(id, { state, should_automate_schedule: true });
    await automated.makeStartDue(id);
    expect(await advance()).toBe(0);
  });

  test('of a notice created in state underway ends it', async () => {
    const id = await automated.create({ state: 'underway' });
    await automated.makeEndDue(id);
    expect(await advance()).toBe(1);
    expect((await automated.read(id)).state).toBe('complete');
  });

  test('is published according to the last should_publish that a request carried', async () => {
    const id = await automated.create({ should_publish: true });
    const shouldPublish = async () =>
      (
        await service.database.query<{ last: boolean }>(
          'select last_should_publish as last from notice where id = $1',
          [id],
        )
      )[0]!.last;
    expect(await shouldPublish()).toBe(true);
    await automated.patch(id, { subject: 'Other' });
    expect(await shouldPublish()).toBe(true);
    await automated.patch(id, { should_publish: false });
    expect(await shouldPublish()).toBe(false);
    await service.post(`${automated.path}/notices/${id}/updates`, { content: 'x' });
    expect(await shouldPublish()).toBe(false);
    await service.post(`${automated.path}/notices/${id}/updates`, { content: 'x', should_publish: true });
    expect(await shouldPublish()).toBe(true);
  });

  test('ignores deleted notices, and those of a deleted page', async () => {
    const id = await automated.create();
    await automated.create();
    await service.delete(`${automated.path}/notices/${id}`);
    await service.delete(automated.path);
    expect(await advance()).toBe(0);
  });

  test('polls until it is stopped', async () => {
    const stop = startNoticeAutomation(service.database, createInputFormat(schema), { bootstrapToken: '' });
    try {
      const id = await automated.create();
      await automated.makeStartDue(id);
      let state = '';
      for (let attempt = 0; attempt < 500 && state !== 'underway'; attempt++) state = (await automated.read(id)).state;
      expect(state).toBe('underway');
    } finally {
      await stop();
    }
  });
});

// The embedded database has one connection, so that writes are never concurrent.
const withManyConnections = process.env.TEST_DATABASE_URL ? test : test.skip;
withManyConnections(
  'an automatic change waits for a concurrent write to the notice and increments its version',
  async () => {
    const id = await automated.create();
    await automated.makeStartDue(id);
    const before = await automated.readVersion(id);
    const countWaiting = async () =>
      (await service.database.query<{ n: number }>('select count(*)::integer as n from pg_locks where not granted'))[0]!
        .n;
    let advancing: Promise<number> | undefined;
    await inTransaction(service.database, async em => {
      await query(em, 'select 1 from notice where id = $1 for no key update', [id]);
      await query(em, 'update notice set version = version + 1, last_should_publish = true where id = $1', [id]);
      advancing = advance();
      for (let attempt = 0; attempt < 500 && !(await countWaiting()); ) attempt += 1;
      expect(await countWaiting()).toBe(1);
    });
    expect(await advancing).toBe(1);
    expect(await automated.readVersion(id)).toBe(before + 2);
    expect(await service.database.query('select event from publication where notice_id = $1', [id])).toEqual([
      { event: 'begun' },
    ]);
  },
);
