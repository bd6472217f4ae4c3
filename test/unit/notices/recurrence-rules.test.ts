import { describe, expect, test } from '@jest/globals';
import { listClockChanges } from '../../../src/notices/recurrence/clock-changes.js';
import {
  checkRule,
  describeSchedule,
  listOccurrences,
  type Schedule,
} from '../../../src/notices/recurrence/recurrence.rules.js';

const day = 24 * 3_600_000;
const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** A generator of its own, so that a failure is the same in the next run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

interface Rule {
  text: string;
  isOn(date: Date, first: Date): boolean;
}

const monday = (date: Date) => date.getTime() - ((date.getUTCDay() + 6) % 7) * day;
const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
const lengthOf = (date: Date) => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();

/** A rule, and whether a date is one of it, by the definition of each frequency. */
function createRule(random: (below: number) => number): Rule {
  const interval = 1 + random(4);
  const days = weekdays.filter(() => random(3) === 0);
  const byDay = days.length ? `;BYDAY=${days}` : '';
  const nth = random(2) ? 1 + random(4) : -1;
  const weekday = weekdays[random(7)]!;
  const every = (count: number) => count % interval === 0;
  const rules: Rule[] = [
    {
      text: `FREQ=DAILY;INTERVAL=${interval}${byDay}`,
      isOn: (date, first) =>
        every((date.getTime() - first.getTime()) / day) && (!days.length || days.includes(weekdays[date.getUTCDay()]!)),
    },
    {
      text: `FREQ=WEEKLY;INTERVAL=${interval}${byDay}`,
      isOn: (date, first) =>
        every((monday(date) - monday(first)) / (7 * day)) &&
        (days.length ? days : [weekdays[first.getUTCDay()]!]).includes(weekdays[date.getUTCDay()]!),
    },
    {
      text: `FREQ=MONTHLY;INTERVAL=${interval};BYDAY=${nth}${weekday}`,
      isOn: (date, first) =>
        every(monthOf(date) - monthOf(first)) &&
        weekdays[date.getUTCDay()] === weekday &&
        (nth > 0 ? Math.ceil(date.getUTCDate() / 7) === nth : date.getUTCDate() > lengthOf(date) - 7),
    },
    {
      text: `FREQ=MONTHLY;INTERVAL=${interval};BYMONTHDAY=${nth}`,
      isOn: (date, first) =>
        every(monthOf(date) - monthOf(first)) && date.getUTCDate() === (nth > 0 ? nth : lengthOf(date)),
    },
  ];
  return rules[random(rules.length)]!;
}

test('occurrences of 400 random rules are those of a reference that tries every day', () => {
  const random = createRandom(20_261_126);
  for (let run = 0; run < 400; run++) {
    const rule = createRule(random);
    const first = new Date(Date.UTC(2026, random(12), 1 + random(28), random(24)));
    const expected: string[] = [];
    for (let time = first.getTime(); expected.length < 6 && time < first.getTime() + 2000 * day; time += day)
      if (rule.isOn(new Date(time), first)) expected.push(new Date(time).toISOString());
    const listed = listOccurrences({ rule: rule.text, timezoneName: 'UTC', beginsAt: first }, first, 6);
    expect({ rule: rule.text, first, listed: listed.map(start => start.toISOString()) }).toEqual({
      rule: rule.text,
      first,
      listed: expected,
    });
  }
});

const list = (schedule: Schedule) => listOccurrences(schedule, schedule.beginsAt, 9).map(start => start.toISOString());

describe('a weekly rule at 02:30 in Berlin', () => {
  const listWeekly = (beginsAt: string) =>
    list({ rule: 'FREQ=WEEKLY', timezoneName: 'Berlin', beginsAt: new Date(beginsAt) }).slice(0, 3);

  test('has no occurrence on the Sunday on which summer time leaves that hour out', () => {
    const starts = ['2027-03-21T01:30:00.000Z', '2027-04-04T00:30:00.000Z', '2027-04-11T00:30:00.000Z'];
    expect(listWeekly(starts[0]!)).toEqual(starts);
  });

  test('has one on the Sunday that has that hour twice, at the first of both', () => {
    const starts = ['2027-10-24T00:30:00.000Z', '2027-10-31T00:30:00.000Z', '2027-11-07T01:30:00.000Z'];
    expect(listWeekly(starts[0]!)).toEqual(starts);
  });
});

