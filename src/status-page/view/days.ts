import { LRUCache } from 'lru-cache';

/** The formatters of a zone are dear to make and cheap to use. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(zone, format);
  }
  return format;
}

/** The calendar day of a moment in a zone: `2026-11-20`. */
export function dayOf(moment: Date, zone: string): string {
  return wallClock(moment, zone).slice(0, 10);
}

/** `2026-11-20T14:02:31`, as a clock on the wall shows it there. */
function wallClock(moment: Date, zone: string): string {
  const part = Object.fromEntries(
    formatOf(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  return `${part.year!.padStart(4, '0')}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}`;
}

/** The day that many days later; negative goes back. */
export function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The moment a day begins in a zone. Where midnight does not exist, since clocks went forward over it, the first moment after. */
export function startOfDay(day: string, zone: string): Date {
  const key = `${zone} ${day}`;
  const known = starts.get(key);
  if (known !== undefined) return new Date(known);
  const start = findStart(day, zone);
  starts.set(key, start);
  return new Date(start);
}

/** A page is drawn with a quarter of a year, again and again. */
const starts = new LRUCache<string, number>({ max: 20_000 });

function findStart(day: string, zone: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // Offsets reach from -12 to +14 hours. The earliest moment of the day is sought between, to the minute: no offset in use has seconds.
  let before = Math.floor(midnight / 60_000) - 15 * 60;
  let after = before + 30 * 60;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (dayOf(new Date(middle * 60_000), zone) < day) before = middle;
    else after = middle;
  }
  return after * 60_000;
}

/** The moments a month begins and ends in a zone, for `2026-10`; a month that is none begins and ends where its days would. */
export function monthOf(month: string, zone: string): { from: string; to: string } {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const next = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
  return { from: startOfDay(`${month}-01`, zone).toISOString(), to: startOfDay(next, zone).toISOString() };
}
