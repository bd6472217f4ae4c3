import { beforeAll, describe, expect, test } from '@jest/globals';
import { computeTimelineState, timelineStateSql } from '../../../src/notices/notice.states.js';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();
let notices: string;
beforeAll(async () => {
  notices = `${(await createPage(service, { name: 'Page' })).path}/notices`;
});

type Values = Record<string, unknown>;
type Rule = 'kept' | 'null' | 'now' | 'now if unset';

/** The table of the reference of /v1: state, began_at, ended_at; and timeline_state, of a notice that ended within 7 days. */
const unplanned: [string, Rule, Rule, string][] = [
  ['investigating', 'now if unset', 'null', 'present'],
  ['identified', 'now if unset', 'null', 'present'],
  ['recovering', 'now if unset', 'null', 'present'],
  ['resolved', 'now if unset', 'now if unset', 'past_recent'],
  ['false_alarm', 'now if unset', 'now if unset', 'past_recent'],
];
const planned: typeof unplanned = [
  ['scheduled', 'null', 'null', 'future'],
  ['cancelled', 'kept', 'now if unset', 'past_recent'],
  ['underway', 'now if unset', 'null', 'present'],
  ['complete', 'now if unset', 'now if unset', 'past_recent'],
];
const tables: Record<string, typeof unplanned> = { unplanned, planned, general: [] };
const allStates = [...unplanned, ...planned].map(([state]) => state);

const window = { begins_at: '2099-01-01T00:00:00.000Z', ends_at: '2099-01-02T00:00:00.000Z' };
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

async function create(type: string, values: Values = {}) {
  const response = await service.post(notices, {
    type,
    subject: 'Disk full',
    ...(type === 'planned' && window),
    ...values,
  });
  expect([response.status, response.json.messages]).toEqual([201, undefined]);
  return response.json.response;
}
const patch = (id: number, values: Values) => service.patch(`${notices}/${id}`, values);

const expectedTime = (rule: Rule, before: string | null, now: string) =>
  rule === 'null' ? null : rule === 'kept' ? before : (before ?? now);

const moves = Object.entries(tables).flatMap(([type, table]) =>
  table.flatMap(([from]) => table.map(to => [type, from, ...to] as const)),
);

describe.each(moves)('%s notice, from %s to %s:', (type, from, to, began, ended, timeline) => {
  /** The times that a notice in this state can have: those of entering it, and back-dated ones where allowed. */
  const isClosed = ['resolved', 'false_alarm', 'complete', 'cancelled'].includes(from);
  const backDating = [
    {},
    ...(from === 'scheduled' ? [] : [{ began_at: ago(2) }]),
    ...(isClosed ? [{ began_at: ago(3), ended_at: ago(1) }] : []),
  ];

  test('sets the times and timeline_state of the table', async () => {
    for (const span of backDating) {
      const before = await create(type, { state: from, ...span });
      expect(before).toMatchObject({ state: from, ...span });
      const { status, json } = await patch(before.id, { state: to });
      const now = json.response.updated_at;
      expect(status).toBe(200);
      expect(json.response).toEqual({
        ...before,
        state: to,
        timeline_state: timeline,
        // The current state changes nothing.
        began_at: from === to ? before.began_at : expectedTime(began, before.began_at, now),
        ended_at: from === to ? before.ended_at : expectedTime(ended, before.ended_at, now),
        updated_at: now,
      });
      expect(now > before.updated_at).toBe(from !== to);
      expect((await patch(before.id, { state: to })).json).toEqual(json);
    }
  });
});

const creations = Object.entries(tables).flatMap(([type, table]) => table.map(row => [type, ...row] as const));

test.each(creations)('a notice of type %s can be created in state %s', async (type, state, began, ended, timeline) => {
  const notice = await create(type, { state });
  const timeFor = (rule: Rule) => expectedTime(rule, null, notice.created_at);
  expect(notice).toMatchObject({ state, timeline_state: timeline, began_at: timeFor(began), ended_at: timeFor(ended) });
});

