import { Refusal } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { applyFields, type FieldRule } from '../../core/validation.js';
import { findComponents } from '../../components/component.service.js';
import { query } from '../../db/prepared-statements.js';
import { refuseTimesWithoutOffset } from '../../pages/times-without-offset.js';
import { pageRecordPath } from '../../pages/page-record-path.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import type { NoticeValues } from '../notice-values.js';
import { type SavedNotice, saveNoticeChange } from '../notice.service.js';
import { maxContentLength } from '../notice-text.rules.js';
import { planOccurrence } from './plan-occurrence.js';
import { Recurrence } from './recurrence.entity.js';
import type { MoveOccurrenceInput, UpdateRecurrenceInput } from './recurrence.inputs.js';
import { endRule, findEnd, listOccurrences } from './recurrence.rules.js';
import { occursAtSql, planNext, readSchedule, refuseOtherStart, storeOccurrence } from './start-recurrence.js';

interface PlannedOccurrence {
  /** In milliseconds. */
  occursAt: number;
  noticeId: number;
}

/** The occurrences that are notices and still to begin. */
const listPlanned = ({ em }: Unit, { id }: Recurrence): Promise<PlannedOccurrence[]> =>
  query<PlannedOccurrence>(
    em,
    `select ${occursAtSql} as "occursAt", n.id as "noticeId" from occurrence o join notice n on n.id = o.notice_id
     where o.recurrence_id = $1 and n.state = 'scheduled' order by o.occurs_at`,
    [id],
  );

/** A change of one occurrence, and what it wrote. */
export interface OccurrenceChange {
  pageId: string;
  recurrenceId: string;
  /** Null: an occurrence that is not a notice yet was skipped. */
  saved: SavedNotice | null;
}

/** Cancels the notice of an occurrence, or never makes one. */
export const skipOccurrence = (
  write: Writer,
  pageId: string,
  id: string,
  versions: number[] | undefined,
  occursAt: Date,
  confirmation: { shouldPublish: boolean; previewHash?: string | null | undefined },
): Promise<OccurrenceChange> =>
  write.lockingTransaction(async unit => {
    const recurrence = await unit.find<Recurrence>(pageRecordPath(pageId, Recurrence, id), versions);
    const planned = (await listPlanned(unit, recurrence)).find(one => one.occursAt === occursAt.getTime());
    const saved = planned
      ? await saveNoticeChange(unit, pageId, String(planned.noticeId), null, { state: 'cancelled', ...confirmation })
      : null;
    if (!planned && (await isUnplanned(unit, recurrence, occursAt)))
      await storeOccurrence(unit, recurrence, occursAt, null);
    unit.touch(recurrence);
    await planNext(unit, recurrence);
    return { pageId, recurrenceId: id, saved };
  });

/** Moves the notice of an occurrence, or makes it now: a time that is not of the rule is announced early. */
export const moveOccurrence = (
  write: Writer,
  pageId: string,
  id: string,
  versions: number[] | undefined,
  input: MoveOccurrenceInput,
  previewHash?: string | null,
): Promise<OccurrenceChange> =>
  write.lockingTransaction(async unit => {
    const { occursAt, ...values } = input;
    const recurrence = await unit.find<Recurrence>(pageRecordPath(pageId, Recurrence, id), versions);
    refuseTimesWithoutOffset({ occursAt, ...values }, recurrence.timezone, unit.validation);
    const planned = (await listPlanned(unit, recurrence)).find(one => one.occursAt === occursAt.getTime());
    if (values.beginsAt <= unit.now) unit.validation.addError('beginsAt', problems.outOfRange('must be in the future'));
    let saved: SavedNotice | null = null;
    if (planned)
      saved = await saveNoticeChange(unit, pageId, String(planned.noticeId), null, { ...values, previewHash });
    else if (await isUnplanned(unit, recurrence, occursAt))
      saved = await planOccurrence(unit, pageId, recurrence, { occursAt, ...values, previewHash });
    else unit.validation.addError('occursAt', problems.notFound('must not be skipped, or have begun'));
    unit.validation.throwIfInvalid();
    unit.touch(recurrence);
    await planNext(unit, recurrence);
    return { pageId, recurrenceId: id, saved };
  });

