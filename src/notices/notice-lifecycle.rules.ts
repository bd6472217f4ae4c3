import { type Validation, isBlank } from '../core/validation.js';
import { type Problem, problems, validationMessages } from '../core/problems.js';
import type { Notice } from './notice.entity.js';
import { resolveWindow, windowFields, type WindowInput } from './notice.schedule.js';
import { closedStates, enterState, isOpen, type NoticeState, type NoticeType, statesByType } from './notice.states.js';
import { type Reminder, reminders } from '../pages/reminder.js';

/**
 * The lifecycle of a notice: its state, when it began and ended, its window, and the automatic state changes to come.
 * The functions read no clock and no database: they change the notice for the given `now` and refuse invalid input.
 */
type Lifecycle = Pick<
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

/**
 * The state that an input asks for: `state`, or what the event `close` leads to, which takes precedence, since a client
 * may send a whole record back with an event. It changes nothing on a notice that is over.
 */
export function requestedState(
  { type, state: current }: Pick<Lifecycle, 'type' | 'state'>,
  { state, stateEvent }: { state?: string | null; stateEvent?: string | null },
  validation: Validation,
): string | null | undefined {
  if (stateEvent == null) return state;
  const closed = closedStates[type];
  if (closed === null) validation.addError('stateEvent', notOfType(type));
  return current === null || isOpen(current) ? closed : current;
}

const notOfType = (type: NoticeType): Problem =>
  type === 'general'
    ? { ...problems.notApplicable('must be omitted for an announcement'), messages: [validationMessages.notIncluded] }
    : problems.notIncluded(statesByType[type]);

/** Applies a state change by a client. The current state, null and undefined change nothing. */
export function changeState(
  notice: Lifecycle,
  state: string | null | undefined,
  span: SpanInput,
  now: Date,
  validation: Validation,
): void {
  const backDating = dropEchoedTimes(notice, span);
  if (state != null && state !== notice.state) {
    if (!(statesByType[notice.type] as readonly string[]).includes(state)) {
      validation.addError('state', notOfType(notice.type));
      return;
    }
    const from = notice.state;
    const hasTimes = backDating.began !== undefined || backDating.ended !== undefined;
    if (from === null && state === 'complete' && !hasTimes) setTimesOfPastWindow(notice, now);
    Object.assign(notice, enterState(state as NoticeState, notice, now));
    disarmAutomation(notice, from);
  }
  setSpan(notice, backDating, now, validation);
}

/** A maintenance that is entered when it is over began and ended as planned: the moment of the entry says nothing. */
function setTimesOfPastWindow(notice: Lifecycle, now: Date): void {
  const { beginsAt, endsAt } = notice;
  if (endsAt && endsAt <= now) Object.assign(notice, { beganAt: beginsAt, endedAt: endsAt });
}

/**
 * Values equal to the stored ones, and null, count as absent. Checked before the state changes: a client may send
 * a whole record back with another state, and then the times of the old state do not apply to the new one.
 */
function dropEchoedTimes({ beganAt, endedAt }: Lifecycle, given: SpanInput): { began?: Date; ended?: Date } {
  const fresh = (value: Date | null | undefined, stored: Date | null) =>
    value && value.getTime() !== stored?.getTime() ? value : undefined;
  return { began: fresh(given.beganAt, beganAt), ended: fresh(given.endedAt, endedAt) };
}

/**
 * A state change by a client cancels the automatic ones that it skips or undoes, until the window changes.
 * The automatic end stays while the notice moves between scheduled and underway.
 */
function disarmAutomation(notice: Lifecycle, from: NoticeState | null): void {
  const beforeEnd = (state: NoticeState | null) => state === 'scheduled' || state === 'underway';
  notice.beginArmed = false;
  notice.completeArmed &&= beforeEnd(from) && beforeEnd(notice.state);
}

const beforeBegan: [string, Problem] = ['endedAt', problems.beforeStart('`beganAt`')];
const afterEnded: [string, Problem] = [
  'beganAt',
  { ...problems.beforeStart(''), requirement: 'must be before `endedAt`' },
];

/** Back-dates the start and the end. General notices have no lifecycle, so theirs stay. */
function setSpan(
  notice: Lifecycle,
  { began, ended }: { began?: Date; ended?: Date },
  now: Date,
  validation: Validation,
): void {
  if (notice.type === 'general') return;
  if (began && began > now) validation.addError('beganAt', problems.inFuture);
  else if (began && notice.state === 'scheduled')
    validation.addError('beganAt', problems.notApplicable('must be omitted while the notice is scheduled'));
  if (ended && ended > now) validation.addError('endedAt', problems.inFuture);
  else if (ended && isOpen(notice.state))
    validation.addError('endedAt', problems.notApplicable('must be omitted until the notice is over'));
  if (began) notice.beganAt = began;
  if (ended) notice.endedAt = ended;
  if ((began || ended) && notice.beganAt && notice.endedAt && notice.beganAt > notice.endedAt)
    validation.addError(...(ended ? beforeBegan : afterEnded));
}

