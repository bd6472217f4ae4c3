import { z } from 'zod';
import { parseTimestamp, parseTimestampOrLocalTime, TimeWithoutOffset } from '../../core/timestamp.js';
import { getOffsetMinutes } from '../../i18n/local-time.js';
import { findLeaving } from '../../subscribers/lists/opt-out-columns.js';
import { isHidden, notShown } from './hidden-records.js';
import type { ImportedKind, LeftOut } from './imported-page.js';
import { parseLeniently } from './parse-leniently.js';

/** Leaves out the row that is converted; the message is the rest of a sentence that begins with the row. */
export class UnusableRow extends Error {}

/** A time in ISO 8601, in UTC where it has no offset. */
export const time = z.string().transform((value, context) => {
  const parsed = parseTimestamp(value.trim());
  if (!parsed) context.addIssue(`is not a time: ${JSON.stringify(value.slice(0, 40))}`);
  return parsed ?? z.NEVER;
});
/** Seconds since 1970. */
export const seconds = z.int().transform(value => new Date(value * 1_000));
export const optionalTime = z.preprocess(value => (value === '' ? null : value), time.nullish());

/** An id, which some products send as a number. */
export const id = z.union([z.string().min(1), z.int()]).transform(String);
export const optionalId = id.nullish();
/** Whether a name is one of the tz database. */
export function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** A local time of a zone, such as `2026-01-02 03:04:05`; one with an offset is as it says. */
export const localTime = (zone: string) =>
  z.string().transform((value, context) => {
    const parsed = parseTimestampOrLocalTime(value.trim());
    if (parsed && !(parsed instanceof TimeWithoutOffset)) return parsed;
    if (parsed) return fromLocalTime(parsed, zone);
    context.addIssue(`is not a time: ${JSON.stringify(value.slice(0, 40))}`);
    return z.NEVER;
  });

/** `local` has the fields of the local time in those of UTC. The offset is that of the moment it stands for. */
function fromLocalTime(local: Date, zone: string): Date {
  const guess = new Date(local.getTime() - getOffsetMinutes(local, zone) * 60_000);
  return new Date(local.getTime() - getOffsetMinutes(guess, zone) * 60_000);
}

export const optionalText = z.string().nullish();

export interface Conversion<Row, Result> {
  leftOut: LeftOut[];
  kind: ImportedKind;
  rows: readonly unknown[];
  /** The shape of the source. Further fields are ignored. */
  shape: z.ZodType<Row>;
  convert(row: Row): unknown;
  /** What `convert` must return. */
  result: z.ZodType<Result>;
  /** Optional fields without which a row would say something else. */
  essential?: readonly string[];
}

/**
 * Converts each row alone: one that cannot be used, that the source does not show to visitors, or whose person left the
 * list, is left out with its reason. An optional field of another type is left out alone.
 */
export function convertRows<Row, Result>({
  leftOut,
  kind,
  rows,
  shape,
  convert,
  result,
  essential = [],
}: Conversion<Row, Result>): Result[] {
  // Without a choice of a subscriber, there would be messages that nobody asked for.
  const mayDrop = (path: readonly PropertyKey[]) =>
    kind === 'subscriber' ? /(_at|At)$/.test(String(path[0])) : !essential.includes(String(path[0]));
  const isShown = kind === 'notice' || kind === 'update' ? (row: unknown) => !isHidden(row, kind) : () => true;
  const findReason = kind === 'subscriber' ? findLeavers(rows) : (row: unknown) => (isShown(row) ? null : notShown);
  return rows.flatMap((row, index) => {
    const sourceId = idOf(row) ?? `row ${index + 1}`;
    try {
      const reason = findReason(row);
      if (reason !== null) throw new UnusableRow(reason);
      const parsed = parseLeniently(shape, row, mayDrop);
      const converted = parseLeniently(result, convert(parsed.value), mayDrop);
      for (const { path, message } of [...parsed.dropped, ...converted.dropped]) {
        const reason = `has no \`${path.join('.')}\` here: ${message}`;
        leftOut.push({ kind: 'field', sourceId: `of ${kind} ${sourceId}`, reason });
      }
      return [converted.value];
    } catch (error) {
      leftOut.push({ kind, sourceId, reason: describe(error) });
      return [];
    }
  });
}

/** Returns a function that says why somebody is left out who left the list of the source. */
function findLeavers(rows: readonly unknown[]): (row: unknown) => string | null {
  const names = [...new Set(rows.flatMap(row => Object.keys(row ?? {})))];
  const listCells = (row: unknown) => names.map(name => ((row ?? {}) as Record<string, unknown>)[name]);
  const leaving = findLeaving(names, rows.map(listCells));
  return row => leaving.find(listCells(row))?.reason ?? null;
}

/** The id of a row before its shape is known; undefined if it has none. */
export function idOf(row: unknown): string | undefined {
  const { id: own } = (row ?? {}) as { id?: unknown };
  return typeof own === 'string' || typeof own === 'number' ? String(own).slice(0, 255) : undefined;
}

function describe(error: unknown): string {
  if (error instanceof UnusableRow) return error.message;
  if (!(error instanceof z.ZodError)) throw error;
  const { path, message } = error.issues[0]!;
  return path.length ? `\`${path.join('.')}\`: ${message}` : message;
}
