/**
 * Date, then optionally a time and an offset. A form turns the "+" of an offset into a blank, so digits after a blank are an offset to the
 * east; the old form `2026-01-01 10:00:00 +0000` then arrives with two blanks.
 */
const form =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:Z| ?([+-])(\d{2})(?::?(\d{2}))?| {1,2}(\d{2})(?::?(\d{2}))?)?)?$/i;

/** ISO 8601 with any offset, UTC without one, midnight UTC for a date alone; null for anything else. */
export function parseTimestamp(value: string): Date | null {
  const match = form.exec(value);
  if (!match) return null;
  const [
    ,
    date = '',
    hour = '00',
    minute = '00',
    second = '00',
    fraction = '',
    sign,
    signedHour,
    signedMinute,
    blankHour,
    blankMinute,
  ] = match;

  const local = `${date}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const offsetHour = Number(signedHour ?? blankHour ?? 0);
  const offsetMinute = Number(signedMinute ?? blankMinute ?? 0);
  if (!exists(local) || offsetHour > 23 || offsetMinute > 59) return null;

  const offset = (sign === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute) * 60_000;
  const instant = new Date(Date.parse(local) - offset);
  return isWritable(instant) ? instant : null;
}

/** Date.parse takes 30 February for 2 March and 24:00 for the next day; written again, such a time differs. */
function exists(local: string): boolean {
  const milliseconds = Date.parse(local);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === local;
}

const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether the year has the four digits that the form `YYYY-MM-DDTHH:MM:SS.mmmZ` leaves for it. False for an invalid Date. */
export function isWritable(date: Date): boolean {
  return date.getTime() >= earliest && date.getTime() <= latest;
}

/** "ISO 8601 UTC strings with millisecond precision". */
export function formatTimestamp(date: Date): string {
  return date.toISOString();
}
