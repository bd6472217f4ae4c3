import { type Channel, type PreviewFragment, type NoticeChangeInput, PreviewDocument } from '../api/documents.ts';
import { useLazyReads } from '../api/hooks.ts';
import { useSettled } from '../ui/use-settled.ts';

/** The page, or the message on a channel. */
export type PreviewTab = 'PAGE' | Channel;

/** A change that is being written. */
export interface Change {
  pageId: string;
  noticeId?: string;
  input: NoticeChangeInput;
}

/** What it would publish. Undefined: not known yet. */
export interface Previewed {
  pageId: string;
  preview: PreviewFragment | undefined;
}

const pauseMs = 300;
/** Who is notified changes as people subscribe. */
const refreshMs = 20_000;

/** Which message is rendered. */
export function selectMessage(tab: PreviewTab | null) {
  const textChannel = tab === 'PAGE' || tab === 'EMAIL' ? null : tab;
  return {
    page: tab === 'PAGE',
    mail: tab === 'EMAIL',
    text: textChannel !== null,
    ...(textChannel && { channel: textChannel }),
  };
}

/**
 * What the changes would publish, one on each page, when typing has paused. Of one page the chosen message is rendered.
 */
export function usePreviews(changes: Change[], tab: PreviewTab | null, shownPageId?: string) {
  const current = JSON.stringify(changes);
  const text = useSettled(current, pauseMs);
  const settled = JSON.parse(text) as Change[];
  const variables = settled.map(({ pageId, noticeId, input }) => ({
    pageId,
    noticeId: noticeId ?? null,
    input,
    ...selectMessage(settled.length === 1 || pageId === shownPageId ? tab : null),
  }));
  const { data, isPlaceholderData } = useLazyReads(PreviewDocument, variables, { intervalMs: refreshMs });
  const previews: Previewed[] = changes.map(({ pageId }) => ({
    pageId,
    preview: data?.[settled.findIndex(each => each.pageId === pageId)]?.previewPublication ?? undefined,
  }));
  /** Whether they belong to what is written now. */
  const isCurrent = data !== undefined && text === current && !isPlaceholderData;
  return { previews, isCurrent };
}
