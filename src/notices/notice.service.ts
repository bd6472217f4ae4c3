import { validateText, isBlank, normalizeTags } from '../core/validation.js';
import { type RecordChange, findComponents } from '../components/component.service.js';
import { recomputeComponentStates } from '../components/component-states.service.js';
import { query } from '../db/prepared-statements.js';
import type { Unit, Writer } from '../records/writer.js';
import { problems } from '../core/problems.js';
import { Page } from '../pages/page.entity.js';
import { checkPreviewHash } from '../notifications/preview-hash.js';
import { publish } from '../notifications/publish.service.js';
import type { NoticeBefore } from '../notifications/event.js';
import { createLinkToken } from '../core/ids.js';
import {
  changeState,
  refuseOtherTypes,
  rememberPublishing,
  requestedState,
  setAutomation,
  setReminder,
  setWindow,
} from './notice.lifecycle.js';
import { type PromiseChange, setNextUpdate } from './next-update.js';
import { Notice } from './notice.entity.js';
import type { WindowInput } from './notice.schedule.js';
import { initialStates, isPresent, type NoticeType } from './notice.states.js';
import { createNoticePath, createSubject, extractToken } from './notice.text.js';
import type { PublicationOutcome } from './publishing.payload.js';
import { type AffectedComponent, listComponentIds, setImpacts, storeImpacts } from './impact.service.js';
import type { Impact } from './impact.js';
import { NoticeUpdate } from './update.entity.js';
import { applyTemplate } from './template.service.js';
import { refuseTimesWithoutOffset } from './times-without-offset.js';
import { recordPromise } from './promises/update-promise.service.js';
import { addUpdate } from './update.service.js';

const maxContent = 65_535;

/** What an interface asks for. Fields that are undefined stay as they are, or get their default. */
export interface NoticeValues extends WindowInput {
  subject?: string | null;
  /** The text of an update. */
  content?: string | null;
  /** The name of the content in the interface, for errors. Default: content. */
  contentField?: string;
  state?: string | null;
  stateEvent?: string | null;
  shouldPublish?: boolean | null;
  componentIds?: string[] | null;
  affectedComponents?: AffectedComponent[] | null;
  tagList?: string[] | null;
  shouldAutomateSchedule?: boolean | null;
  reminder?: string | null;
  beganAt?: Date | null;
  endedAt?: Date | null;
  nextUpdateBy?: Date | null;
  /** Of the preview that the author has confirmed. */
  previewHash?: string | null;
  /** /v1 ignores what does not belong to the type of the notice, and has second spellings of the window. */
  isFromV1?: boolean;
}

export interface NewNoticeValues extends NoticeValues {
  /** Default: unplanned. */
  type?: string | null;
  /** A template that fills in what is undefined or null. */
  templateId?: string | null;
}

/** A change of a notice, validated but not saved. */
export interface NoticeChange {
  notice: Notice;
  /** Null for a new notice. */
  previous: NoticeBefore | null;
  previousComponentIds: number[];
  /** By component, of all that it names. Null: those that it names before and after keep theirs. */
  impacts: ReadonlyMap<number, Impact> | null;
  update: NoticeUpdate | null;
  promise: PromiseChange | null;
  shouldPublish: boolean;
  previewHash: string | null | undefined;
}

/** A change that was saved, and whether it was published. */
export interface SavedNotice extends RecordChange {
  outcome: PublicationOutcome;
}

export const createNotice = (write: Writer, pageId: string, input: NewNoticeValues): Promise<SavedNotice> =>
  write.lockingTransaction(unit => saveNewNotice(unit, pageId, input));

export const saveNewNotice = async (unit: Unit, pageId: string, input: NewNoticeValues): Promise<SavedNotice> =>
  saveChange(unit, await buildNewNotice(unit, pageId, input));

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

export async function buildNewNotice(unit: Unit, pageId: string, given: NewNoticeValues): Promise<NoticeChange> {
  const page = await unit.find<Page>([[Page, pageId]]);
  const input = await applyTemplate(unit, page, given);
  refuseTimesWithoutOffset(input, page.timezone, unit.validation);
  const type = (input.type ?? 'unplanned') as NoticeType;
  const notice = unit.create(Notice, { page, type, subject: '', path: createLinkToken() });
  if (type === 'general') Object.assign(notice, { beganAt: unit.now, endedAt: unit.now });
  setSubject(unit, notice, isBlank(input.subject) ? deriveSubject(input.content) : input.subject);
  setWindow(notice, input, unit.validation);
  const state = requestedState(notice, input, unit.validation) ?? initialStates[type];
  changeState(notice, state, input, unit.now, unit.validation);
  setAutomation(notice, input, unit.validation);
  setReminder(notice, input, unit.validation);
  return completeChange(unit, notice, null, input);
}

export async function buildNoticeChange(
  unit: Unit,
  pageId: string,
  id: string,
  versions: number[] | null | undefined,
  input: NoticeValues,
): Promise<NoticeChange> {
  const notice = await findNotice(unit, pageId, id, versions);
  refuseTimesWithoutOffset(input, notice.page.timezone, unit.validation);
  await notice.components.init();
  const { state, beginsAt, endsAt } = notice;
  if (input.subject !== undefined) setSubject(unit, notice, input.subject);
  changeState(notice, requestedState(notice, input, unit.validation), input, unit.now, unit.validation);
  const hasWindowChanged = setWindow(notice, input, unit.validation);
  setAutomation(notice, input, unit.validation, hasWindowChanged);
  setReminder(notice, input, unit.validation);
  return completeChange(unit, notice, { state, beginsAt, endsAt }, input);
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
  return unit.find<Notice>(
    [
      [Page, pageId],
      [Notice, id],
    ],
    versions,
  );
}

