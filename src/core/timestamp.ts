/**
 * A date, then optionally a time and an offset. Form encoding turns the "+" of an offset into a space, so digits after
 * a space are a positive offset; the older format `2026-01-01 10:00:00 +0000` then arrives with two spaces. Ruby writes
 * ` UTC` for it, and Go an abbreviation behind it.
 */
const datePattern = /(\d{4}-\d{2}-\d{2})/.source;
const timePattern = /(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?/.source;
const offsetPattern = /(?:(Z| UTC)| ?([+-])(\d{2})(?::?(\d{2}))?(?: [A-Z]{3,4})?| {1,2}(\d{2})(?::?(\d{2}))?)/.source;
/** In characters. */
const maxLength = 100;
const format = new RegExp(`^${datePattern}(?:[T ]${timePattern}${offsetPattern}?)?$`, 'i');

/** As Windows PowerShell and other serializers of .NET write a time in JSON: milliseconds since 1970. */
const dotNetFormat = /^\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\/$/;

function parseDotNetDate(value: string): Date | null {
  const date = new Date(Number(dotNetFormat.exec(value)?.[1] ?? Number.NaN));
  return hasFourDigitYear(date) ? date : null;
}

/**
 * Parses ISO 8601: with any offset, UTC without one, midnight UTC for a date alone; and `/Date(1798859045000)/`, a time
 * of .NET. Null for anything else.
 */
export const parseTimestamp = (value: string): Date | null => parse(value)?.date ?? parseDotNetDate(value);

/** A time without an offset, or a date alone: read as UTC, which its author may not have meant. */
export class TimeWithoutOffset extends Date {
  constructor(
    date: Date,
    readonly text: string,
  ) {
    super(date);
  }
}

/** Parses the same, and tells by the class of the result whether there was no offset. */
export function parseTimestampOrLocalTime(value: string): Date | null {
  const parsed = parse(value);
  return parsed && !parsed.hasOffset ? new TimeWithoutOffset(parsed.date, value) : (parsed?.date ?? null);
}

function parse(value: string): { date: Date; hasOffset: boolean } | null {
  // Each digit of the fraction may stand in a text of megabytes.
  const match = value.length <= maxLength ? format.exec(value) : null;
  if (!match) return null;
  const [
    ,
    date = '',
    hour = '00',
    minute = '00',
    second = '00',
    fraction = '',
    zulu,
    sign,
    signedHour,
    signedMinute,
    spaceHour,
    spaceMinute,
  ] = match;

  const local = `${date}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const offsetHour = Number(signedHour ?? spaceHour ?? 0);
  const offsetMinute = Number(signedMinute ?? spaceMinute ?? 0);
  if (!exists(local) || offsetHour > 23 || offsetMinute > 59) return null;

  const offset = (sign === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute) * 60_000;
  const instant = new Date(Date.parse(local) - offset);
  const hasOffset = Boolean(zulu ?? signedHour ?? spaceHour);
  return hasFourDigitYear(instant) ? { date: instant, hasOffset } : null;
}

/** Date.parse turns 30 February into 2 March and 24:00 into the next day, so the text is compared with its result. */
function exists(local: string): boolean {
  const milliseconds = Date.parse(local);
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === local;
}

const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** Tells whether a date fits the format `YYYY-MM-DDTHH:MM:SS.mmmZ`. False for an invalid Date. */
export function hasFourDigitYear(date: Date): boolean {
  return date.getTime() >= earliest && date.getTime() <= latest;
}

/** Formats a date as /v1 does: "ISO 8601 UTC strings with millisecond precision". */
export function formatTimestamp(date: Date): string {
  return date.toISOString();
}
