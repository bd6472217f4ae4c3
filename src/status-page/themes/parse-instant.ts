import { getOffsetMinutes, toWallTime } from '../../i18n/local-time.js';

const withoutZone = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?))?$/;

/**
 * Parses what a template passes to a date filter: an ISO 8601 timestamp, `now`, seconds since 1970, or a date as people
 * write it. A date without a zone is local time of the page, where liquidjs takes that of the process.
 */
export function parseInstant(value: unknown, { now, zone }: { now: Date; zone: string }): Date | null {
  if (value instanceof Date) return value;
  if (typeof value === 'number') return validDate(new Date(value * 1000));
  if (typeof value !== 'string' || value.length > 100) return null;
  const text = value.trim();
  if (text === 'now' || text === 'today') return now;
  if (/^\d{1,15}$/.test(text)) return validDate(new Date(Number(text) * 1000));
  const [, day, time = '00:00'] = withoutZone.exec(text) ?? [];
  if (day) return fromWallTime(validDate(new Date(`${day}T${time}Z`)), zone);
  // Without a year, V8 parses almost any text as a date.
  return /\d{4}/.test(text) ? validDate(new Date(text)) : null;
}

const validDate = (date: Date): Date | null => (Number.isNaN(date.getTime()) ? null : date);

/** Local time to instant: the first of two at the end of summer time, and behind the gap at its start. */
function fromWallTime(wall: Date | null, zone: string): Date | null {
  if (!wall) return null;
  const candidates = [-1, 1].map(days => {
    const offset = getOffsetMinutes(new Date(wall.getTime() + days * 86_400_000), zone);
    return new Date(wall.getTime() - offset * 60_000);
  });
  return candidates.find(instant => toWallTime(instant, zone).getTime() === wall.getTime()) ?? candidates[0]!;
}
