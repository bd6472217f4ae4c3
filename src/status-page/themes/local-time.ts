/** A point in time with its local time in a zone. */
export interface LocalTime {
  /** The fields of local time, stored as if they were UTC. */
  wall: Date;
  offsetInMinutes: number;
  instant: Date;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function getClock(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone);
  if (!clock) {
    const number = 'numeric';
    clock = new Intl.DateTimeFormat('en-u-ca-gregory', {
      timeZone: zone,
      era: 'short',
      ...{ year: number, month: number, day: number, hour: number, minute: number, second: number },
      hourCycle: 'h23',
    });
    clocks.set(zone, clock);
  }
  return clock;
}

export function toLocalTime(instant: Date, zone: string): LocalTime {
  const part: Record<string, string> = {};
  for (const { type, value } of getClock(zone).formatToParts(instant)) part[type] = value;
  const year = part.era?.startsWith('B') ? 1 - Number(part.year) : Number(part.year);
  const wall = new Date(0);
  wall.setUTCFullYear(year, Number(part.month) - 1, Number(part.day));
  wall.setUTCHours(Number(part.hour), Number(part.minute), Number(part.second), instant.getUTCMilliseconds());
  return { wall, offsetInMinutes: Math.round((wall.getTime() - instant.getTime()) / 60_000), instant };
}

const withoutZone = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?))?$/;

/**
 * Parses what a template passes to a date filter: an ISO 8601 timestamp, `now`, seconds since 1970, or a date as people
 * write it. A date without a zone is local time of the page.
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
  const guesses = [-1, 1].map(days => {
    const offset = toLocalTime(new Date(wall.getTime() + days * 86_400_000), zone).offsetInMinutes;
    return new Date(wall.getTime() - offset * 60_000);
  });
  return guesses.find(guess => toLocalTime(guess, zone).wall.getTime() === wall.getTime()) ?? guesses[0]!;
}
