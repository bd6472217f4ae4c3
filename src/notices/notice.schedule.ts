import { type FieldMessages, text } from '../core/errors.js';
import { formatTimestamp, isWritable, parseTimestamp } from '../core/timestamp.js';

/** All in UTC, whatever the time zone of the page. */
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

export interface Window {
  beginsAt: Date;
  endsAt: Date;
}

/**
 * The window of a planned notice: "begins_at set from begins_at_date and begins_at_time; ends_at equals begins_at plus duration_in_minutes".
 * The interface document is silent on the rest. Date and time beat begins_at, the duration beats ends_at; what is absent keeps its value; a new
 * begin with neither duration nor end moves the whole window.
 */
export function schedule(input: WindowInput, current?: Window): { window: Window } | { problems: FieldMessages } {
  const given = withoutEcho(input, current);
  const problems: FieldMessages = {};
  const beginsAt = begin(given, current, problems);
  const endsAt = end(given, current, beginsAt, problems);
  if (beginsAt && endsAt && endsAt <= beginsAt) problems.endsAt ??= [text.invalid];
  return beginsAt && endsAt && Object.keys(problems).length === 0 ? { window: { beginsAt, endsAt } } : { problems };
}

/**
 * A client may send a record back as it has read it, with a new date, time or duration beside it. Both instants just as they are stored
 * therefore say nothing: an end taken at its word would cut the moved window short. One of them alone means what it says.
 */
function withoutEcho(input: WindowInput, current: Window | undefined): WindowInput {
  const isEcho = current && same(input.beginsAt, current.beginsAt) && same(input.endsAt, current.endsAt);
  return isEcho ? { ...input, beginsAt: null, endsAt: null } : input;
}

function same(given: Date | null | undefined, stored: Date): boolean {
  return given?.getTime() === stored.getTime();
}

function begin(given: WindowInput, current: Window | undefined, problems: FieldMessages): Date | null {
  const base = given.beginsAt ?? current?.beginsAt ?? null;
  if (base && !isWritable(base)) {
    problems.beginsAt = [text.invalid];
    return null;
  }
  const [baseDate, baseTime] = base ? formatTimestamp(base).slice(0, -1).split('T') : [];
  const date = part(given.beginsAtDate, baseDate, dateForm, problems, 'beginsAtDate');
  const time = part(given.beginsAtTime, baseTime, timeForm, problems, 'beginsAtTime');
  return date && time ? parseTimestamp(`${date}T${time}Z`) : null;
}

interface Form {
  pattern: RegExp;
  /** A whole timestamp around the part, to see whether there is such a day or such a time of day. */
  within: (part: string) => string;
}

const dateForm: Form = { pattern: /^\d{4}-\d{2}-\d{2}$/, within: date => `${date}T00:00:00Z` };
const timeForm: Form = { pattern: /^\d{2}:\d{2}(:\d{2})?$/, within: time => `2000-01-01T${time}Z` };

function part(
  value: string | null | undefined,
  kept: string | undefined,
  form: Form,
  problems: FieldMessages,
  field: string,
): string | null {
  const written = value?.trim();
  if (!written) {
    if (kept === undefined) problems[field] = [text.blank];
    return kept ?? null;
  }
  if (form.pattern.test(written) && parseTimestamp(form.within(written))) return written;
  problems[field] = [text.invalid];
  return null;
}

function end(
  given: WindowInput,
  current: Window | undefined,
  beginsAt: Date | null,
  problems: FieldMessages,
): Date | null {
  const minutes = given.durationInMinutes ?? null;
  if (minutes === null && given.endsAt) {
    if (!isWritable(given.endsAt)) problems.endsAt = [text.invalid];
    return given.endsAt;
  }
  if (minutes === null && !current) {
    problems.durationInMinutes = [text.blank];
    return null;
  }
  const problem = minutes === null ? null : durationProblem(minutes);
  if (problem) problems.durationInMinutes = [problem];
  if (problem || !beginsAt) return null;

  const length = minutes === null ? current!.endsAt.getTime() - current!.beginsAt.getTime() : minutes * 60_000;
  const endsAt = new Date(beginsAt.getTime() + length);
  if (isWritable(endsAt)) return endsAt;
  problems.durationInMinutes = [text.invalid];
  return null;
}

function durationProblem(minutes: number): string | null {
  if (!Number.isFinite(minutes)) return text.notANumber;
  if (!Number.isInteger(minutes)) return text.notAnInteger;
  return minutes > 0 ? null : text.greaterThan(0);
}
