import { validateText, isBlank } from '../core/validation.js';
import type { Unit, Writer } from '../records/writer.js';
import { validationMessages } from '../core/errors.js';
import { Page } from '../pages/page.entity.js';
import { publish } from '../notifications/publish.service.js';
import { Notice } from './notice.entity.js';
import type { CreateNoticeUpdate, UpdateNoticeUpdate } from './notice.inputs.js';
import { createSynopsis } from './notice.text.js';
import { NoticeUpdate } from './update.entity.js';

export interface UpdateChange {
  pageId: string;
  noticeId: string;
  updateId: number;
}

export function createNoticeUpdate(
  write: Writer,
  pageId: string,
  noticeId: string,
  input: CreateNoticeUpdate,
): Promise<UpdateChange> {
  return write.transaction(async unit => {
    const notice = await unit.find<Notice>([
      [Page, pageId],
      [Notice, noticeId],
    ]);
    checkContent(unit, input.content);
    unit.validation.throwIfInvalid();
    const update = await addUpdate(unit, notice, input.content, input.shouldPublish ?? true);
    await storeShouldPublish(unit, notice, input.shouldPublish);
    if (update.shouldPublish) await publish(unit, notice, notice, update);
    return { pageId, noticeId, updateId: update.id };
  });
}

export function updateNoticeUpdate(
  write: Writer,
  pageId: string,
  noticeId: string,
  id: string,
  versions: number[] | null | undefined,
  input: UpdateNoticeUpdate,
): Promise<UpdateChange> {
  return write.transaction(async unit => {
    const { notice, update } = await findUpdate(unit, pageId, noticeId, id, versions);
    if (input.content !== undefined) checkContent(unit, input.content);
    unit.validation.throwIfInvalid();
    if (input.content != null && input.content !== update.content) {
      update.content = input.content;
      unit.touch(notice);
      await unit.save();
      await recomputeSynopsis(unit, notice);
    }
    return { pageId, noticeId, updateId: update.id };
  });
}

export function deleteNoticeUpdate(
  write: Writer,
  pageId: string,
  noticeId: string,
  id: string,
  versions?: number[] | null,
): Promise<UpdateChange> {
  return write.transaction(async unit => {
    const { notice, update } = await findUpdate(unit, pageId, noticeId, id, versions);
    unit.em.remove(update);
    unit.touch(notice);
    await unit.save();
    await recomputeSynopsis(unit, notice);
    return { pageId, noticeId, updateId: update.id };
  });
}

/** Adds an update to a locked notice. A write to an update counts as a write to its notice. */
export async function addUpdate(
  unit: Unit,
  notice: Notice,
  content: string,
  shouldPublish: boolean,
): Promise<NoticeUpdate> {
  const update = unit.create(NoticeUpdate, { notice, content, shouldPublish });
  unit.touch(notice);
  await unit.save();
  await recomputeSynopsis(unit, notice);
  return update;
}

/**
 * Stores whether automatic state changes are published.
 * Not visible to clients, so neither the version nor updated_at changes.
 */
export async function storeShouldPublish(
  unit: Unit,
  notice: Notice,
  shouldPublish: boolean | null | undefined,
): Promise<void> {
  if (shouldPublish == null) return;
  notice.lastShouldPublish = shouldPublish;
  await unit.em.flush();
}

/** The synopsis follows the first update. Part of the write that incremented the version of the notice. */
async function recomputeSynopsis(unit: Unit, notice: Notice): Promise<void> {
  const first = await unit.em.findOne(NoticeUpdate, { notice }, { orderBy: { id: 'asc' } });
  notice.synopsis = createSynopsis(first?.content ?? null);
  await unit.em.flush();
}

async function findUpdate(
  unit: Unit,
  pageId: string,
  noticeId: string,
  id: string,
  versions?: readonly number[] | null,
) {
  const notice = await unit.find<Notice>([
    [Page, pageId],
    [Notice, noticeId],
  ]);
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
  if (isBlank(content)) unit.validation.addError('content', validationMessages.blank);
  else validateText(unit.validation, 'content', content!, 65_535);
}
