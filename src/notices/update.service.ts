import { checkText, isBlank } from '../core/validation.js';
import type { Unit, Writer } from '../records/writer.js';
import { text } from '../core/errors.js';
import { Page } from '../pages/page.entity.js';
import { publish } from '../notifications/publish.service.js';
import { Notice } from './notice.entity.js';
import type { CreateNoticeUpdate, UpdateNoticeUpdate } from './notice.inputs.js';
import { synopsisOf } from './notice.text.js';
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
    unit.checks.pass();
    const update = await addUpdate(unit, notice, input.content, input.shouldPublish ?? true);
    await rememberPublishing(unit, notice, input.shouldPublish);
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
    const { notice, update } = await located(unit, pageId, noticeId, id, versions);
    if (input.content !== undefined) checkContent(unit, input.content);
    unit.checks.pass();
    if (input.content != null && input.content !== update.content) {
      update.content = input.content;
      unit.touch(notice);
      await unit.save();
      await settleSynopsis(unit, notice);
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
    const { notice, update } = await located(unit, pageId, noticeId, id, versions);
    unit.em.remove(update);
    unit.touch(notice);
    await unit.save();
    await settleSynopsis(unit, notice);
    return { pageId, noticeId, updateId: update.id };
  });
}

/** Adds an update to a notice that is locked; a write to an update is one to its notice. */
export async function addUpdate(
  unit: Unit,
  notice: Notice,
  content: string,
  shouldPublish: boolean,
): Promise<NoticeUpdate> {
  const update = unit.create(NoticeUpdate, { notice, content, shouldPublish });
  unit.touch(notice);
  await unit.save();
  await settleSynopsis(unit, notice);
  return update;
}

/** What an automatic move goes by. No client sees it, so remembering it moves neither the version nor updated_at. */
export async function rememberPublishing(
  unit: Unit,
  notice: Notice,
  shouldPublish: boolean | null | undefined,
): Promise<void> {
  if (shouldPublish == null) return;
  notice.lastShouldPublish = shouldPublish;
  await unit.em.flush();
}

/** The synopsis follows the first update, whatever becomes of it; it moves within the write that moved the notice's version. */
async function settleSynopsis(unit: Unit, notice: Notice): Promise<void> {
  const first = await unit.em.findOne(NoticeUpdate, { notice }, { orderBy: { id: 'asc' } });
  notice.synopsis = synopsisOf(first?.content ?? null);
  await unit.em.flush();
}

async function located(unit: Unit, pageId: string, noticeId: string, id: string, versions?: readonly number[] | null) {
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
  if (isBlank(content)) unit.checks.refuse('content', text.blank);
  else checkText(unit.checks, 'content', content!, 65_535);
}
