import { type NoticeChangeInput, PublishOnPagesDocument } from '../api/documents.ts';
import type { kinds } from './kinds.ts';

interface PageChange {
  pageId: string;
  input: NoticeChangeInput;
}

/** The mutation and its variables: one of its own for one page, and another for several or of a saved draft. */
export function toPublishing(
  kind: (typeof kinds)[string],
  changes: PageChange[],
  previewHashes: (string | null)[],
  draftId: string | undefined,
) {
  const [first, ...others] = changes.map(({ pageId, input: change }, index) => ({
    pageId,
    change,
    previewHash: previewHashes[index],
    // That of the first page: it goes with what is published, once.
    ...(index === 0 && draftId && { draftId }),
  }));
  if (others.length || draftId)
    return { document: PublishOnPagesDocument as typeof kind.document, variables: { input: [first, ...others] } };
  const { pageId, change, previewHash } = first!;
  return { document: kind.document, variables: { pageId, input: change[kind.verb], previewHash } };
}
