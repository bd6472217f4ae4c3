import {
  type DraftRowFragment,
  type NoticeDetailFragment,
  PostUpdateDocument,
  PublishOnPagesDocument,
  type UpdateNoticeInput,
} from '../api/documents.ts';
import type { PublishingDocument } from '../publishing/sending.ts';

type Operation = PublishingDocument<object>;

/** The mutation of an update and its variables: another one publishes a draft, which it deletes. */
export function toUpdateOperation(
  pageId: string,
  { id, version: ifVersion }: NoticeDetailFragment,
  saved: DraftRowFragment | undefined,
  input: UpdateNoticeInput,
  previewHash: string | null,
) {
  if (!saved)
    return { document: PostUpdateDocument as Operation, variables: { pageId, id, ifVersion, input, previewHash } };
  const change = { pageId, noticeId: id, ifVersion, change: { updateNotice: input }, previewHash, draftId: saved.id };
  return { document: PublishOnPagesDocument as Operation, variables: { input: [change] } };
}
