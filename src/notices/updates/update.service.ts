import { validateText, isBlank } from '../../core/validation.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { problems } from '../../core/problems.js';
import { query } from '../../db/prepared-statements.js';
import { Page } from '../../pages/page.entity.js';
import { actorKindSql, actorLabelSql } from '../../notifications/actor-label.js';
import { checkPreviewHash } from '../../notifications/preview-hash.js';
import { type PublicationOutcome, publish } from '../../notifications/publish.service.js';
import { Notice } from '../notice.entity.js';
import { type BackDating, checkPostmortem, resolveBackDating } from './back-dating.js';
import { type DeadlineChange, setNextUpdate } from '../next-update/next-update.rules.js';
import { markUpdated } from '../next-update/stale.rules.js';
import { rememberPublishing } from '../notice-lifecycle.rules.js';
import type { UpdateKind } from '../notice.states.js';
import { refuseTimesWithoutOffset } from '../../pages/times-without-offset.js';
import { pageRecordPath } from '../../pages/page-record-path.js';
import type { UpdateNoticeUpdateInput } from './update.inputs.js';
import { createSynopsis, maxContentLength } from '../notice-text.rules.js';
import { recordDeadline } from '../next-update/deadline.service.js';
import { NoticeUpdate } from './update.entity.js';

export interface UpdateChange {
  pageId: string;
  noticeId: string;
  updateId: number;
}

/** What an interface asks for. Fields that are undefined get their default. */
interface UpdateValues extends BackDating {
  content: string;
  /** Default: true. */
  shouldPublish?: boolean | null;
  kind?: string | null;
  nextUpdateBy?: Date | null;
  /** Of the preview that the author has confirmed. */
  previewHash?: string | null;
  isFromV1?: boolean;
}

const orderBy = { postedAt: 'asc', id: 'asc' } as const;

/** An update that was posted, and whether it was published. */
export interface PostedUpdate extends UpdateChange {
  outcome: PublicationOutcome;
}

export const createNoticeUpdate = (
  write: Writer,
  pageId: string,
  noticeId: string,
  input: UpdateValues,
): Promise<PostedUpdate> => write.lockingTransaction(unit => postUpdate(unit, pageId, noticeId, input));

export async function postUpdate(
  unit: Unit,
  pageId: string,
  noticeId: string,
  input: UpdateValues,
): Promise<PostedUpdate> {
  const { notice, update, deadline } = await buildUpdate(unit, pageId, noticeId, input);
  await unit.save();
  await recordDeadline(unit, notice, deadline);
  const outcome: PublicationOutcome = update.isPublished
    ? { publicationId: await publish(unit, notice, notice, update) }
    : { reason: 'unpublished' };
  await checkPreviewHash(unit, input.previewHash, unit.publicationId, []);
  return { pageId, noticeId, updateId: update.id, outcome };
}

/** Builds an update and what it changes of its notice, to be saved. */
async function buildUpdate(
  unit: Unit,
  pageId: string,
  noticeId: string,
  input: UpdateValues,
): Promise<{ notice: Notice; update: NoticeUpdate; deadline: DeadlineChange | null }> {
  const notice = await unit.find<Notice>(pageRecordPath(pageId, Notice, noticeId));
  const kind = (input.kind ?? 'update') as UpdateKind;
  const shouldPublish = input.shouldPublish ?? true;
  const isPlain = kind === 'update' && !input.postedAt;
  // Without their texts, of which a notice may have some hundred MB.
  const others = isPlain ? [] : await unit.em.find(NoticeUpdate, { notice }, { orderBy, exclude: ['content'] });
  checkContent(unit, input.content);
  refuseTimesWithoutOffset(input, notice.page.timezoneName, unit.validation);
  const backDated = resolveBackDating(notice, others, { ...input, shouldPublish }, unit.now, unit.validation);
  if (kind === 'postmortem') checkPostmortem(notice, others, unit.validation);
  const isUpdate = kind === 'update' && !backDated;
  const requirement = 'must be omitted with `postedAt`';
  const deadline = setNextUpdate(notice, input.nextUpdateBy, { isUpdate, requirement }, unit.now, unit.validation);
  unit.validation.throwIfInvalid();
  if (isUpdate) markUpdated(notice, unit.actor, unit.now);
  const { synopsis } = notice;
  const update = addUpdate(unit, notice, input.content, shouldPublish, { kind, ...backDated });
  if (!isPlain) notice.synopsis = findFirst([...others, update]) === update ? createSynopsis(update.content) : synopsis;
  if (!backDated) rememberPublishing(notice, input);
  return { notice, update, deadline };
}

