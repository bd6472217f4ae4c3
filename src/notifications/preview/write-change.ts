import { badRequest } from '../../core/errors.js';
import { Notice } from '../../notices/notice.entity.js';
import { type SavedNotice, saveNewNotice, saveNoticeChange } from '../../notices/notice.service.js';
import { postUpdate } from '../../notices/updates/update.service.js';
import { pageRecordPath } from '../../pages/page-record-path.js';
import type { Unit } from '../../records/unit.js';
import type { NoticeChangeInput } from './preview.inputs.js';
import { createdTypes, findVerb } from './preview.verbs.js';

/** The input of one of the mutations that publish. */
export interface PreparedChange {
  /** Null for a new notice. */
  noticeId?: string | null;
  input: NoticeChangeInput;
}

/** What the one who confirms it says. Undefined: as the input says. */
export interface Confirmation {
  shouldPublish?: boolean;
  previewHash?: string | null;
  /** Of the notice that is changed. Absent: any. */
  versions?: number[] | null;
}

export async function writeChange(
  unit: Unit,
  pageId: string,
  { noticeId, input }: PreparedChange,
  { versions, ...confirmation }: Confirmation,
): Promise<SavedNotice> {
  const verb = findVerb(input, noticeId);
  if (versions != null) await requireVersion(unit, pageId, noticeId, versions);
  const type = createdTypes[verb];
  const values = { ...input[verb], ...confirmation };
  if (type) return saveNewNotice(unit, pageId, { ...values, type });
  if (verb !== 'createNoticeUpdate') return saveNoticeChange(unit, pageId, noticeId!, null, values);
  const posted = await postUpdate(unit, pageId, noticeId!, { ...input.createNoticeUpdate!, ...confirmation });
  return { pageId, recordId: Number(noticeId), componentIds: [], outcome: posted.outcome, stateChanges: [] };
}

/** Refuses a change of a notice that is at another version. A new one has none. */
async function requireVersion(
  unit: Unit,
  pageId: string,
  noticeId: string | null | undefined,
  versions: number[],
): Promise<void> {
  if (noticeId == null)
    throw badRequest('`ifVersion` is for a change of a notice, and this creates one.', ['ifVersion']);
  await unit.find<Notice>(pageRecordPath(pageId, Notice, noticeId), versions);
}
