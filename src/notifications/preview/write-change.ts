import { type SavedNotice, saveNewNotice, saveNoticeChange } from '../../notices/notice.service.js';
import { postUpdate } from '../../notices/updates/update.service.js';
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
  const type = createdTypes[verb];
  const values = { ...input[verb], ...confirmation };
  if (type) return saveNewNotice(unit, pageId, { ...values, type });
  if (verb !== 'createNoticeUpdate') return saveNoticeChange(unit, pageId, noticeId!, versions, values);
  const posted = await postUpdate(unit, pageId, noticeId!, { ...input.createNoticeUpdate!, ...confirmation });
  return { pageId, recordId: Number(noticeId), componentIds: [], outcome: posted.outcome, stateChanges: [] };
}
