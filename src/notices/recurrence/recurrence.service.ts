import { Refusal } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { query } from '../../db/prepared-statements.js';
import { refuseTimesWithoutOffset } from '../../pages/times-without-offset.js';
import { pageRecordPath } from '../../pages/page-record-path.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { type SavedNotice, saveNoticeChange } from '../notice.service.js';
import { planOccurrence } from './plan-occurrence.js';
import { Recurrence } from './recurrence.entity.js';
import type { MoveOccurrenceInput } from './recurrence.inputs.js';
import { endRule, findEnd, listOccurrences } from './recurrence.rules.js';
import { occursAtSql, planNext, storeOccurrence } from './start-recurrence.js';

export interface PlannedOccurrence {
  /** In milliseconds. */
  occursAt: number;
  noticeId: number;
}

/** The occurrences that are notices and still to begin. */
export const listPlanned = ({ em }: Unit, { id }: Recurrence): Promise<PlannedOccurrence[]> =>
  query<PlannedOccurrence>(
    em,
    `select ${occursAtSql} as "occursAt", n.id as "noticeId" from occurrence o join notice n on n.id = o.notice_id
     where o.recurrence_id = $1 and n.state = 'scheduled' order by o.occurs_at`,
    [id],
  );

/** A change of an occurrence, or of the first of several, and what it wrote. */
export interface OccurrenceChange {
  pageId: string;
  recurrenceId: string;
  /** Null: it is not a notice yet. */
  saved: SavedNotice | null;
}

/**
 * Cancels the notice of an occurrence, or never makes one. A date that a message has named becomes a notice for the
 * message that it is cancelled.
 */
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
    let noticeId = planned?.noticeId;
    if (!planned && (await isUnplanned(unit, recurrence, occursAt))) {
      if (confirmation.shouldPublish && isNamed(recurrence, occursAt))
        noticeId = await planNamed(unit, pageId, recurrence, occursAt);
      else await storeOccurrence(unit, recurrence, occursAt, null);
    }
    const saved = noticeId
      ? await saveNoticeChange(unit, pageId, String(noticeId), null, { state: 'cancelled', ...confirmation })
      : null;
    unit.touch(recurrence);
    await planNext(unit, recurrence);
    return { pageId, recurrenceId: id, saved };
  });

/** Whether a message about the series named an occurrence that is no notice yet. */
export const isNamed = ({ announcedUntil }: Recurrence, occursAt: Date): boolean =>
  announcedUntil !== null && occursAt <= announcedUntil;

/** Makes the notice of an occurrence that a message has named already. */
async function planNamed(unit: Unit, pageId: string, recurrence: Recurrence, occursAt: Date): Promise<number> {
  const window = { beginsAt: occursAt, endsAt: findEnd(recurrence, occursAt) };
  const values = { occursAt, ...window, shouldPublish: false, isAnnounced: true };
  return (await planOccurrence(unit, pageId, recurrence, values)).recordId as number;
}

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
    refuseTimesWithoutOffset({ occursAt, ...values }, recurrence.timezoneName, unit.validation);
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
    if (!recurrence.nextOccurrenceAt) throw new Refusal('CONFLICT', 'The maintenance no longer repeats.');
    const planned = (await listPlanned(unit, recurrence)).at(-1);
    const last = planned ? new Date(planned.occursAt) : unit.now;
    recurrence.windows = recurrence.windows.filter(window => new Date(window.beginsAt) <= last);
    // A rule that is over by its COUNT would go on until the window that is the last one.
    if (listOccurrences(recurrence, new Date(last.getTime() + 1), 1).length)
      recurrence.rule = endRule(recurrence, last);
    await planNext(unit, recurrence);
  });
