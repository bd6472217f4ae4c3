import { type FieldProblems, type Problem, problems as known, validationMessages } from '../core/problems.js';
import { formatTimestamp, hasFourDigitYear, parseTimestamp } from '../core/timestamp.js';

/** All values are UTC, regardless of the time zone of the page. */
export interface WindowInput {
  beginsAt?: Date | null;
  endsAt?: Date | null;
  /** YYYY-MM-DD */
  beginsAtDate?: string | null;
  /** HH:MM:SS, or HH:MM */
  beginsAtTime?: string | null;
  durationInMinutes?: number | null;
}

export const windowFields = [
  'beginsAt',
  'endsAt',
  'beginsAtDate',
  'beginsAtTime',
  'durationInMinutes',
] as const satisfies (keyof WindowInput)[];

export interface MaintenanceWindow {
  beginsAt: Date;
  endsAt: Date;
}

/**
 * Resolves the window of a planned notice: "begins_at set from begins_at_date and begins_at_time; ends_at equals
 * begins_at plus duration_in_minutes". The reference of /v1 leaves the rest open: date and time take precedence over
 * begins_at, the duration over ends_at; absent values stay; a new start with neither duration nor end moves the whole
 * window.
 */
export function resolveWindow(
  input: WindowInput,
  current?: MaintenanceWindow,
): { window: MaintenanceWindow } | { problems: FieldProblems } {
  const changes = dropEchoedWindow(input, current);
  const problems: FieldProblems = {};
  const beginsAt = resolveStart(changes, current, problems);
  const endsAt = resolveEnd(changes, current, beginsAt, problems);
  if (beginsAt && endsAt && endsAt <= beginsAt) problems.endsAt ??= [known.beforeStart('the start')];
  return beginsAt && endsAt && Object.keys(problems).length === 0 ? { window: { beginsAt, endsAt } } : { problems };
}

/**
 * A client may send a whole record back with a new date, time or duration. Two instants equal to the stored ones
 * therefore count as absent: applying the old end would shorten the moved window. One of them alone is applied.
 */
function dropEchoedWindow(input: WindowInput, current: MaintenanceWindow | undefined): WindowInput {
  const isEcho =
    current && isSameInstant(input.beginsAt, current.beginsAt) && isSameInstant(input.endsAt, current.endsAt);
  return isEcho ? { ...input, beginsAt: null, endsAt: null } : input;
}

function isSameInstant(given: Date | null | undefined, stored: Date): boolean {
  return given?.getTime() === stored.getTime();
}

function resolveStart(
  given: WindowInput,
  current: MaintenanceWindow | undefined,
  problems: FieldProblems,
): Date | null {
  const base = given.beginsAt ?? current?.beginsAt ?? null;
  if (base && !hasFourDigitYear(base)) {
    problems.beginsAt = [yearOutOfRange];
    return null;
  }
  const [baseDate, baseTime] = base ? formatTimestamp(base).slice(0, -1).split('T') : [];
  const date = resolvePart(given.beginsAtDate, baseDate, dateFormat, problems, 'beginsAtDate');
  const time = resolvePart(given.beginsAtTime, baseTime, timeFormat, problems, 'beginsAtTime');
  return date && time ? parseTimestamp(`${date}T${time}Z`) : null;
}

const yearOutOfRange = known.outOfRange('must be in a year of four digits');

interface PartFormat {
  pattern: RegExp;
  shown: string;
  /** Completes the part to a timestamp, to check that the day or the time of day exists. */
  toTimestamp: (part: string) => string;
}

const dateFormat: PartFormat = {
  pattern: /^\d{4}-\d{2}-\d{2}$/,
  shown: 'YYYY-MM-DD',
  toTimestamp: date => `${date}T00:00:00Z`,
};
const timeFormat: PartFormat = {
  pattern: /^\d{2}:\d{2}(:\d{2})?$/,
  shown: 'HH:MM:SS or HH:MM',
  toTimestamp: time => `2000-01-01T${time}Z`,
};

function resolvePart(
  value: string | null | undefined,
  fallback: string | undefined,
  format: PartFormat,
  problems: FieldProblems,
  field: string,
): string | null {
  const trimmed = value?.trim();
  if (!trimmed) {
    if (fallback === undefined) problems[field] = [known.blank];
    return fallback ?? null;
  }
  if (format.pattern.test(trimmed) && parseTimestamp(format.toTimestamp(trimmed))) return trimmed;
  problems[field] = [known.invalid(`must have the form ${format.shown}`)];
  return null;
}

function resolveEnd(
  given: WindowInput,
  current: MaintenanceWindow | undefined,
  beginsAt: Date | null,
  problems: FieldProblems,
): Date | null {
  const minutes = given.durationInMinutes ?? null;
  if (minutes === null && given.endsAt) {
    if (!hasFourDigitYear(given.endsAt)) problems.endsAt = [yearOutOfRange];
    return given.endsAt;
  }
  if (minutes === null && !current) {
    problems.durationInMinutes = [known.blank];
    return null;
  }
  const problem = minutes === null ? null : validateDuration(minutes);
  if (problem) problems.durationInMinutes = [problem];
  if (problem || !beginsAt) return null;

  const lengthMs = minutes === null ? current!.endsAt.getTime() - current!.beginsAt.getTime() : minutes * 60_000;
  const endsAt = new Date(beginsAt.getTime() + lengthMs);
  if (hasFourDigitYear(endsAt)) return endsAt;
  problems.durationInMinutes = [yearOutOfRange];
  return null;
}

function validateDuration(minutes: number): Problem | null {
  if (!Number.isFinite(minutes)) return known.outOfRange('must be a number', validationMessages.notANumber);
  if (!Number.isInteger(minutes)) return known.outOfRange('must be an integer', validationMessages.notAnInteger);
  return minutes > 0 ? null : known.greaterThan(0);
}