/** Returns true if the window changed. Other types than planned ignore all of it, unreadable values too. */
export function setWindow(
  notice: Lifecycle,
  input: WindowInput & { isFromV1?: boolean },
  validation: Validation,
): boolean {
  if (notice.type !== 'planned') {
    validation.ignore(windowFields);
    return false;
  }
  const current = notice.beginsAt && notice.endsAt ? { beginsAt: notice.beginsAt, endsAt: notice.endsAt } : undefined;
  const result = resolveWindow(input, current);
  if ('problems' in result) {
    // A value that was sent but is unreadable is not missing: it is refused under its own field only.
    const { beginsAtDate, beginsAtTime, durationInMinutes, ...rest } = result.problems;
    const missing = input.isFromV1
      ? { start: { beginsAtDate, beginsAtTime }, end: { durationInMinutes } }
      : { start: { beginsAt: beginsAtDate }, end: { endsAt: durationInMinutes } };
    if (!validation.isUnreadable('beginsAt')) validation.addErrors(missing.start);
    if (!validation.isUnreadable('endsAt')) validation.addErrors(missing.end);
    validation.addErrors(rest);
    return false;
  }
  const { beginsAt, endsAt } = result.window;
  if (current && beginsAt.getTime() === current.beginsAt.getTime() && endsAt.getTime() === current.endsAt.getTime())
    return false;
  Object.assign(notice, { beginsAt, endsAt });
  return true;
}

/** Arms the automatic changes that follow the state: on creation, when switched on, and with a new window. */
export function setAutomation(
  notice: Lifecycle,
  input: { shouldAutomateSchedule?: boolean | null },
  validation: Validation,
  hasWindowChanged = false,
): void {
  if (notice.type !== 'planned') {
    validation.ignore(['shouldAutomateSchedule']);
    return;
  }
  const { shouldAutomateSchedule: wanted = notice.shouldAutomateSchedule } = input;
  const isSwitchedOn = wanted && !notice.shouldAutomateSchedule;
  notice.shouldAutomateSchedule = wanted ?? false;
  if (!wanted) Object.assign(notice, { beginArmed: false, completeArmed: false });
  else if (isSwitchedOn || hasWindowChanged)
    Object.assign(notice, {
      beginArmed: notice.state === 'scheduled',
      completeArmed: notice.state === 'scheduled' || notice.state === 'underway',
    });
}

/** Planned only; the other types ignore it. */
export function setReminder(
  notice: Lifecycle & Pick<Notice, 'reminder'>,
  { reminder }: { reminder?: string | null },
  validation: Validation,
): void {
  if (notice.type !== 'planned') validation.ignore(['reminder']);
  else if (isBlank(reminder)) notice.reminder = reminder === undefined ? notice.reminder : null;
  else if (Object.hasOwn(reminders, reminder!)) notice.reminder = reminder as Reminder;
  else validation.addError('reminder', problems.notIncluded(Object.keys(reminders)));
}

/**
 * Remembers whether the automatic changes of a notice, and its reminder, are published. Of /v1 the last request that
 * has `should_publish` decides. GraphQL has it in every request, so that a silent correction does not silence them.
 */
export function rememberPublishing(
  notice: Pick<Notice, 'lastShouldPublish'>,
  { shouldPublish, isFromV1 }: { shouldPublish?: boolean | null; isFromV1?: boolean },
): void {
  if (isFromV1) notice.lastShouldPublish = shouldPublish ?? notice.lastShouldPublish;
  else notice.lastShouldPublish ||= shouldPublish ?? false;
}

/** The fields that announcements do not have, besides those of a maintenance. */
const spanFields = ['beganAt', 'endedAt', 'nextUpdateBy'] as const;
const plannedFields = ['beginsAt', 'endsAt', 'shouldAutomateSchedule', 'reminder'] as const;

/** Refuses values that do not belong to the type of the notice. /v1 ignores them. */
export function refuseOtherTypes(
  { type }: Pick<Lifecycle, 'type'>,
  input: { [field in (typeof spanFields)[number] | (typeof plannedFields)[number]]?: unknown },
  validation: Validation,
): void {
  const refused = { planned: [], unplanned: plannedFields, general: [...plannedFields, ...spanFields] }[type];
  for (const field of refused)
    if (input[field] != null)
      validation.addError(field, problems.notApplicable(`must be omitted for ${typeNames[type]}`));
}

const typeNames = { planned: 'a maintenance', unplanned: 'an incident', general: 'an announcement' };
