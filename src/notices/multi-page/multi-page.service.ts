import { type PreparedChange, writeChange } from '../../notifications/preview/write-change.js';
import { badRequest, invalid, Refusal } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { publishContinued } from '../drafts/draft.service.js';
import type { SavedNotice } from '../notice.service.js';
import type { Writer } from '../../records/writer.js';

interface PageChange extends PreparedChange {
  pageId: string;
  /** Of the preview that the author has confirmed. */
  previewHash?: string | null;
  /** The versions of the notice that may be changed. */
  ifVersion?: number[] | null;
  /** The draft that the change was written from. */
  draftId?: string | null;
}

const maxChanges = 20;
/** To end one notice and begin another: all changes are one transaction, and each can name 2,000 components. */
const maxOfPage = 2;

/**
 * Writes a change on each of several pages: on all of them, or on none. The pages are locked in the order of their ids,
 * so that two calls at once do not wait for each other.
 */
export async function publishOnPages(write: Writer, changes: readonly PageChange[]): Promise<SavedNotice[]> {
  if (!changes.length) throw invalid({ input: [problems.blank] });
  if (changes.length > maxChanges) throw invalid({ input: [problems.tooMany(maxChanges)] });
  const mostOfPage = Math.max(...Object.values(Object.groupBy(changes, ({ pageId }) => pageId)).map(of => of!.length));
  if (mostOfPage > maxOfPage) throw badRequest(`At most ${maxOfPage} changes are of the same page.`);
  const ordered = changes
    .map((change, index) => ({ ...change, index }))
    .toSorted((one, other) => (one.pageId < other.pageId ? -1 : 1));
  const saved: SavedNotice[] = [];
  await write.together(async inner => {
    for (const { index, pageId, previewHash, ifVersion: versions, draftId, ...change } of ordered)
      saved[index] = await inner
        .lockingTransaction(unit =>
          draftId == null
            ? writeChange(unit, pageId, change, { previewHash, versions })
            : publishContinued(unit, pageId, draftId, change, { previewHash, versions }),
        )
        .catch(error => {
          throw locate(error, index);
        });
  });
  return saved;
}

/** Says which of the changes was refused. */
function locate(error: unknown, index: number): unknown {
  if (!(error instanceof Refusal)) return error;
  const { fields, path } = error.details;
  const at = (name: string) => `${index}.${name}`;
  return new Refusal(error.code, error.message, {
    ...error.details,
    ...(fields && { fields: Object.fromEntries(Object.entries(fields).map(([name, list]) => [at(name), list])) }),
    path: [at(path?.[0] ?? 'pageId'), ...(path?.slice(1) ?? [])],
  });
}