async function completeChange(
  unit: Unit,
  notice: Notice,
  previous: NoticeBefore | null,
  input: NoticeValues,
): Promise<NoticeChange> {
  const { content, contentField = 'content', shouldPublish } = input;
  if (input.tagList !== undefined) setTags(unit, notice, input.tagList);
  const hasUpdate = !isBlank(content);
  const [previousComponentIds, [noticeId, updateId]] = await Promise.all([
    setComponents(unit, notice, ...listComponentIds(input, unit.validation)),
    previous ? [] : unit.reserveIds(hasUpdate ? [Notice, NoticeUpdate] : [Notice]),
  ]);
  const impacts = await setImpacts(unit, notice, input.affectedComponents, unit.validation);
  if (hasUpdate) validateText(unit.validation, contentField, content!, maxContent);
  if (!input.isFromV1) refuseOtherTypes(notice, input, unit.validation);
  const isUpdate = !previous || previous.state !== notice.state || !isBlank(content);
  const requirement = 'must be omitted without `content` or another `state`';
  const promise = setNextUpdate(notice, input.nextUpdateBy, { isUpdate, requirement }, unit.now, unit.validation);
  unit.validation.throwIfInvalid();
  if (noticeId) notice.id = noticeId;
  const update = hasUpdate ? addUpdate(unit, notice, content!, shouldPublish ?? false, { id: updateId }) : null;
  rememberPublishing(notice, input);
  return {
    notice,
    previous,
    previousComponentIds,
    impacts,
    update,
    promise,
    shouldPublish: shouldPublish ?? false,
    previewHash: input.previewHash,
  };
}

async function saveChange(unit: Unit, change: NoticeChange): Promise<SavedNotice> {
  const { notice, previous, previousComponentIds, update, shouldPublish } = change;
  const pageId = notice.page.id;
  const isChanged = await unit.save();
  storeImpacts(unit, change);
  await recordPromise(unit, notice, change.promise);
  const { touched, named } = findTouchedComponents(change);
  const changed = await recomputeComponentStates(unit.em, pageId, touched, named);
  const outcome: PublicationOutcome =
    shouldPublish && isChanged
      ? { publicationId: await publish(unit, notice, previous, update) }
      : { reason: shouldPublish ? 'unchanged' : 'unpublished' };
  await checkPreviewHash(unit, change.previewHash, unit.publicationId, notice.state, changed);
  return {
    pageId,
    recordId: notice.id,
    componentIds: [...new Set([...previousComponentIds, ...notice.components.getIdentifiers<number>(), ...changed])],
    outcome,
  };
}

/** The components that the notice newly names as an ongoing one, or names no longer; and all that it names as one. */
export function findTouchedComponents({ notice, previous, previousComponentIds }: NoticeChange): {
  touched: number[];
  named: number[];
} {
  const before = isPresent(previous?.state) ? previousComponentIds : [];
  const named = isPresent(notice.state) ? notice.components.getIdentifiers<number>() : [];
  return { touched: listDifferent(before, named), named };
}

/** The ids that only one of the lists has. */
const listDifferent = (one: readonly number[], other: readonly number[]): number[] => [
  ...one.filter(id => !other.includes(id)),
  ...other.filter(id => !one.includes(id)),
];

/** Cuts the content, since one that is too long is parsed here before it is refused. */
const deriveSubject = (content: string | null | undefined): string =>
  isBlank(content) ? '' : createSubject(content!.slice(0, maxContent));

function setSubject(unit: Unit, notice: Notice, subject: string | null | undefined): void {
  if (isBlank(subject)) {
    unit.validation.addError('subject', problems.blank);
    return;
  }
  validateText(unit.validation, 'subject', subject!, 255);
  if (notice.subject === subject) return;
  notice.subject = subject!;
  notice.path = createNoticePath(extractToken(notice.path), subject!);
}

function setTags(unit: Unit, notice: Notice, given: readonly string[] | null): void {
  const list = normalizeTags(
    unit.validation,
    'tagList',
    (given ?? []).flatMap(item => item.split(',')),
  );
  if (list.join() !== notice.tagList.join()) notice.tagList = list;
}

/** Returns the ids of the components that the notice named before. */
async function setComponents(
  unit: Unit,
  notice: Notice,
  field: string,
  given: readonly string[] | null | undefined,
): Promise<number[]> {
  const previousIds = notice.components.isInitialized() ? notice.components.getIdentifiers<number>() : [];
  if (given === undefined) return previousIds;
  const { components, problems: missing } = await findComponents(unit.em, notice.page.id, given ?? []);
  if (missing.length) {
    unit.validation.addErrors({ [field]: missing });
    return previousIds;
  }
  const isSame = components.length === previousIds.length && components.every(({ id }) => previousIds.includes(id));
  if (isSame && (components.length > 0 || !notice.namedComponents)) return previousIds;
  notice.namedComponents = components.length > 0;
  notice.components.set(components);
  return previousIds;
}