test('a maintenance of the past that is created as complete began and ended at the times of its window', async () => {
  const past = { begins_at: ago(3), ends_at: ago(2) };
  expect(await create('planned', { ...past, state: 'complete' })).toMatchObject({
    began_at: past.begins_at,
    ended_at: past.ends_at,
  });
});

describe.each(Object.entries(tables))('a notice of type %s', (type, table) => {
  const own = table.map(([state]) => state);

  test.each([...allStates.filter(state => !own.includes(state)), 'open', 'Resolved', 'degraded'])(
    'refuses the state %s',
    async state => {
      const expected = [422, { state: ['is not included in the list'] }];
      const created = await service.post(notices, { type, subject: 'x', ...(type === 'planned' && window), state });
      expect([created.status, created.json.messages]).toEqual(expected);
      const notice = await create(type);
      const changed = await patch(notice.id, { state });
      expect([changed.status, changed.json.messages]).toEqual(expected);
      expect((await service.get(`${notices}/${notice.id}`)).json.response).toEqual(notice);
    },
  );
});

describe('state_event=close', () => {
  const closed: Record<string, string> = { unplanned: 'resolved', planned: 'complete' };
  const isOver = (state: string) => ['resolved', 'false_alarm', 'complete', 'cancelled'].includes(state);

  test.each(creations)('on a notice of type %s in state %s closes it, once', async (type, state) => {
    const before = await create(type, { state });
    const { status, json } = await patch(before.id, { state_event: 'close' });
    expect([status, json.response.state]).toEqual([200, isOver(state) ? state : closed[type]]);
    expect(json.response.ended_at).not.toBeNull();
    expect(json.response.updated_at === before.updated_at).toBe(isOver(state));
    expect((await patch(before.id, { state_event: 'close' })).json).toEqual(json);
  });

  test('takes precedence over the state in a whole record sent back', async () => {
    const notice = await create('unplanned', { state: 'identified' });
    expect((await patch(notice.id, { ...notice, state_event: 'close' })).json.response.state).toBe('resolved');
  });

  test('on a new notice creates it closed', async () => {
    expect(await create('unplanned', { state_event: 'close' })).toMatchObject({ state: 'resolved' });
    expect(await create('planned', { state_event: 'close' })).toMatchObject({ state: 'complete' });
  });

  test('is absent when blank', async () => {
    const notice = await create('unplanned');
    expect((await patch(notice.id, { state_event: '' })).json.response).toEqual(notice);
  });

  test('is refused on a general notice, and for any other event', async () => {
    const refusal = [422, { state_event: ['is not included in the list'] }];
    const general = await create('general');
    const incident = await create('unplanned');
    for (const [id, event] of [
      [general.id, 'close'],
      [incident.id, 'reopen'],
    ]) {
      const { status, json } = await patch(id, { state_event: event });
      expect([status, json.messages]).toEqual(refusal);
    }
    const created = await service.post(notices, { type: 'general', subject: 'x', state_event: 'close' });
    expect([created.status, created.json.messages]).toEqual(refusal);
  });
});

