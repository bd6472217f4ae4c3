import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../src/db/connection.js';
import { timeZones } from '../../src/pages/time-zones.js';
import { warningsOf } from '../../src/notifications/preview/warnings.js';
import { dayOf, shiftDay, startOfDay } from '../../src/status-page/view/days.js';
import { openTestDatabase } from '../support/database.js';

/** PostgreSQL has clocks of its own: another tz database, read by another program. What this service says of days and clocks is compared with it. */
let database: Database;
const zones = [...new Set(timeZones.map(({ zone }) => zone))];
/** By zone, the hours of 2015 to 2024 in which its offset changed: from the hour before until it. */
let edges: { zone: string; before: Date; after: Date }[];

beforeAll(async () => {
  database = await openTestDatabase();
  // Offsets are looked at once a day, and around each day that differs from the one before once an hour: ten years of hours of all zones would be 13 million.
  const found = await database.query<{ zone: string; hour: string }>(
    `with day as (
       select zone, at, (at at time zone zone) - (at at time zone 'UTC') as off from unnest($1::text[]) zone,
         generate_series(timestamptz '2015-01-01 00:00Z', timestamptz '2025-01-01 00:00Z', interval '1 day') at
     ), changed as (
       select zone, at from (select zone, at, off, lag(off) over (partition by zone order by at) as before from day) d where off <> before
     ), hour as (
       select zone, hour, (hour at time zone zone) - (hour at time zone 'UTC') as off from changed, generate_series(at - interval '1 day', at, interval '1 hour') hour
     )
     select zone, extract(epoch from hour)::text as hour
     from (select zone, hour, off, lag(off) over (partition by zone order by hour) as before from hour) h where off <> before and before is not null
     order by zone, h.hour`,
    [zones],
  );
  edges = found.map(({ zone, hour }) => ({
    zone,
    before: new Date((Number(hour) - 3_600) * 1_000),
    after: new Date(Number(hour) * 1_000),
  }));
}, 60_000);
afterAll(() => database.close());

test('There are edges of summer time in all of ten years, and in very many zones', () => {
  expect(timeZones).toHaveLength(149);
  expect(new Set(edges.map(({ after }) => after.getUTCFullYear())).size).toBe(10);
  expect(new Set(edges.map(({ zone }) => zone)).size).toBeGreaterThan(50);
  expect(edges.length).toBeGreaterThan(1_000);
});

/** Those of the days at and around every edge of which the database says something else. */
async function wrongStarts(startOf: (day: string, zone: string) => Date): Promise<unknown[]> {
  const days = edges.flatMap(({ zone, after }) =>
    [-1, 0, 1].map(more => ({ zone, day: shiftDay(dayOf(after, zone), more) })),
  );
  return database.query(
    `select zone, day, start, before from (
       select zone, day, (start at time zone zone)::date::text as start, ((start - interval '1 millisecond') at time zone zone)::date::text as before
       from unnest($1::text[], $2::text[], $3::timestamptz[]) asked (zone, day, start)) told
     where start <> day or before <> (day::date - 1)::text`,
    [
      days.map(({ zone }) => zone),
      days.map(({ day }) => day),
      days.map(({ day, zone }) => startOf(day, zone).toISOString()),
    ],
  );
}

test('A day begins where the database says it does, at every edge of summer time and on the days around it', async () => {
  expect(await wrongStarts(startOfDay)).toEqual([]);
});

test('and who knew nothing of summer time would be found out', async () => {
  const asInWinter = (day: string, zone: string) => {
    const inJanuary = `${day.slice(0, 4)}-01-01`;
    return new Date(Date.parse(day) + startOfDay(inJanuary, zone).getTime() - Date.parse(inJanuary));
  };
  expect((await wrongStarts(asInWinter)).length).toBeGreaterThan(1_000);
});

test('A moment is on the day that the database says, in each hour around every edge', async () => {
  const moments = edges.flatMap(({ zone, after }) =>
    Array.from({ length: 49 }, (_, hour) => ({ zone, at: new Date(after.getTime() + (hour - 24) * 3_600_000 - 1) })),
  );
  const told = await database.query<{ day: string }>(
    `select to_char(at at time zone zone, 'YYYY-MM-DD') as day from unnest($1::text[], $2::timestamptz[]) with ordinality asked (zone, at, n) order by n`,
    [moments.map(({ zone }) => zone), moments.map(({ at }) => at.toISOString())],
  );
  const wrong = moments.filter(({ zone, at }, place) => dayOf(at, zone) !== told[place]!.day);
  expect(wrong).toEqual([]);
});

test('Of a window over an edge it is said that clocks change within it, and of one before or after it is not', () => {
  const codes = (zone: string, beginsAt: Date, endsAt: Date) =>
    warningsOf(
      { told: { zone, type: 'planned', state: 'scheduled', beginsAt, endsAt }, isForEverybody: false, open: [] },
      new Date(0),
    ).map(({ code }) => code);
  const hours = (moment: Date, more: number) => new Date(moment.getTime() + more * 3_600_000);
  for (const { zone, before, after } of edges) {
    expect([zone, after, codes(zone, before, after)]).toEqual([zone, after, ['summer_time']]);
    expect([zone, after, codes(zone, hours(before, -2), before)]).toEqual([zone, after, []]);
    expect([zone, after, codes(zone, after, hours(after, 2))]).toEqual([zone, after, []]);
  }
});
