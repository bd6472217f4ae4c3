import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../../src/db/database.js';
import { timeZones } from '../../../src/pages/time-zones.js';
import { warnOfNotice } from '../../../src/notifications/warnings.js';
import { toCalendarDay, addDays, startOfDay } from '../../../src/status-page/view/days.js';
import { openTestDatabase } from '../../support/database.js';

/** Compares days and clock changes with those of PostgreSQL, which has an independent implementation of time zones. */
let database: Database;
const zones = [...new Set(timeZones.map(({ zone }) => zone))];
/** The hours from 2015 to 2024 in which the offset of a zone changed: the hour before, and the first after it. */
let transitions: { zone: string; before: Date; after: Date }[];

/** Offsets are compared by day, and by hour only around a day that differs: all hours of all zones are 13 million. */
const transitionsSql = `with day as (
   select zone, at, (at at time zone zone) - (at at time zone 'UTC') as off from unnest($1::text[]) zone,
     generate_series(timestamptz '2015-01-01 00:00Z', timestamptz '2025-01-01 00:00Z', interval '1 day') at
 ), changed as (
   select zone, at
   from (select zone, at, off, lag(off) over (partition by zone order by at) as before from day) d
   where off <> before
 ), hour as (
   select zone, hour, (hour at time zone zone) - (hour at time zone 'UTC') as off
   from changed, generate_series(at - interval '1 day', at, interval '1 hour') hour
 )
 select zone, extract(epoch from hour)::text as hour
 from (select zone, hour, off, lag(off) over (partition by zone order by hour) as before from hour) h
 where off <> before and before is not null
 order by zone, h.hour`;

/** All at once would take longer than a statement may on a busy machine. */
const zonesPerStatement = 20;

interface FoundHour {
  zone: string;
  /** Seconds since 1970. */
  hour: string;
}

beforeAll(async () => {
  database = await openTestDatabase();
  const found: FoundHour[] = [];
  for (let first = 0; first < zones.length; first += zonesPerStatement) {
    const some = zones.slice(first, first + zonesPerStatement);
    found.push(...(await database.query<FoundHour>(transitionsSql, [some])));
  }
  transitions = found.map(({ zone, hour }) => ({
    zone,
    before: new Date((Number(hour) - 3_600) * 1_000),
    after: new Date(Number(hour) * 1_000),
  }));
}, 60_000);
afterAll(() => database.close());

test('the offset changes in every year from 2015 to 2024, and in more than 50 zones', () => {
  expect(timeZones).toHaveLength(149);
  expect(new Set(transitions.map(({ after }) => after.getUTCFullYear())).size).toBe(10);
  expect(new Set(transitions.map(({ zone }) => zone)).size).toBeGreaterThan(50);
  expect(transitions.length).toBeGreaterThan(1_000);
});

/** Returns the days at and around every transition whose start differs from that of the database. */
async function findWrongStarts(startOf: (day: string, zone: string) => Date): Promise<unknown[]> {
  const days = transitions.flatMap(({ zone, after }) =>
    [-1, 0, 1].map(more => ({ zone, day: addDays(toCalendarDay(after, zone), more) })),
  );
  return database.query(
    `select zone, day, start, before from (
       select zone, day, (start at time zone zone)::date::text as start,
         ((start - interval '1 millisecond') at time zone zone)::date::text as before
       from unnest($1::text[], $2::text[], $3::timestamptz[]) days (zone, day, start)) expected
     where start <> day or before <> (day::date - 1)::text`,
    [
      days.map(({ zone }) => zone),
      days.map(({ day }) => day),
      days.map(({ day, zone }) => startOf(day, zone).toISOString()),
    ],
  );
}

test('a day begins at the same instant as in the database, at every transition and on the days around it', async () => {
  expect(await findWrongStarts(startOfDay)).toEqual([]);
});

test('the comparison detects an implementation that ignores daylight saving time', async () => {
  const withoutDaylightSaving = (day: string, zone: string) => {
    const inJanuary = `${day.slice(0, 4)}-01-01`;
    return new Date(Date.parse(day) + startOfDay(inJanuary, zone).getTime() - Date.parse(inJanuary));
  };
  expect((await findWrongStarts(withoutDaylightSaving)).length).toBeGreaterThan(1_000);
});

test('an instant is on the same calendar day as in the database, in each hour around every transition', async () => {
  const instants = transitions.flatMap(({ zone, after }) =>
    Array.from({ length: 49 }, (_, hour) => ({ zone, at: new Date(after.getTime() + (hour - 24) * 3_600_000 - 1) })),
  );
  const expected = await database.query<{ day: string }>(
    `select to_char(at at time zone zone, 'YYYY-MM-DD') as day
     from unnest($1::text[], $2::timestamptz[]) with ordinality instants (zone, at, n) order by n`,
    [instants.map(({ zone }) => zone), instants.map(({ at }) => at.toISOString())],
  );
  const wrong = instants.filter(({ zone, at }, index) => toCalendarDay(at, zone) !== expected[index]!.day);
  expect(wrong).toEqual([]);
});

test('a window across a transition is warned about, and a window before or after it is not', () => {
  const codes = (zone: string, beginsAt: Date, endsAt: Date) =>
    warnOfNotice(
      { zone, type: 'planned', state: 'scheduled', beginsAt, endsAt, overlappingSubjects: [], manualStatuses: [] },
      new Date(0),
    ).map(({ code }) => code);
  const addHours = (instant: Date, hours: number) => new Date(instant.getTime() + hours * 3_600_000);
  for (const { zone, before, after } of transitions) {
    expect([zone, after, codes(zone, before, after)]).toEqual([zone, after, ['summer_time']]);
    expect([zone, after, codes(zone, addHours(before, -2), before)]).toEqual([zone, after, []]);
    expect([zone, after, codes(zone, after, addHours(after, 2))]).toEqual([zone, after, []]);
  }
});
