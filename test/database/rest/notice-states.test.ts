import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { timelineState, timelineStateSql } from '../../../src/notices/notice.states.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let notices: string;
beforeAll(async () => {
  service = await startTestService();
  notices = `/v1/pages/${(await service.post('/v1/pages', { name: 'Page' })).json.response.id}/notices`;
});
afterAll(() => service.stop());

type Values = Record<string, unknown>;
type Rule = 'kept' | 'null' | 'now' | 'now if unset';

/** As the contract prints it: state, began_at, ended_at; and the timeline_state of a notice that closed at most 7 days ago. */
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
const everyWord = [...unplanned, ...planned].map(([state]) => state);

const window = { begins_at: '2099-01-01T00:00:00.000Z', ends_at: '2099-01-02T00:00:00.000Z' };
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

async function create(type: string, values: Values = {}) {
  const answer = await service.post(notices, {
    type,
    subject: 'Disk full',
    ...(type === 'planned' && window),
    ...values,
  });
  expect([answer.status, answer.json.messages]).toEqual([201, undefined]);
  return answer.json.response;
}
const patch = (id: number, values: Values) => service.patch(`${notices}/${id}`, values);

const outcome = (rule: Rule, before: string | null, now: string) =>
  rule === 'null' ? null : rule === 'kept' ? before : (before ?? now);

const moves = Object.entries(tables).flatMap(([type, table]) =>
  table.flatMap(([from]) => table.map(into => [type, from, ...into] as const)),
);

describe.each(moves)('%s, from %s into %s:', (type, from, into, began, ended, timeline) => {
  /** The times that a notice in this state may have: those of its arrival, and those of the past, each where the state has one. */
  const closed = ['resolved', 'false_alarm', 'complete', 'cancelled'].includes(from);
  const backDating = [
    {},
    ...(from === 'scheduled' ? [] : [{ began_at: ago(2) }]),
    ...(closed ? [{ began_at: ago(3), ended_at: ago(1) }] : []),
  ];

  test('its times, its timeline_state and its filters go by the table', async () => {
    for (const span of backDating) {
      const before = await create(type, { state: from, ...span });
      expect(before).toMatchObject({ state: from, ...span });
      const { status, json } = await patch(before.id, { state: into });
      const now = json.response.updated_at;
      expect(status).toBe(200);
      expect(json.response).toEqual({
        ...before,
        state: into,
        timeline_state: timeline,
        // The state it has already: nothing happens.
        began_at: from === into ? before.began_at : outcome(began, before.began_at, now),
        ended_at: from === into ? before.ended_at : outcome(ended, before.ended_at, now),
        updated_at: now,
      });
      expect(now > before.updated_at).toBe(from !== into);
      expect((await patch(before.id, { state: into })).json).toEqual(json);
    }
  });
});

const words = Object.entries(tables).flatMap(([type, table]) => table.map(row => [type, ...row] as const));

test.each(words)('a notice that is %s may be made in the state %s', async (type, state, began, ended, timeline) => {
  const notice = await create(type, { state });
  const at = (rule: Rule) => outcome(rule, null, notice.created_at);
  expect(notice).toMatchObject({ state, timeline_state: timeline, began_at: at(began), ended_at: at(ended) });
});

describe.each(Object.entries(tables))('a notice that is %s', (type, table) => {
  const own = table.map(([state]) => state);

  test.each([...everyWord.filter(word => !own.includes(word)), 'open', 'Resolved', 'degraded'])(
    'has no state %s',
    async state => {
      const refused = [422, { state: ['is not included in the list'] }];
      const made = await service.post(notices, { type, subject: 'x', ...(type === 'planned' && window), state });
      expect([made.status, made.json.messages]).toEqual(refused);
      const notice = await create(type);
      const changed = await patch(notice.id, { state });
      expect([changed.status, changed.json.messages]).toEqual(refused);
      expect((await service.get(`${notices}/${notice.id}`)).json.response).toEqual(notice);
    },
  );
});

