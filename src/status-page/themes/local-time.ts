/** A moment as a clock on the wall and a calendar beside it show it. */
export interface LocalTime {
  /** The fields of local time, told as if they were UTC. */
  wall: Date;
  offsetInMinutes: number;
  moment: Date;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
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

export function localTime(moment: Date, zone: string): LocalTime {
  const part: Record<string, string> = {};
  for (const { type, value } of clockOf(zone).formatToParts(moment)) part[type] = value;
  const year = part.era?.startsWith('B') ? 1 - Number(part.year) : Number(part.year);
  const wall = new Date(0);
  wall.setUTCFullYear(year, Number(part.month) - 1, Number(part.day));
  wall.setUTCHours(Number(part.hour), Number(part.minute), Number(part.second), moment.getUTCMilliseconds());
  return { wall, offsetInMinutes: Math.round((wall.getTime() - moment.getTime()) / 60_000), moment };
}

const withoutZone = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?))?$/;

/** What templates hand to a date filter: a moment of ours, `now`, seconds since 1970, or a date as people write it, which is one of the page's zone. */
export function momentOf(value: unknown, { now, zone }: { now: Date; zone: string }): Date | null {
  if (value instanceof Date) return value;
  if (typeof value === 'number') return sound(new Date(value * 1000));
  if (typeof value !== 'string' || value.length > 100) return null;
  const text = value.trim();
  if (text === 'now' || text === 'today') return now;
  if (/^\d{1,15}$/.test(text)) return sound(new Date(Number(text) * 1000));
  const [, day, time = '00:00'] = withoutZone.exec(text) ?? [];
  if (day) return onWall(sound(new Date(`${day}T${time}Z`)), zone);
  // Without a year V8 finds a date in almost anything.
  return /\d{4}/.test(text) ? sound(new Date(text)) : null;
}

const sound = (date: Date): Date | null => (Number.isNaN(date.getTime()) ? null : date);

/** The moment at which the clocks of the zone show that; of two the first, and where there is none, as far into the day as it would have been. */
function onWall(wall: Date | null, zone: string): Date | null {
  if (!wall) return null;
  const guesses = [-1, 1].map(days => {
    const offset = localTime(new Date(wall.getTime() + days * 86_400_000), zone).offsetInMinutes;
    return new Date(wall.getTime() - offset * 60_000);
  });
  return guesses.find(guess => localTime(guess, zone).wall.getTime() === wall.getTime()) ?? guesses[0]!;
}
