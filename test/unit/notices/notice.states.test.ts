import { describe, expect, test } from '@jest/globals';
import {
  enterState,
  initialStates,
  type NoticeState,
  noticeTypes,
  plannedStates,
  presentSql,
  presentStates,
  statesByType,
  computeTimelineState,
  timelineStateSql,
  unplannedStates,
} from '../../../src/notices/notice.states.js';

const now = new Date('2026-03-14T12:00:00.000Z');
const earlier = new Date('2026-03-14T09:00:00.000Z');
const later = new Date('2026-03-14T10:00:00.000Z');

type Expected = 'kept' | 'null' | 'now' | 'now if unset';

/** The table of the reference of /v1, repeated here independently of the code. */
const contract: [NoticeState, Expected, Expected][] = [
  ['investigating', 'now if unset', 'null'],
  ['identified', 'now if unset', 'null'],
  ['recovering', 'now if unset', 'null'],
  ['resolved', 'now if unset', 'now if unset'],
  ['false_alarm', 'now if unset', 'now if unset'],
  ['scheduled', 'null', 'null'],
  ['underway', 'now if unset', 'null'],
  ['complete', 'now if unset', 'now if unset'],
  ['cancelled', 'kept', 'now if unset'],
];

const expectedTime = (rule: Expected, before: Date | null) =>
  rule === 'null' ? null : rule === 'kept' ? before : (before ?? now);

describe('notice states', () => {
  test('match the reference of /v1, by type', () => {
    expect(noticeTypes).toEqual(['unplanned', 'planned', 'general']);
    expect(statesByType).toEqual({
      unplanned: ['investigating', 'identified', 'recovering', 'resolved', 'false_alarm'],
      planned: ['scheduled', 'cancelled', 'underway', 'complete'],
      general: [],
    });
  });

  test('start with investigating for incidents, scheduled for maintenances and none for announcements', () => {
    expect(initialStates).toEqual({ unplanned: 'investigating', planned: 'scheduled', general: null });
  });

  test('all appear in the table of this test', () => {
    expect(contract.map(([state]) => state).sort()).toEqual([...unplannedStates, ...plannedStates].sort());
  });
});

describe('enterState', () => {
  const moves = noticeTypes.flatMap(type =>
    statesByType[type].flatMap(from => statesByType[type].map(to => [type, from, to] as const)),
  );

  test('covers every pair of states of a type', () => {
    expect(moves).toHaveLength(5 * 5 + 4 * 4);
  });

  describe.each(moves)('%s: from %s to %s', (_type, from, to) => {
    const [, beganRule, endedRule] = contract.find(([state]) => state === to)!;
    const spans = [
      { beganAt: null, endedAt: null },
      { beganAt: earlier, endedAt: null },
      { beganAt: null, endedAt: later },
      { beganAt: earlier, endedAt: later },
    ];
    // The times of a notice that entered `from`, besides every pair that back-dating may have left.
    const entered = enterState(from, { beganAt: earlier, endedAt: null }, later);

    test.each([...spans, entered])('sets the times of the table: %j', span => {
      expect(enterState(to, span, now)).toEqual({
        state: to,
        beganAt: expectedTime(beganRule, span.beganAt),
        endedAt: expectedTime(endedRule, span.endedAt),
      });
    });

    test('changes nothing when repeated', () => {
      const once = enterState(to, entered, now);
      expect(enterState(to, once, new Date(now.getTime() + 1))).toEqual(once);
    });
  });
});

describe('timeline state', () => {
  const daysBefore = (days: number, milliseconds = 0) => new Date(now.getTime() - days * 86_400_000 - milliseconds);

  test('is future in state scheduled', () => expect(computeTimelineState('scheduled', null, now)).toBe('future'));

  test.each(['investigating', 'identified', 'recovering', 'underway'] as const)('is present in state %s', state => {
    expect(computeTimelineState(state, null, now)).toBe('present');
  });

  test.each(['investigating', 'underway'] as const)('is present in state %s, even with an end in the past', state => {
    expect(computeTimelineState(state, daysBefore(30), now)).toBe('present');
  });

  test.each(['resolved', 'false_alarm', 'complete', 'cancelled', null] as const)(
    'in state %s depends on the end',
    state => {
      expect(computeTimelineState(state, now, now)).toBe('past_recent');
      expect(computeTimelineState(state, daysBefore(6), now)).toBe('past_recent');
      expect(computeTimelineState(state, daysBefore(7), now)).toBe('past_recent');
      expect(computeTimelineState(state, daysBefore(7, 1), now)).toBe('past_distant');
      expect(computeTimelineState(state, null, now)).toBe('past_recent');
    },
  );

  test('has the same rule in SQL', () => {
    expect(timelineStateSql({ state: 'n.state', endedAt: 'n.ended_at' })).toBe(
      "case when n.state in ('scheduled') then 'future'" +
        " when n.state in ('investigating', 'identified', 'recovering', 'underway') then 'present'" +
        " when n.ended_at < statement_timestamp() - interval '168 hours' then 'past_distant'" +
        " else 'past_recent' end",
    );
    expect(timelineStateSql({ state: 's', endedAt: 'e' }, '$1')).toContain('e < $1 - interval');
  });
});

test('presentSql is a condition on the state column alone', () => {
  expect(presentStates).toEqual(['investigating', 'identified', 'recovering', 'underway']);
  expect(presentSql('state')).toBe("state in ('investigating', 'identified', 'recovering', 'underway')");
});