export function updateNoticeUpdate(
  write: Writer,
  pageId: string,
  noticeId: string,
  id: string,
  versions: number[] | null | undefined,
  input: UpdateNoticeUpdateInput,
): Promise<PostedUpdate> {
  return write.lockingTransaction(async unit => {
    const { notice, update } = await findUpdate(unit, pageId, noticeId, id, versions);
    if (input.content !== undefined) checkContent(unit, input.content);
    unit.validation.throwIfInvalid();
    if (input.content != null && input.content !== update.content) {
      await keepRevision(unit, update);
      Object.assign(update, { content: input.content, editedAt: unit.now });
      unit.touch(notice);
      await recomputeSynopsis(unit, notice);
      await unit.save();
    }
    return { pageId, noticeId, updateId: update.id, outcome: { reason: 'corrected' } };
  });
}

export function deleteNoticeUpdate(
  write: Writer,
  pageId: string,
  noticeId: string,
  id: string,
  versions?: number[] | null,
): Promise<UpdateChange> {
  return write.lockingTransaction(async unit => {
    const { notice, update } = await findUpdate(unit, pageId, noticeId, id, versions);
    unit.em.remove(update);
    unit.touch(notice);
    await recomputeSynopsis(unit, notice, update);
    await unit.save();
    return { pageId, noticeId, updateId: update.id };
  });
}

/** Adds an update with the present state of its notice, to be saved. The first update gives the notice its synopsis. */
export function addUpdate(
  unit: Unit,
  notice: Notice,
  content: string,
  isPublished: boolean,
  more: Partial<Pick<NoticeUpdate, 'id' | 'kind' | 'postedAt' | 'state'>> = {},
): NoticeUpdate {
  unit.touch(notice);
  if (notice.synopsis === '') notice.synopsis = createSynopsis(content);
  const values = { notice, content, isPublished, state: notice.state, postedAt: unit.now, ...more };
  return unit.create(NoticeUpdate, values);
}

const revisionSql = `
  insert into notice_update_revision (update_id, content, state, replaced_at, replaced_by, replaced_by_kind)
  values ($1, $2, $3, $4, ${actorLabelSql('$5::text')}, ${actorKindSql('$5::text')})`;

/** Keeps the text of an update that an edit is about to replace. */
const keepRevision = (unit: Unit, { id, content, state }: NoticeUpdate): Promise<unknown> =>
  query(unit.em, revisionSql, [id, content, state, unit.now.toISOString(), unit.actor]);

/** Sets the synopsis to the text of the first update but for `deleted`. */
async function recomputeSynopsis(unit: Unit, notice: Notice, deleted?: NoticeUpdate): Promise<void> {
  const timeline = { notice, kind: 'update' as const, ...(deleted && { id: { $ne: deleted.id } }) };
  const first = await unit.em.findOne(NoticeUpdate, timeline, { orderBy });
  notice.synopsis = createSynopsis(first?.content ?? null);
}

/** The update of the timeline that was posted first. */
function findFirst<Update extends Pick<NoticeUpdate, 'kind' | 'postedAt'>>(
  updates: readonly Update[],
): Update | undefined {
  const timeline = updates.filter(({ kind }) => kind === 'update');
  return timeline.toSorted((one, other) => one.postedAt.getTime() - other.postedAt.getTime())[0];
}

export async function findUpdate(
  unit: Unit,
  pageId: string,
  noticeId: string,
  id: string,
  versions?: readonly number[] | null,
) {
  const notice = await unit.find<Notice>(pageRecordPath(pageId, Notice, noticeId));
  const update = await unit.find<NoticeUpdate>(
    [
      [Page, pageId],
      [Notice, noticeId],
      [NoticeUpdate, id],
    ],
    versions,
  );
  return { notice, update };
}

function checkContent(unit: Unit, content: string | null): void {
  if (isBlank(content)) unit.validation.addError('content', problems.blank);
  else validateText(unit.validation, 'content', content!, maxContentLength);
}