test.each([
  ['Berlin', '2026-12-01T01:00:00Z'],
  ['Eastern Time (US & Canada)', '2026-12-02T03:00:00Z'],
  ['Auckland', '2026-11-30T12:00:00Z'],
])(
  'a rule until a date has an occurrence on that day, whatever becomes of a missing hour, in %s',
  (timezoneName, first) => {
    const schedule = { rule: 'FREQ=DAILY;UNTIL=20261203', timezoneName, beginsAt: new Date(first) };
    const days = [0, 1, 2].map(count => new Date(Date.parse(first) + count * day).toISOString());
    expect(list({ ...schedule, onMissingHour: 'skip' })).toEqual(days);
    expect(list({ ...schedule, onMissingHour: 'later' })).toEqual(days);
  },
);

test.each(['skip', 'later'] as const)(
  'the first occurrence begins in the second of a doubled hour: %s',
  onMissingHour => {
    const beginsAt = new Date('2027-10-31T01:30:00Z');
    expect(list({ rule: 'FREQ=WEEKLY;COUNT=2', timezoneName: 'Berlin', beginsAt, onMissingHour })).toEqual([
      '2027-10-31T01:30:00.000Z',
      '2027-11-07T01:30:00.000Z',
    ]);
  },
);

test('an occurrence that the clock leaves out is named where it would be on the last day of the rule', () => {
  const schedule = { timezoneName: 'Berlin', beginsAt: new Date('2027-03-14T01:30:00Z') };
  const rule = 'FREQ=WEEKLY;UNTIL=20270328';
  expect(listClockChanges({ ...schedule, rule }, schedule.beginsAt)).toMatchObject([{ date: '2027-03-28' }]);
});

const beginsAt = new Date('2026-12-01T01:00:00Z');
const atMidnight = new Date('2026-11-30T23:00:00Z');

test.each<[rule: string, words: string, beginsAt?: Date]>([
  ['FREQ=WEEKLY', 'Every week on Tuesday at 02:00, Berlin time'],
  ['FREQ=WEEKLY', 'Every week on Tuesday at 00:00, Berlin time', atMidnight],
  ['FREQ=DAILY;COUNT=5', 'Every day at 00:00 for 5 times, Berlin time', atMidnight],
  ['FREQ=MONTHLY;BYDAY=1TU', 'Every month on 1st Tuesday at 02:00, Berlin time'],
  ['FREQ=DAILY;COUNT=5', 'Every day at 02:00 for 5 times, Berlin time'],
  ['FREQ=DAILY;UNTIL=20261205', 'Every day at 02:00, Berlin time, until 5 December 2026'],
  ['FREQ=DAILY;UNTIL=20261205T230000Z', 'Every day at 02:00, Berlin time, until 6 December 2026'],
])('%s is said in words: %s', (rule, words, first = beginsAt) => {
  expect(describeSchedule({ rule, timezoneName: 'Berlin', beginsAt: first })).toBe(words);
});

test.each([
  'FREQ=SECONDLY',
  'FREQ=MINUTELY',
  'FREQ=DAILY;COUNT=1000000',
  'FREQ=DAILY;COUNT=367',
  'FREQ=DAILY;BYSECOND=1',
  'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=31',
  'FREQ=WEEKLY;BYDAY=MO;BYSETPOS=9',
  'FREQ=DAILY;INTERVAL=1000',
  'FREQ=DAILY;BYMONTHDAY=32',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=300',
  'FREQ=DAILY;BYYEARDAY=1',
  'FREQ=DAILY;BYMONTH=13',
  `FREQ=MONTHLY;BYSETPOS=${Array.from({ length: 32 }, () => 1)}`,
])('%s is refused', rule => expect(checkRule({ rule, timezoneName: 'Berlin', beginsAt })).not.toBeNull());

test('further windows may have an offset, and no occurrence is after the year 9999', () => {
  const schedule = { timezoneName: 'Berlin', beginsAt: new Date('9998-06-01T00:00:00Z') };
  const windows = [{ beginsAt: '9998-06-02T02:00:00+02:00', endsAt: '9998-06-02T04:00:00+02:00' }];
  const starts = listOccurrences({ ...schedule, rule: 'FREQ=YEARLY', windows }, schedule.beginsAt, 5);
  expect(starts.map(start => start.toISOString())).toEqual([
    '9998-06-01T00:00:00.000Z',
    '9998-06-02T00:00:00.000Z',
    '9999-06-01T00:00:00.000Z',
  ]);
});
