import { validateText, isBlank } from '../core/validation.js';
import type { RecordChange } from '../components/component.service.js';
import {
  type ComponentStateChange,
  recomputeComponentStates,
  storeStates,
} from '../components/component-states.service.js';
import { query } from '../db/prepared-statements.js';
import type { Unit } from '../records/unit.js';
import type { Writer } from '../records/writer.js';
import { Page } from '../pages/page.entity.js';
import { checkPreviewHash } from '../notifications/preview-hash.js';
import { type PublicationOutcome, publish } from '../notifications/publish.service.js';
import type { NoticeBefore } from '../notifications/messages/event.js';
import { findChangedStates } from './changed-states.js';
import { createLinkToken } from '../core/ids.js';
import {
  changeState,
  refuseOtherTypes,
  rememberPublishing,
  requestedState,
  setAutomation,
  setReminder,
  setWindow,
} from './notice-lifecycle.rules.js';
import type { NewNoticeValues, NoticeValues, Window } from './notice-values.js';
import { type DeadlineChange, setNextUpdate } from './next-update/next-update.rules.js';
import { markUpdated } from './next-update/stale.rules.js';
import { Notice } from './notice.entity.js';
import { deriveSubject, setComponents, setDetails, setSubject } from './notice-fields.js';
import { initialStates, isPresent, type NoticeType } from './notice.states.js';
import { type NamedComponent, setImpacts, storeImpacts } from './impact.service.js';
import { maxContentLength } from './notice-text.rules.js';
import { type Prefetched, prefetch } from './prefetch.js';
import type { NoticeUpdate } from './updates/update.entity.js';
import { applyTemplate } from './templates/template.service.js';
import { refuseTimesWithoutOffset } from '../pages/times-without-offset.js';
import { pageRecordPath } from '../pages/page-record-path.js';
import { recordDeadline } from './next-update/deadline.service.js';
import { addUpdate } from './updates/update.service.js';
import { listWindowsAfter, type Schedule } from './recurrence/recurrence.rules.js';
import { readSchedule, refuseOtherStart, startRecurrence } from './recurrence/start-recurrence.js';

/** A change of a notice, validated but not saved. */
interface NoticeChange {
  notice: Notice;
  /** Null for a new notice. */
  previous: NoticeBefore | null;
  previousComponentIds: number[];
  /** By component, of all that it names. Null: those that it names before and after keep theirs. */
  impacts: ReadonlyMap<number, NamedComponent> | null;
  /** The component states that a new notice changes. Null: they are found once the change is stored. */
  stateChanges: ComponentStateChange[] | null;
  update: NoticeUpdate | null;
  deadline: DeadlineChange | null;
  shouldPublish: boolean;
  isAnnounced: boolean;
  furtherWindows: readonly Window[];
  previewHash: string | null | undefined;
}

/** A change that was saved, and whether it was published. */
export interface SavedNotice extends RecordChange {
  outcome: PublicationOutcome;
  stateChanges: readonly ComponentStateChange[];
}

export const isPublished = ({ outcome }: SavedNotice): boolean => 'publicationId' in outcome;

export const createNotice = (write: Writer, pageId: string, input: NewNoticeValues): Promise<SavedNotice> =>
  write.lockingTransaction(unit => saveNewNotice(unit, pageId, input));

export async function saveNewNotice(unit: Unit, pageId: string, input: NewNoticeValues): Promise<SavedNotice> {
  const { schedule, ...change } = await buildNewNotice(unit, pageId, input);
  const { beginsAt, endsAt } = change.notice;
  const furtherWindows = schedule ? listWindowsAfter({ ...schedule, endsAt: endsAt! }, beginsAt!) : [];
  const saved = await saveChange(unit, { ...change, furtherWindows });
  if (schedule) {
    const { notice, update, shouldPublish } = change;
    const content = update?.content ?? null;
    await startRecurrence(
      unit,
      { notice, content, schedule },
      {
        shouldPublish: input.recurrence!.shouldPublish ?? shouldPublish,
        announcedUntil: isPublished(saved) ? (furtherWindows.at(-1) ?? { beginsAt: beginsAt! }).beginsAt : null,
      },
    );
  }
  return saved;
}

export const updateNotice = (
  write: Writer,
  pageId: string,
  id: string,
  versions: number[] | null | undefined,
  input: NoticeValues,
): Promise<SavedNotice> => write.lockingTransaction(unit => saveNoticeChange(unit, pageId, id, versions, input));

export const saveNoticeChange = async (
  unit: Unit,
  pageId: string,
  id: string,
  versions: number[] | null | undefined,
  input: NoticeValues,
): Promise<SavedNotice> => saveChange(unit, await buildNoticeChange(unit, pageId, id, versions, input));

