import { LRUCache } from 'lru-cache';
import { toLocalTime } from '../../i18n/local-time.js';

/** The calendar day of a moment in a time zone: `2026-11-20`. */
export function toCalendarDay(moment: Date, zone: string): string {
  return toLocalTime(moment, zone).slice(0, 10);
}

/** The calendar day `days` after `day`; a negative number goes back. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The moment a day begins in a time zone. If clocks skip midnight, it is the first moment after the gap. */
export function startOfDay(day: string, zone: string): Date {
  const key = `${zone} ${day}`;
  const cached = dayStarts.get(key);
  if (cached !== undefined) return new Date(cached);
  const start = findStartOfDay(day, zone);
  dayStarts.set(key, start);
  return new Date(start);
}

/** Every render of a page needs the starts of 90 days. */
const dayStarts = new LRUCache<string, number>({ max: 20_000 });

/** A binary search to the minute over the possible UTC offsets (-12 to +14 hours): no offset in use has seconds. */
function findStartOfDay(day: string, zone: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  let before = Math.floor(midnight / 60_000) - 15 * 60;
  let after = before + 30 * 60;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (toCalendarDay(new Date(middle * 60_000), zone) < day) before = middle;
    else after = middle;
  }
  return after * 60_000;
}

/** The first and the last moment (exclusive) of a month such as `2026-10`. An invalid month overflows into the next. */
export function monthRange(month: string, zone: string): { from: string; to: string } {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const next = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
  return { from: startOfDay(`${month}-01`, zone).toISOString(), to: startOfDay(next, zone).toISOString() };
}