/** Refuses what is not an occurrence to come; false for one that was skipped, or whose notice is over. */
async function isUnplanned(unit: Unit, recurrence: Recurrence, occursAt: Date): Promise<boolean> {
  const [next] = listOccurrences(recurrence, occursAt, 1);
  if (occursAt <= unit.now || next?.getTime() !== occursAt.getTime())
    unit.validation.addError('occursAt', problems.notFound('must be the start of an occurrence to come'));
  unit.validation.throwIfInvalid();
  const [stored] = await query(unit.em, 'select 1 from occurrence where recurrence_id = $1 and occurs_at = $2', [
    recurrence.id,
    occursAt,
  ]);
  return !stored;
}

/** Ends the rule with the last notice that is planned, and leaves out the further windows after it. */
export const endRecurrence = (write: Writer, pageId: string, id: string, versions?: number[]): Promise<void> =>
  write.lockingTransaction(async unit => {
    const recurrence = await unit.find<Recurrence>(pageRecordPath(pageId, Recurrence, id), versions);
    if (!recurrence.nextAt) throw new Refusal('CONFLICT', 'The maintenance no longer repeats.');
    const planned = (await listPlanned(unit, recurrence)).at(-1);
    const last = planned ? new Date(planned.occursAt) : unit.now;
    recurrence.windows = recurrence.windows.filter(window => new Date(window.beginsAt) <= last);
    // A rule that is over by its COUNT would go on until the window that is the last one.
    if (listOccurrences(recurrence, new Date(last.getTime() + 1), 1).length)
      recurrence.rule = endRule(recurrence.rule, last);
    await planNext(unit, recurrence);
  });

const rules: { [field in keyof Recurrence]?: FieldRule } = {
  subject: { required: true, maximumLength: 255 },
  content: { maximumLength: maxContentLength },
};

/** Changes this and all later occurrences: those that have begun stay as they are. */
export const updateRecurrence = (
  write: Writer,
  pageId: string,
  id: string,
  versions: number[] | undefined,
  input: UpdateRecurrenceInput,
): Promise<void> =>
  write.lockingTransaction(async unit => {
    const recurrence = await unit.find<Recurrence>(pageRecordPath(pageId, Recurrence, id), versions);
    const isMoved = isScheduleGiven(input, recurrence);
    applyFields(recurrence, { subject: input.subject, content: input.content }, rules, unit.validation, false);
    const { planned, lastUnchanged } = await listChanged(unit, recurrence, input);
    if (isMoved) setSchedule(unit, recurrence, input, { planned, lastUnchanged });
    await setFields(unit, pageId, recurrence, input);
    unit.validation.throwIfInvalid();
    await unit.save();
    const { subject, content, componentIds, shouldAutomateSchedule, reminder, shouldPublish } = input;
    const changes = { subject: subject ?? undefined, content, componentIds, shouldAutomateSchedule, reminder };
    await changePlanned(unit, pageId, recurrence, { ...changes, shouldPublish }, { planned, lastUnchanged, isMoved });
    await planNext(unit, recurrence);
  });

const isScheduleGiven = (
  { rule, timezone, windows, beginsAt, endsAt, onMissingHour }: UpdateRecurrenceInput,
  recurrence: Recurrence,
): boolean =>
  [rule, timezone, windows, beginsAt, endsAt].some(value => value != null) ||
  (onMissingHour ?? recurrence.onMissingHour) !== recurrence.onMissingHour;

interface Changed {
  /** The notices that are changed. */
  planned: PlannedOccurrence[];
  /** The start by the rule of the last notice before them, in milliseconds. Null: none stays as it is. */
  lastUnchanged: number | null;
}

/** All before the first one that is changed must be notices: others would be planned by the changed rule. */
async function listChanged(
  unit: Unit,
  recurrence: Recurrence,
  { fromOccurrence }: UpdateRecurrenceInput,
): Promise<Changed> {
  const planned = await listPlanned(unit, recurrence);
  if (fromOccurrence == null) return { planned, lastUnchanged: null };
  const from = fromOccurrence.getTime();
  if (from !== recurrence.nextAt?.getTime() && !planned.some(({ occursAt }) => occursAt === from))
    unit.validation.addError('fromOccurrence', problems.notFound('must be that of a planned notice, or `nextAt`'));
  const lastUnchanged = planned.findLast(({ occursAt }) => occursAt < from)?.occursAt ?? null;
  return { planned: planned.filter(({ occursAt }) => occursAt >= from), lastUnchanged };
}