async function buildNewNotice(
  unit: Unit,
  pageId: string,
  given: NewNoticeValues,
): Promise<NoticeChange & { schedule: Required<Schedule> | null }> {
  // A template can name components and have a content.
  const [page, early] = await Promise.all([
    unit.find<Page>([[Page, pageId]]),
    given.templateId == null ? prefetch(unit, pageId, given) : null,
  ]);
  const input = await applyTemplate(unit, page, given);
  const prefetched = early ?? (await prefetch(unit, pageId, input));
  refuseTimesWithoutOffset(input, page.timezoneName, unit.validation);
  const type = (input.type ?? 'unplanned') as NoticeType;
  const namedComponents = input.namedComponents ?? false;
  const notice = unit.create(Notice, { page, type, subject: '', path: createLinkToken(), namedComponents });
  if (type === 'general') Object.assign(notice, { beganAt: unit.now, endedAt: unit.now });
  setSubject(unit, notice, isBlank(input.subject) ? deriveSubject(input.content) : input.subject);
  setWindow(notice, input, unit.validation);
  const state = requestedState(notice, input, unit.validation) ?? initialStates[type];
  changeState(notice, state, input, unit.now, unit.validation);
  setAutomation(notice, input, unit.validation);
  setReminder(notice, input, unit.validation);
  const schedule =
    input.recurrence && notice.beginsAt
      ? readSchedule(input.recurrence, notice.beginsAt, page.timezoneName, unit.validation)
      : null;
  if (schedule) refuseOtherStart(schedule, unit.validation);
  return { ...(await completeChange(unit, notice, null, input, prefetched)), schedule };
}

async function buildNoticeChange(
  unit: Unit,
  pageId: string,
  id: string,
  versions: number[] | null | undefined,
  input: NoticeValues,
): Promise<NoticeChange> {
  const notice = await findNotice(unit, pageId, id, versions);
  refuseTimesWithoutOffset(input, notice.page.timezoneName, unit.validation);
  await notice.components.init();
  const { state, beginsAt, endsAt } = notice;
  if (input.subject !== undefined) setSubject(unit, notice, input.subject);
  changeState(notice, requestedState(notice, input, unit.validation), input, unit.now, unit.validation);
  const hasWindowChanged = setWindow(notice, input, unit.validation);
  setAutomation(notice, input, unit.validation, hasWindowChanged);
  setReminder(notice, input, unit.validation);
  return completeChange(unit, notice, { state, beginsAt, endsAt }, input, null);
}

export function deleteNotice(
  write: Writer,
  pageId: string,
  id: string,
  versions?: number[] | null,
): Promise<RecordChange> {
  return write.lockingTransaction(async unit => {
    const notice = await findNotice(unit, pageId, id, versions);
    const named = (await notice.components.loadItems()).map(component => component.id);
    unit.describeDeletion(notice);
    await query(unit.em, 'delete from notice where id = $1', [notice.id]);
    const changed = await recomputeComponentStates(unit.em, pageId, isPresent(notice.state) ? named : []);
    return { pageId, recordId: notice.id, componentIds: [...new Set([...named, ...changed])] };
  });
}

function findNotice(unit: Unit, pageId: string, id: string, versions?: readonly number[] | null): Promise<Notice> {
  return unit.find<Notice>(pageRecordPath(pageId, Notice, id), versions);
}

async function completeChange(
  unit: Unit,
  notice: Notice,
  previous: NoticeBefore | null,
  input: NoticeValues,
  /** Of a new notice. */
  prefetched: Prefetched | null,
): Promise<NoticeChange> {
  const { content, contentField = 'content', shouldPublish } = input;
  setDetails(unit, notice, input);
  const hasUpdate = !isBlank(content);
  const previousComponentIds = await setComponents(unit, notice, input, prefetched);
  const impacts = await setImpacts(unit, notice, input.affectedComponents, unit.validation);
  if (hasUpdate) validateText(unit.validation, contentField, content!, maxContentLength);
  if (!input.isFromV1) refuseOtherTypes(notice, input, unit.validation);
  const isUpdate = !previous || previous.state !== notice.state || !isBlank(content);
  const requirement = 'must be omitted without `content` or another `state`';
  const deadline = setNextUpdate(notice, input.nextUpdateBy, { isUpdate, requirement }, unit.now, unit.validation);
  unit.validation.throwIfInvalid();
  if (isUpdate) markUpdated(notice, unit.actor, unit.now);
  if (prefetched) notice.id = prefetched.noticeId;
  const ids = { id: prefetched?.updateId };
  const update = hasUpdate ? addUpdate(unit, notice, content!, shouldPublish ?? false, ids) : null;
  rememberPublishing(notice, input);
  return {
    notice,
    previous,
    previousComponentIds,
    impacts,
    stateChanges: prefetched && (isPresent(notice.state) ? prefetched.stateChanges : []),
    update,
    deadline,
    shouldPublish: shouldPublish ?? false,
    isAnnounced: input.isAnnounced ?? false,
    furtherWindows: input.furtherWindows ?? [],
    previewHash: input.previewHash,
  };
}

async function saveChange(unit: Unit, change: NoticeChange): Promise<SavedNotice> {
  const { notice, previous, previousComponentIds, update, isAnnounced, furtherWindows } = change;
  const shouldPublish = change.shouldPublish && !isAnnounced;
  const pageId = notice.page.id;
  const isChanged = await unit.save();
  await storeImpacts(unit, { ...change, isNew: !previous });
  await recordDeadline(unit, notice, change.deadline);
  const stateChanges = change.stateChanges ?? (await findChangedStates(unit, change));
  const changed = await storeStates(unit.em, stateChanges);
  const outcome: PublicationOutcome =
    shouldPublish && isChanged
      ? { publicationId: await publish(unit, notice, previous, update, furtherWindows) }
      : { reason: shouldPublish ? 'unchanged' : 'unpublished' };
  await checkPreviewHash(unit, change.previewHash, unit.publicationId, stateChanges);
  return {
    pageId,
    recordId: notice.id,
    componentIds: [...new Set([...previousComponentIds, ...notice.components.getIdentifiers<number>(), ...changed])],
    outcome,
    stateChanges,
  };
}