describe('7 days after its end', () => {
  const minute = 1 / 1440;
  const cases: [string, string][] = [
    ['unplanned', 'resolved'],
    ['unplanned', 'false_alarm'],
    ['planned', 'complete'],
    ['planned', 'cancelled'],
  ];

  test.each(cases)('a notice that is %s and %s goes from the recent to the distant past', async (type, state) => {
    const { id } = await create(type, { state, began_at: ago(30), ended_at: ago(7 - minute) });
    const timeline = async () => [
      (await service.get(`${notices}/${id}`)).json.response.timeline_state,
      await filtered(id),
    ];
    expect(await timeline()).toEqual(['past_recent', ['past_recent']]);
    expect((await patch(id, { ended_at: ago(7 + minute) })).json.response.timeline_state).toBe('past_distant');
    expect(await timeline()).toEqual(['past_distant', ['past_distant']]);
    expect((await patch(id, { ended_at: ago(7 - minute) })).json.response.timeline_state).toBe('past_recent');
  });

  test('a general one too, from its creation', async () => {
    const { id } = await create('general');
    const aged = `update notice set began_at = began_at - interval '7 days 1 minute', ended_at = ended_at - interval '7 days 1 minute' where id = $1`;
    await service.database.query(aged, [id]);
    expect((await service.get(`${notices}/${id}`)).json.response.timeline_state).toBe('past_distant');
    expect(await filtered(id)).toEqual(['past_distant']);
  });

  test('an open one stays present, however long ago it began', async () => {
    const { id, timeline_state } = await create('unplanned', { began_at: ago(400) });
    expect([timeline_state, await filtered(id)]).toEqual(['present', ['present']]);
  });

  test.each([0, 1])('to the millisecond, the database decides as the rule does: %d more', async more => {
    const now = new Date('2026-03-14T12:00:00.000Z');
    const endedAt = new Date(now.getTime() - 7 * 86_400_000 - more);
    const sql = `select ${timelineStateSql({ state: '$1::text', endedAt: '$2::timestamptz' }, '$3::timestamptz')} as timeline`;
    const [row] = await service.database.query<{ timeline: string }>(sql, [
      'resolved',
      endedAt.toISOString(),
      now.toISOString(),
    ]);
    expect(row!.timeline).toBe(timelineState('resolved', endedAt, now));
    expect(row!.timeline).toBe(['past_recent', 'past_distant'][more]);
  });
});

/** The timeline states under which a filter finds the notice. */
async function filtered(id: number): Promise<string[]> {
  const found: string[] = [];
  for (const word of ['future', 'present', 'past_recent', 'past_distant']) {
    const { json } = await service.get(`${notices}?filter[id_eq]=${id}&filter[timeline_state_eq]=${word}`);
    if (json.count === 1) found.push(word);
  }
  return found;
}

test('the filters on timeline_state and state agree with the answers, for every notice there is', async () => {
  const type = (word: string) => (unplanned.some(([state]) => state === word) ? 'unplanned' : 'planned');
  for (const state of everyWord) await create(type(state), { state });
  await create('unplanned', { state: 'resolved', began_at: ago(30), ended_at: ago(8) });
  await create('general');
  type Shown = { id: number; state?: string; timeline_state: string };
  const list = async (query: string): Promise<Shown[]> =>
    (await service.get(`${notices}?per_page=500&${query}`)).json.response;
  const all = await list('');
  const ids = (shown: Shown[]) => shown.map(({ id }) => id);
  for (const word of ['future', 'present', 'past_recent', 'past_distant']) {
    const having = all.filter(one => one.timeline_state === word);
    expect(having.length).toBeGreaterThan(0);
    expect(ids(await list(`filter[timeline_state_eq]=${word}`))).toEqual(ids(having));
    expect(ids(await list(`filter[timeline_state_not_in][]=${word}`))).toEqual(
      ids(all.filter(one => one.timeline_state !== word)),
    );
  }
  const past = all.filter(one => one.timeline_state.startsWith('past'));
  expect(ids(await list('filter[timeline_state_in][]=past_recent&filter[timeline_state_in][]=past_distant'))).toEqual(
    ids(past),
  );
  expect(ids(await list('filter[timeline_state_cont]=PAST_'))).toEqual(ids(past));
  for (const word of everyWord)
    expect(ids(await list(`filter[state_eq]=${word}`))).toEqual(ids(all.filter(one => one.state === word)));
  expect(ids(await list('filter[state_blank]'))).toEqual(ids(all.filter(one => one.state === undefined)));
});