function setSchedule(
  unit: Unit,
  recurrence: Recurrence,
  input: UpdateRecurrenceInput,
  { planned, lastUnchanged }: Changed,
): void {
  const { beginsAt, endsAt } = input;
  const { validation } = unit;
  refuseTimesWithoutOffset({ beginsAt, endsAt }, recurrence.timezone, validation);
  if (Boolean(beginsAt) !== Boolean(endsAt)) validation.addError(beginsAt ? 'endsAt' : 'beginsAt', problems.blank);
  else if (beginsAt && endsAt! <= beginsAt) validation.addError('endsAt', problems.beforeStart('the start'));
  else if (beginsAt && beginsAt <= unit.now)
    validation.addError('beginsAt', problems.outOfRange('must be in the future'));
  else if (lastUnchanged !== null && !beginsAt) validation.addError('beginsAt', problems.blank);
  else if (lastUnchanged !== null && beginsAt!.getTime() <= lastUnchanged)
    validation.addError('beginsAt', problems.outOfRange('must be after the occurrences that stay'));
  const { rule = recurrence.rule, timezone } = input;
  const firstChanged = planned[0]?.occursAt ?? recurrence.nextAt?.getTime() ?? 0;
  // The first one that is changed gets the new start, also where it was a further window.
  const remaining = recurrence.windows
    .map(window => ({ beginsAt: new Date(window.beginsAt), endsAt: new Date(window.endsAt) }))
    .filter(window => !beginsAt || window.beginsAt.getTime() > firstChanged);
  const schedule = readSchedule(
    {
      rule: rule ?? recurrence.rule,
      timezone,
      windows: input.windows ?? remaining,
      onMissingHour: input.onMissingHour ?? recurrence.onMissingHour,
    },
    beginsAt ?? recurrence.beginsAt,
    recurrence.timezone,
    validation,
    'rule',
  );
  if (!schedule) return;
  if (beginsAt) refuseOtherStart(schedule, validation, 'rule');
  Object.assign(recurrence, schedule, { endsAt: endsAt ?? recurrence.endsAt });
}

async function setFields(
  unit: Unit,
  pageId: string,
  recurrence: Recurrence,
  input: UpdateRecurrenceInput,
): Promise<void> {
  const { componentIds, shouldAutomateSchedule, reminder, shouldPublish } = input;
  recurrence.shouldPublish = shouldPublish;
  if (shouldAutomateSchedule != null) recurrence.shouldAutomateSchedule = shouldAutomateSchedule;
  if (reminder !== undefined) recurrence.reminder = reminder as Recurrence['reminder'];
  if (componentIds === undefined) return;
  const { components, problems: missing } = await findComponents(unit.em, pageId, componentIds ?? []);
  unit.validation.addErrors({ componentIds: missing });
  recurrence.componentIds = components.map(component => component.id);
}

/** Moves the planned notices, in their order, to the next occurrences of a new rule; those too many are cancelled. */
async function changePlanned(
  unit: Unit,
  pageId: string,
  recurrence: Recurrence,
  changes: NoticeValues,
  { planned, lastUnchanged, isMoved }: Changed & { isMoved: boolean },
): Promise<void> {
  const from = lastUnchanged === null ? unit.now : new Date(lastUnchanged);
  const starts = isMoved ? listOccurrences(recurrence, unit.now, planned.length) : [];
  if (isMoved)
    await query(unit.em, 'delete from occurrence where recurrence_id = $1 and occurs_at > $2', [recurrence.id, from]);
  for (const [index, { noticeId }] of planned.entries()) {
    const beginsAt = starts[index];
    const window = beginsAt ? { beginsAt, endsAt: findEnd(recurrence, beginsAt) } : {};
    const state = isMoved && !beginsAt ? { state: 'cancelled' } : {};
    await saveNoticeChange(unit, pageId, String(noticeId), null, { ...changes, ...window, ...state });
    if (beginsAt) await storeOccurrence(unit, recurrence, beginsAt, noticeId);
  }
}