describe('timeline_state, 7 days after the end', () => {
  const minute = 1 / 1440;
  const cases: [string, string][] = [
    ['unplanned', 'resolved'],
    ['unplanned', 'false_alarm'],
    ['planned', 'complete'],
    ['planned', 'cancelled'],
  ];

  test.each(cases)(
    'of a notice of type %s in state %s changes from past_recent to past_distant',
    async (type, state) => {
      const { id } = await create(type, { state, began_at: ago(30), ended_at: ago(7 - minute) });
      const timeline = async () => [
        (await service.get(`${notices}/${id}`)).json.response.timeline_state,
        await matchingFilters(id),
      ];
      expect(await timeline()).toEqual(['past_recent', ['past_recent']]);
      expect((await patch(id, { ended_at: ago(7 + minute) })).json.response.timeline_state).toBe('past_distant');
      expect(await timeline()).toEqual(['past_distant', ['past_distant']]);
      expect((await patch(id, { ended_at: ago(7 - minute) })).json.response.timeline_state).toBe('past_recent');
    },
  );

  test('of a general notice changes from past_recent to past_distant after its creation', async () => {
    const { id } = await create('general');
    await service.database.query(
      `update notice set began_at = began_at - interval '7 days 1 minute',
       ended_at = ended_at - interval '7 days 1 minute' where id = $1`,
      [id],
    );
    expect((await service.get(`${notices}/${id}`)).json.response.timeline_state).toBe('past_distant');
    expect(await matchingFilters(id)).toEqual(['past_distant']);
  });

  test('of an open notice stays present, however long ago it began', async () => {
    const { id, timeline_state } = await create('unplanned', { began_at: ago(400) });
    expect([timeline_state, await matchingFilters(id)]).toEqual(['present', ['present']]);
  });

  test.each([0, 1])('is the same in SQL and in code, to the millisecond: %d more', async more => {
    const now = new Date('2026-03-14T12:00:00.000Z');
    const endedAt = new Date(now.getTime() - 7 * 86_400_000 - more);
    const expression = timelineStateSql({ state: '$1::text', endedAt: '$2::timestamptz' }, '$3::timestamptz');
    const [row] = await service.database.query<{ timeline: string }>(`select ${expression} as timeline`, [
      'resolved',
      endedAt.toISOString(),
      now.toISOString(),
    ]);
    expect(row!.timeline).toBe(computeTimelineState('resolved', endedAt, now));
    expect(row!.timeline).toBe(['past_recent', 'past_distant'][more]);
  });
});

/** The timeline states under which a filter finds the notice. */
async function matchingFilters(id: number): Promise<string[]> {
  const found: string[] = [];
  for (const timelineState of ['future', 'present', 'past_recent', 'past_distant']) {
    const { json } = await service.get(`${notices}?filter[id_eq]=${id}&filter[timeline_state_eq]=${timelineState}`);
    if (json.count === 1) found.push(timelineState);
  }
  return found;
}

test('filters on timeline_state and state agree with the returned values for every notice', async () => {
  const typeOf = (given: string) => (unplanned.some(([state]) => state === given) ? 'unplanned' : 'planned');
  for (const state of allStates) await create(typeOf(state), { state });
  await create('unplanned', { state: 'resolved', began_at: ago(30), ended_at: ago(8) });
  await create('general');
  type Shown = { id: number; state?: string; timeline_state: string };
  const list = async (query: string): Promise<Shown[]> =>
    (await service.get(`${notices}?per_page=500&${query}`)).json.response;
  const all = await list('');
  const ids = (shown: Shown[]) => shown.map(({ id }) => id);
  for (const timelineState of ['future', 'present', 'past_recent', 'past_distant']) {
    const expected = all.filter(notice => notice.timeline_state === timelineState);
    expect(expected.length).toBeGreaterThan(0);
    expect(ids(await list(`filter[timeline_state_eq]=${timelineState}`))).toEqual(ids(expected));
    expect(ids(await list(`filter[timeline_state_not_in][]=${timelineState}`))).toEqual(
      ids(all.filter(notice => notice.timeline_state !== timelineState)),
    );
  }
  const past = all.filter(notice => notice.timeline_state.startsWith('past'));
  expect(ids(await list('filter[timeline_state_in][]=past_recent&filter[timeline_state_in][]=past_distant'))).toEqual(
    ids(past),
  );
  expect(ids(await list('filter[timeline_state_cont]=PAST_'))).toEqual(ids(past));
  for (const state of allStates)
    expect(ids(await list(`filter[state_eq]=${state}`))).toEqual(ids(all.filter(notice => notice.state === state)));
  expect(ids(await list('filter[state_blank]'))).toEqual(ids(all.filter(notice => notice.state === undefined)));
});
