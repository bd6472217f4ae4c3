import { describe, expect, test } from '@jest/globals';
import { checkRule, endRule, listOccurrences, planDueAt } from '../../../src/notices/recurrence/recurrence.rules.js';
import { listClockChanges } from '../../../src/notices/recurrence/clock-changes.js';
import { normalizeRule } from '../../../src/notices/recurrence/rule-text.js';
import { findZone } from '../../../src/pages/time-zones.js';

const day = 24 * 3_600_000;

const formatters = new Map<string, Intl.DateTimeFormat>();

/** In milliseconds east of UTC. */
function findOffset(zone: string, moment: number): number {
  const options = { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' } as const;
  const formatter = formatters.get(zone) ?? new Intl.DateTimeFormat('sv', options);
  formatters.set(zone, formatter);
  return Date.parse(`${formatter.format(moment).replace(' ', 'T')}Z`) - moment;
}

/** The first moment that has a wall time in a zone; null if a change to summer time leaves it out. */
function findMoment(zone: string, wallTime: number): number | null {
  const offsets = [-day, day].map(distance => findOffset(zone, wallTime + distance));
  const moments = offsets.map(offset => wallTime - offset);
  const fitting = moments.filter(moment => moment + findOffset(zone, moment) === wallTime);
  return fitting.length ? Math.min(...fitting) : null;
}

describe('a daily rule has the wall time of its zone from 2020 to 2030', () => {
  const wallTimes = ['00:00', '00:30', '01:30', '02:00', '02:30', '03:00', '12:00', '23:30'];
  test.each(['Berlin', 'Eastern Time (US & Canada)', 'Sydney'])('in %s', timezone => {
    const zone = findZone(timezone);
    for (const wallTime of wallTimes) {
      const first = Date.parse(`2020-01-01T${wallTime}:00Z`);
      const days = Array.from({ length: 11 * 365 }, (_, index) => first + index * day);
      const expected = days.flatMap(wall => findMoment(zone, wall) ?? []).map(moment => new Date(moment).toISOString());
      const schedule = { rule: 'FREQ=DAILY', timezoneName: timezone, beginsAt: new Date(expected[0]!) };
      const listed = listOccurrences(schedule, schedule.beginsAt, expected.length).map(start => start.toISOString());
      expect(listed).toEqual(expected);
    }
  });
});

/** Zones whose clock changes at midnight, by less than an hour, around Ramadan, on Fridays, or a day before others. */
const oddZones = ['Casablanca', 'Cairo', 'Santiago', 'Greenland', 'Chatham Is.', 'Azores', 'Jerusalem', 'Newfoundland'];

describe.each(['skip', 'later'] as const)('with the missing hour %s', onMissingHour => {
  test.each(oddZones)('a daily rule in %s is that of a reference', timezone => {
    const zone = findZone(timezone);
    for (const wallTime of ['00:00', '00:30', '01:59', '02:45', '03:15', '23:30']) {
      const first = Date.parse(`2026-01-10T${wallTime}:00Z`);
      const walls = Array.from({ length: 800 }, (_, index) => first + index * day);
      const expected = walls.flatMap(
        wall => findMoment(zone, wall) ?? (onMissingHour === 'later' ? [wall - findOffset(zone, wall - day)] : []),
      );
      const schedule = {
        rule: 'FREQ=DAILY',
        timezoneName: timezone,
        beginsAt: new Date(first - findOffset(zone, first)),
        onMissingHour,
      };
      const listed = listOccurrences(schedule, schedule.beginsAt, expected.length);
      expect(listed).toEqual(expected.map(moment => new Date(moment)));
      // From the middle of the rule, too: from each change of the clock on.
      const from = new Date(expected[400]! + 1);
      expect(listOccurrences(schedule, from, 3)).toEqual(expected.slice(401, 404).map(moment => new Date(moment)));
    }
  });

  test.each(oddZones)('what the clock does to a daily rule in %s is that of a reference', timezone => {
    const zone = findZone(timezone);
    for (const [wallTime, hours] of [
      ['00:15', 1],
      ['02:30', 2],
      ['22:30', 5],
      ['01:00', 1],
      ['03:00', 1],
    ] as const) {
      const first = Date.parse(`2026-01-10T${wallTime}:00Z`);
      const startsAt = new Date(first - findOffset(zone, first));
      const endsAt = new Date(startsAt.getTime() + hours * 3_600_000);
      const expected: string[] = [];
      for (let wall = first; wall < first + 394 * day; wall += day) {
        const date = new Date(wall).toISOString().slice(0, 10);
        const start = findMoment(zone, wall);
        if (start === null) expected.push(`${date} ${onMissingHour === 'later' ? 'later' : 'left_out'}`);
        else if (findOffset(zone, start) !== findOffset(zone, start + hours * 3_600_000))
          expected.push(`${date} other_end`);
      }
      const schedule = { rule: 'FREQ=DAILY', timezoneName: timezone, beginsAt: startsAt, endsAt, onMissingHour };
      const listed = listClockChanges(schedule, startsAt).map(({ date, effect }) => `${date} ${effect}`);
      expect(listed).toEqual(expected);
    }
  });
});

const sundays = (values: object = {}) => ({
  rule: 'FREQ=WEEKLY;BYDAY=SU',
  timezoneName: 'Berlin',
  beginsAt: new Date('2027-03-14T01:30:00Z'),
  ...values,
});
const describeChanges = (schedule: ReturnType<typeof sundays> & { endsAt?: Date }) =>
  listClockChanges(schedule, schedule.beginsAt).map(({ description }) => description);

describe('what the clock does', () => {
  const because = 'since the clock goes forward and 02:30 does not exist';
  test('is said of an occurrence that is left out, or begins later', () => {
    expect(describeChanges(sundays())).toEqual([
      `28 March 2027: no window, ${because}`,
      `26 March 2028: no window, ${because}`,
    ]);
    expect(describeChanges(sundays({ onMissingHour: 'later', rule: 'FREQ=WEEKLY;COUNT=3' }))).toEqual([
      `28 March 2027: begins at 03:30, ${because}`,
    ]);
    expect(
      listOccurrences(sundays({ onMissingHour: 'later', rule: 'FREQ=WEEKLY;COUNT=3' }), beginsAt, 9).map(start =>
        start.toISOString(),
      ),
    ).toEqual(['2027-03-14T01:30:00.000Z', '2027-03-21T01:30:00.000Z', '2027-03-28T01:30:00.000Z']);
  });

  test('is said of one that ends at another time of day, and not of those after the end of the rule', () => {
    const night = { beginsAt: new Date('2027-10-23T23:00:00Z'), endsAt: new Date('2027-10-24T03:00:00Z') };
    expect(describeChanges(sundays(night))).toEqual([
      '31 October 2027: ends at 04:00, since the clock goes back',
      '26 March 2028: ends at 06:00, since the clock goes forward',
      '29 October 2028: ends at 04:00, since the clock goes back',
    ]);
    expect(describeChanges(sundays({ ...night, rule: 'FREQ=WEEKLY;UNTIL=20271030' }))).toEqual([]);
    expect(describeChanges(sundays({ rule: 'FREQ=WEEKLY;COUNT=2' }))).toEqual([]);
  });
});

const beginsAt = new Date('2026-12-01T01:00:00Z');
const check = (rule: string) => checkRule({ rule, timezoneName: 'Berlin', beginsAt });

test('occurrences are those of the rule from a time on, until it ends', () => {
  const listed = listOccurrences(
    { rule: 'FREQ=MONTHLY;BYDAY=1TU;COUNT=4', timezoneName: 'Berlin', beginsAt },
    new Date('2027-01-01T00:00:00Z'),
    9,
  );
  expect(listed.map(start => start.toISOString())).toEqual([
    '2027-01-05T01:00:00.000Z',
    '2027-02-02T01:00:00.000Z',
    '2027-03-02T01:00:00.000Z',
  ]);
});

test.each([
  'FREQ=DAILY',
  'FREQ=WEEKLY;BYDAY=MO,WE',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
  'FREQ=DAILY;UNTIL=20271231',
])('%s is accepted', rule => expect(check(rule)).toBeNull());

test.each([
  '',
  'DAILY',
  'FREQ=HOURLY',
  'FREQ=DAILY;BYHOUR=3',
  'FREQ=DAILY;COUNT=0',
  'FREQ=DAILY;INTERVAL=0',
  'INTERVAL=2',
  'FREQ=DAILY;FREQ=DAILY',
  'FREQ=DAILY\nRDATE:20270101T000000Z',
  'FREQ=DAILY;UNTIL=2027',
  'FREQ=DAILY;COUNT=367',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=DAILY;UNTIL=20200101',
  'FREQ=WEEKLY;BYDAY=XX',
  'constructor=1',
])('%j is refused', rule => expect(check(rule)).not.toBeNull());

test.each([
  ['FREQ=MINUTELY', 'FREQ is DAILY, WEEKLY, MONTHLY or YEARLY, not "FREQ=MINUTELY"'],
  ['FREQ=MINUTELY;COUNT=1', 'must be left out'],
  ['FREQ=DAILY;BYHOUR=3', 'without BYHOUR: the time of day'],
  ['FREQ=WEEKLY;BYDAY=MON', 'BYDAY is days such as MO,WE or 1TU or -1FR, not "BYDAY=MON"'],
  ['FREQ=DAILY;UNTIL=2027-01-01', 'UNTIL is a date such as 20271231'],
  ['FREQ=DAILY;COUNT=2;UNTIL=20270101', 'COUNT or UNTIL, not both'],
  ['DTSTART:20261201T000000Z', 'without DTSTART'],
  ['every monday', 'not "every monday"'],
  ['INTERVAL=2', 'with FREQ'],
  ['FREQ=DAILY;FREQ=DAILY', 'FREQ once'],
])('the refusal of %s names the part', (rule, words) => expect(check(rule)!.requirement).toContain(words));

test.each([
  ['RRULE:FREQ=WEEKLY;BYDAY=SU', 'FREQ=WEEKLY;BYDAY=SU'],
  ['freq=weekly;byday=su', 'FREQ=WEEKLY;BYDAY=SU'],
  [' rrule:freq=daily; interval=2; ', 'FREQ=DAILY;INTERVAL=2'],
])('%j is read as %s', (written, rule) => expect(normalizeRule(written)).toBe(rule));

test('a rule of any length is read in the time of its length', () => {
  expect(normalizeRule(`FREQ=DAILY${' '.repeat(1_000_000)}x`)).toHaveLength(1_000_011);
});

test('a rule is ended in place of its own end', () => {
  expect(endRule({ rule: 'FREQ=DAILY;COUNT=5;INTERVAL=2', timezoneName: 'London', beginsAt }, beginsAt)).toBe(
    'FREQ=DAILY;INTERVAL=2;UNTIL=20261201T010000Z',
  );
});

test('an occurrence is due 30 days before it, or when only one is planned before it', () => {
  const at = (days: number) => new Date(beginsAt.getTime() + days * day);
  expect(planDueAt(at(60), [at(0)])).toEqual(at(30));
  expect(planDueAt(at(14), [at(0), at(7)])).toEqual(at(0));
  expect(planDueAt(at(60), [at(0), at(31)])).toEqual(at(30));
});
