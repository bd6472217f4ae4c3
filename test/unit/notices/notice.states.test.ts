import { describe, expect, test } from '@jest/globals';
import {
  enter,
  firstState,
  type NoticeState,
  noticeTypes,
  plannedStates,
  presentSql,
  presentStates,
  statesOf,
  timelineState,
  timelineStateSql,
  unplannedStates,
} from '../../../src/notices/notice.states.js';

const now = new Date('2026-03-14T12:00:00.000Z');
const earlier = new Date('2026-03-14T09:00:00.000Z');
const later = new Date('2026-03-14T10:00:00.000Z');

type Expected = 'kept' | 'null' | 'now' | 'now if unset';

/** Written out once more, as the contract prints it. */
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

const outcome = (rule: Expected, before: Date | null) =>
  rule === 'null' ? null : rule === 'kept' ? before : (before ?? now);

describe('the states of a notice', () => {
  test('are those of the interface document, by type', () => {
    expect(noticeTypes).toEqual(['unplanned', 'planned', 'general']);
    expect(statesOf).toEqual({
      unplanned: ['investigating', 'identified', 'recovering', 'resolved', 'false_alarm'],
      planned: ['scheduled', 'cancelled', 'underway', 'complete'],
      general: [],
    });
  });

  test('begin with investigating, with scheduled, and with none', () => {
    expect(firstState).toEqual({ unplanned: 'investigating', planned: 'scheduled', general: null });
  });

  test('are each in the table of this test', () => {
    expect(contract.map(([state]) => state).sort()).toEqual([...unplannedStates, ...plannedStates].sort());
  });
});

describe('a notice that enters a state', () => {
  const moves = noticeTypes.flatMap(type =>
    statesOf[type].flatMap(from => statesOf[type].map(to => [type, from, to] as const)),
  );

  test('may come from any state of its type', () => {
    expect(moves).toHaveLength(5 * 5 + 4 * 4);
  });

  describe.each(moves)('%s: from %s into %s', (_type, from, into) => {
    const [, beganRule, endedRule] = contract.find(([state]) => state === into)!;
    const spans = [
      { beganAt: null, endedAt: null },
      { beganAt: earlier, endedAt: null },
      { beganAt: null, endedAt: later },
      { beganAt: earlier, endedAt: later },
    ];
    // What a notice looks like on arrival in `from`, besides every pair of times that back-dating may have left.
    const reached = enter(from, { beganAt: earlier, endedAt: null }, later);

    test.each([...spans, reached])('has its times by the table: %j', span => {
      expect(enter(into, span, now)).toEqual({
        state: into,
        beganAt: outcome(beganRule, span.beganAt),
        endedAt: outcome(endedRule, span.endedAt),
      });
    });

    test('and entering once more changes nothing', () => {
      const once = enter(into, reached, now);
      expect(enter(into, once, new Date(now.getTime() + 1))).toEqual(once);
    });
  });
});

describe('timeline_state', () => {
  const daysBefore = (days: number, milliseconds = 0) => new Date(now.getTime() - days * 86_400_000 - milliseconds);

  test('is future while scheduled', () => expect(timelineState('scheduled', null, now)).toBe('future'));

  test.each(['investigating', 'identified', 'recovering', 'underway'] as const)('is present while %s', state => {
    expect(timelineState(state, null, now)).toBe('present');
  });

  test.each(['investigating', 'underway'] as const)('is present while %s, whatever the end says', state => {
    expect(timelineState(state, daysBefore(30), now)).toBe('present');
  });

  test.each(['resolved', 'false_alarm', 'complete', 'cancelled', null] as const)('of %s follows the end', state => {
    expect(timelineState(state, now, now)).toBe('past_recent');
    expect(timelineState(state, daysBefore(6), now)).toBe('past_recent');
    expect(timelineState(state, daysBefore(7), now)).toBe('past_recent');
    expect(timelineState(state, daysBefore(7, 1), now)).toBe('past_distant');
    expect(timelineState(state, null, now)).toBe('past_recent');
  });

  test('is written for the database from the same tables', () => {
    expect(timelineStateSql({ state: 'n.state', endedAt: 'n.ended_at' })).toBe(
      "case when n.state in ('scheduled') then 'future'" +
        " when n.state in ('investigating', 'identified', 'recovering', 'underway') then 'present'" +
        " when n.ended_at < statement_timestamp() - interval '168 hours' then 'past_distant'" +
        " else 'past_recent' end",
    );
    expect(timelineStateSql({ state: 's', endedAt: 'e' }, '$1')).toContain('e < $1 - interval');
  });
});

test('presence is one condition on the state column', () => {
  expect(presentStates).toEqual(['investigating', 'identified', 'recovering', 'underway']);
  expect(presentSql('state')).toBe("state in ('investigating', 'identified', 'recovering', 'underway')");
});
