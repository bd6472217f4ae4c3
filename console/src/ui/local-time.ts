/** A time as a field `datetime-local` has it, "2026-12-03T09:00", in a zone of IANA; by default that of the browser. */
export function toLocalTime(time: string, timeZone?: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).formatToParts(new Date(time));
  const { year, month, day, hour, minute } = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  return `${year!.padStart(4, '0')}-${month}-${day}T${hour}:${minute}`;
}

const dayMs = 24 * 3_600_000;

/**
 * The opposite, as the service reads wall times: the first moment where the clock has the time twice, and as long after
 * the change where it leaves it out. The offsets around a change are those of a day before and a day after.
 */
export function fromLocalTime(local: string, timeZone?: string): string {
  const asUtc = Date.parse(`${local}Z`);
  const offsetAt = (ms: number) => Date.parse(`${toLocalTime(new Date(ms).toISOString(), timeZone)}Z`) - ms;
  // Without what is after the year 9999.
  const moments = [-dayMs, dayMs].map(distance => asUtc - offsetAt(asUtc + distance)).filter(Number.isFinite);
  const fitting = moments.filter(moment => moment + offsetAt(moment) === asUtc);
  return new Date(fitting.length ? Math.min(...fitting) : moments[0]!).toISOString();
}

/** The same time of day on the next day, which is not always 24 hours later. */
export function toNextDay(time: string, timeZone?: string): string {
  const nextDay = new Date(Date.parse(`${toLocalTime(time, timeZone)}Z`) + dayMs);
  return fromLocalTime(nextDay.toISOString().slice(0, 16), timeZone);
}
