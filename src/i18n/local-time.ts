/** Creating a formatter for a time zone is expensive; using it is cheap. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function getFormatter(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
    });
    formatters.set(zone, formatter);
  }
  return formatter;
}

/** The local time of a moment in a time zone, in the fields of UTC. */
export function toWallTime(moment: Date, zone: string): Date {
  const parts = getFormatter(zone).formatToParts(moment);
  const part = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]));
  const wall = new Date(0);
  wall.setUTCFullYear(part.year!, part.month! - 1, part.day);
  wall.setUTCHours(part.hour!, part.minute, part.second, moment.getUTCMilliseconds());
  return wall;
}

/** The local time of a moment in a time zone: `2026-11-20T14:02:31`. */
export const toLocalTime = (moment: Date, zone: string): string => toWallTime(moment, zone).toISOString().slice(0, 19);

/** Minutes east of UTC. */
export const getOffsetMinutes = (moment: Date, zone: string): number =>
  Math.round((toWallTime(moment, zone).getTime() - moment.getTime()) / 60_000);
