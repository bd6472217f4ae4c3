import { findComponents } from '../../components/find-components.js';
import { problems } from '../../core/problems.js';
import { applyFields, type FieldRule } from '../../core/validation.js';
import { query } from '../../db/prepared-statements.js';
import { checkPreviewHash } from '../../notifications/preview-hash.js';
import { pageRecordPath } from '../../pages/page-record-path.js';
import { refuseTimesWithoutOffset } from '../../pages/times-without-offset.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import type { NoticeValues, Window } from '../notice-values.js';
import { isPublished, type SavedNotice, saveNoticeChange } from '../notice.service.js';
import { maxContentLength } from '../notice-text.rules.js';
import { Recurrence } from './recurrence.entity.js';
import type { UpdateRecurrenceInput } from './recurrence.inputs.js';
import { findEnd, listOccurrences, maxNamedWindows } from './recurrence.rules.js';
import { listPlanned, type OccurrenceChange, type PlannedOccurrence } from './recurrence.service.js';
import { occursAtSql, planNext, readSchedule, refuseOtherStart, storeOccurrence } from './start-recurrence.js';

const rules: { [field in keyof Recurrence]?: FieldRule } = {
  subject: { required: true, maxLength: 255 },
  content: { maxLength: maxContentLength },
};

export const updateRecurrence = (
  write: Writer,
  pageId: string,
  id: string,
  versions: number[] | undefined,
  input: UpdateRecurrenceInput,
  previewHash?: string | null,
): Promise<OccurrenceChange> =>
  write.lockingTransaction(unit => saveRecurrence(unit, pageId, id, versions, input, previewHash));

/** Changes this and all later occurrences: those that have begun stay as they are. */
export async function saveRecurrence(
  unit: Unit,
  pageId: string,
  id: string,
  versions: number[] | undefined,
  input: UpdateRecurrenceInput,
  previewHash?: string | null,
): Promise<OccurrenceChange> {
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
  const published = { ...changes, shouldPublish };
  const moves = { planned, isMoved, givenStart: input.beginsAt ?? null };
  const saved = await changePlanned(unit, pageId, recurrence, published, moves);
  await planNext(unit, recurrence);
  await checkPreviewHash(unit, previewHash, unit.publicationId, saved?.stateChanges ?? []);
  return { pageId, recurrenceId: id, saved };
}

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
  if (from !== recurrence.nextOccurrenceAt?.getTime() && !planned.some(({ occursAt }) => occursAt === from))
    unit.validation.addError(
      'fromOccurrence',
      problems.notFound('must be that of a planned notice, or `nextOccurrenceAt`'),
    );
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
  refuseTimesWithoutOffset({ beginsAt, endsAt }, recurrence.timezoneName, validation);
  if (Boolean(beginsAt) !== Boolean(endsAt)) validation.addError(beginsAt ? 'endsAt' : 'beginsAt', problems.blank);
  else if (beginsAt && endsAt! <= beginsAt) validation.addError('endsAt', problems.beforeStart('the start'));
  else if (beginsAt && beginsAt <= unit.now)
    validation.addError('beginsAt', problems.outOfRange('must be in the future'));
  else if (lastUnchanged !== null && !beginsAt) validation.addError('beginsAt', problems.blank);
  else if (lastUnchanged !== null && beginsAt!.getTime() <= lastUnchanged)
    validation.addError('beginsAt', problems.outOfRange('must be after the occurrences that stay'));
  const { rule = recurrence.rule, timezone } = input;
  const firstChanged = planned[0]?.occursAt ?? recurrence.nextOccurrenceAt?.getTime() ?? 0;
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
    recurrence.timezoneName,
    validation,
  );
  if (!schedule) return;
  if (beginsAt) refuseOtherStart(schedule, validation);
  // No earlier message named the new times: those that the message of this change does not name have one of their own.
  Object.assign(recurrence, schedule, { endsAt: endsAt ?? recurrence.endsAt, announcedUntil: null });
}

async function setFields(
  unit: Unit,
  pageId: string,
  recurrence: Recurrence,
  input: UpdateRecurrenceInput,
): Promise<void> {
  const { componentIds, shouldAutomateSchedule, reminder, shouldPublishLater } = input;
  if (shouldPublishLater != null) recurrence.shouldPublish = shouldPublishLater;
  if (shouldAutomateSchedule != null) recurrence.shouldAutomateSchedule = shouldAutomateSchedule;
  if (reminder !== undefined) recurrence.reminder = reminder as Recurrence['reminder'];
  if (componentIds === undefined) return;
  const { components, problems: missing } = await findComponents(unit.em, pageId, componentIds ?? []);
  unit.validation.addErrors({ componentIds: missing });
  recurrence.componentIds = components.map(component => component.id);
}

