import { type Checks, isBlank } from '../core/validation.js';
import { text } from '../core/errors.js';
import type { Notice } from './notice.entity.js';
import { schedule, windowFields, type WindowInput } from './notice.schedule.js';
import { enter, type NoticeState, presentStates, statesOf } from './notice.states.js';
import { type Reminder, reminders } from './reminder.js';

/**
 * The course of a notice over time: its state, when it began and ended, its window, and the two moves that are still to come by themselves.
 * Pure: given the moment, it changes the notice and refuses what cannot be.
 */
type Course = Pick<
  Notice,
  | 'type'
  | 'state'
  | 'beganAt'
  | 'endedAt'
  | 'beginsAt'
  | 'endsAt'
  | 'shouldAutomateSchedule'
  | 'beginArmed'
  | 'completeArmed'
>;

interface SpanInput {
  beganAt?: Date | null;
  endedAt?: Date | null;
}

/** A move by hand. The state it has already is none; null and absent are none either. */
export function changeState(
  notice: Course,
  state: string | null | undefined,
  span: SpanInput,
  now: Date,
  checks: Checks,
): void {
  const backDating = withoutEcho(notice, span);
  if (state != null && state !== notice.state) {
    if (!(statesOf[notice.type] as readonly string[]).includes(state)) {
      checks.refuse('state', text.notIncluded);
      return;
    }
    const from = notice.state;
    Object.assign(notice, enter(state as NoticeState, notice, now));
    disarm(notice, from);
  }
  setSpan(notice, backDating, now, checks);
}

/**
 * What equals the stored value, and null, count as absent. Asked before the move: in a whole record sent back with another state beside it,
 * the times of the state that it leaves say nothing about the one that it enters.
 */
function withoutEcho({ beganAt, endedAt }: Course, given: SpanInput): { began?: Date; ended?: Date } {
  const fresh = (value: Date | null | undefined, stored: Date | null) =>
    value && value.getTime() !== stored?.getTime() ? value : undefined;
  return { began: fresh(given.beganAt, beganAt), ended: fresh(given.endedAt, endedAt) };
}

/**
 * A move by hand takes the place of those it skips, and of those it undoes, until the window changes. One back into scheduled undoes the start
 * alone: the end is neither skipped nor undone while the notice goes between scheduled and underway.
 */
function disarm(notice: Course, from: NoticeState | null): void {
  const beforeEnd = (state: NoticeState | null) => state === 'scheduled' || state === 'underway';
  notice.beginArmed = false;
  notice.completeArmed &&= beforeEnd(from) && beforeEnd(notice.state);
}

/** Back-dating. General notices have no course. */
function setSpan(notice: Course, { began, ended }: { began?: Date; ended?: Date }, now: Date, checks: Checks): void {
  if (notice.type === 'general') return;
  const open = notice.state === 'scheduled' || presentStates.includes(notice.state!);
  if (began && (began > now || notice.state === 'scheduled')) checks.refuse('beganAt', text.invalid);
  if (ended && (ended > now || open)) checks.refuse('endedAt', text.invalid);
  if (began) notice.beganAt = began;
  if (ended) notice.endedAt = ended;
  if ((began || ended) && notice.beganAt && notice.endedAt && notice.beganAt > notice.endedAt)
    checks.refuse(ended ? 'endedAt' : 'beganAt', text.invalid);
}

/** True when the window moved. Planned only: on the other types all of it is ignored, also what could not be read. */
export function setWindow(notice: Course, input: WindowInput, checks: Checks): boolean {
  if (notice.type !== 'planned') {
    checks.ignore(windowFields);
    return false;
  }
  const current = notice.beginsAt && notice.endsAt ? { beginsAt: notice.beginsAt, endsAt: notice.endsAt } : undefined;
  const result = schedule(input, current);
  if ('problems' in result) {
    // What was sent and could not be read is not missing: the refusal stands on its own field alone.
    const { beginsAtDate, beginsAtTime, durationInMinutes, ...rest } = result.problems;
    if (!checks.isUnreadable('beginsAt')) checks.refuseAll({ beginsAtDate, beginsAtTime });
    if (!checks.isUnreadable('endsAt')) checks.refuseAll({ durationInMinutes });
    checks.refuseAll(rest);
    return false;
  }
  const { beginsAt, endsAt } = result.window;
  if (current && beginsAt.getTime() === current.beginsAt.getTime() && endsAt.getTime() === current.endsAt.getTime())
    return false;
  Object.assign(notice, { beginsAt, endsAt });
  return true;
}

/** Planned only. The moves are armed at creation, when automation is switched on and when the window moves: those that the state has still before it. */
export function setAutomation(
  notice: Course,
  input: { shouldAutomateSchedule?: boolean | null },
  checks: Checks,
  windowMoved = false,
): void {
  if (notice.type !== 'planned') {
    checks.ignore(['shouldAutomateSchedule']);
    return;
  }
  const { shouldAutomateSchedule: wanted = notice.shouldAutomateSchedule } = input;
  const switchedOn = wanted && !notice.shouldAutomateSchedule;
  notice.shouldAutomateSchedule = wanted ?? false;
  if (!wanted) Object.assign(notice, { beginArmed: false, completeArmed: false });
  else if (switchedOn || windowMoved)
    Object.assign(notice, {
      beginArmed: notice.state === 'scheduled',
      completeArmed: notice.state === 'scheduled' || notice.state === 'underway',
    });
}

/** Planned only: on the other types it is ignored. */
export function setReminder(
  notice: Course & Pick<Notice, 'reminder'>,
  { reminder }: { reminder?: string | null },
  checks: Checks,
): void {
  if (notice.type !== 'planned') checks.ignore(['reminder']);
  else if (isBlank(reminder)) notice.reminder = reminder === undefined ? notice.reminder : null;
  else if (Object.hasOwn(reminders, reminder!)) notice.reminder = reminder as Reminder;
  else checks.refuse('reminder', text.notIncluded);
}