/**
 * Moves the planned notices, in their order, to the next occurrences of a new rule; those too many are cancelled. The
 * message of the first announces the change of all. Returns what was saved of the first.
 */
async function changePlanned(
  unit: Unit,
  pageId: string,
  recurrence: Recurrence,
  changes: NoticeValues,
  { planned, isMoved, givenStart }: Pick<Changed, 'planned'> & { isMoved: boolean; givenStart: Date | null },
): Promise<SavedNotice | null> {
  let first: SavedNotice | null = null;
  let announced: SavedNotice | null = null;
  const starts = isMoved ? await freeStarts(unit, recurrence, planned, givenStart) : [];
  for (const [index, { noticeId }] of planned.entries()) {
    const beginsAt = starts[index];
    const window = beginsAt ? { beginsAt, endsAt: findEnd(recurrence, beginsAt) } : {};
    const state = isMoved && !beginsAt ? { state: 'cancelled' } : {};
    const start = beginsAt ?? new Date(planned[index]!.occursAt);
    const furtherWindows = announced ? [] : await listFurtherWindows(unit, recurrence, start);
    const publishing = announced ? { isAnnounced: true } : { furtherWindows };
    const values = { ...changes, ...window, ...state, ...publishing };
    const saved = await saveNoticeChange(unit, pageId, String(noticeId), null, values);
    first ??= saved;
    if (!announced && isPublished(saved)) {
      announced = saved;
      recurrence.announcedUntil = furtherWindows.at(-1)?.beginsAt ?? start;
    }
    if (beginsAt) await storeOccurrence(unit, recurrence, beginsAt, noticeId);
  }
  return announced ?? first;
}

/**
 * The next starts, one for each of these notices, which leave theirs. A start that is skipped, or of a notice that has
 * begun, stays so if the changed schedule has it too: people may know that it was cancelled. One that is given as the
 * start of the first notice takes place.
 */
async function freeStarts(
  unit: Unit,
  recurrence: Recurrence,
  planned: readonly PlannedOccurrence[],
  givenStart: Date | null,
): Promise<Date[]> {
  await query(
    unit.em,
    'delete from occurrence where recurrence_id = $1 and (notice_id = any($2::integer[]) or occurs_at = $3)',
    [recurrence.id, planned.map(({ noticeId }) => noticeId), givenStart],
  );
  const rows = await query<{ occursAt: number }>(
    unit.em,
    `select ${occursAtSql} as "occursAt" from occurrence o where o.recurrence_id = $1 and o.occurs_at > $2`,
    [recurrence.id, unit.now],
  );
  const taken = new Set(rows.map(({ occursAt }) => occursAt));
  return listOccurrences(recurrence, unit.now, planned.length + taken.size)
    .filter(start => !taken.has(start.getTime()))
    .slice(0, planned.length);
}

/** The windows after this start that a message names: without those that are skipped, and as others were moved. */
async function listFurtherWindows(unit: Unit, recurrence: Recurrence, start: Date): Promise<Window[]> {
  const rows = await query<{ occursAt: number; state: string | null; begin: number; end: number }>(
    unit.em,
    `select ${occursAtSql} as "occursAt", n.state, extract(epoch from n.begins_at)::float8 * 1000 as begin,
       extract(epoch from n.ends_at)::float8 * 1000 as end
     from occurrence o left join notice n on n.id = o.notice_id where o.recurrence_id = $1 and o.occurs_at > $2`,
    [recurrence.id, start],
  );
  const stored = new Map(rows.map(row => [row.occursAt, row]));
  return listOccurrences(recurrence, new Date(start.getTime() + 1), maxNamedWindows + rows.length)
    .flatMap(beginsAt => {
      const row = stored.get(beginsAt.getTime());
      if (!row) return [{ beginsAt, endsAt: findEnd(recurrence, beginsAt) }];
      return row.state === 'scheduled' ? [{ beginsAt: new Date(row.begin), endsAt: new Date(row.end) }] : [];
    })
    .slice(0, maxNamedWindows);
}
