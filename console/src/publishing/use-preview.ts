import {
  type Channel,
  type NoticeChangeInput,
  PreviewDocument,
  type PreviewFragment,
  PreviewSeriesDocument,
  type PreviewQueryVariables,
  type PreviewSeriesQueryVariables,
  type UpdateRecurrenceInput,
} from '../api/documents.ts';
import { useLazyReads } from '../api/hooks.ts';
import { useSettled } from '../ui/use-settled.ts';

/** The page, or the message on a channel. */
export type PreviewTab = 'PAGE' | Channel;

/** A change that is being written. */
export type Change =
  | { pageId: string; noticeId?: string; input: NoticeChangeInput }
  | { pageId: string; recurrenceId: string; input: UpdateRecurrenceInput };

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
  const ofSeries: PreviewSeriesQueryVariables[] = [];
  const ofNotices: PreviewQueryVariables[] = [];
  for (const change of settled) {
    const { pageId } = change;
    const message = selectMessage(settled.length === 1 || pageId === shownPageId ? tab : null);
    if ('recurrenceId' in change) ofSeries.push({ pageId, id: change.recurrenceId, input: change.input, ...message });
    else ofNotices.push({ pageId, noticeId: change.noticeId ?? null, input: change.input, ...message });
  }
  const series = useLazyReads(PreviewSeriesDocument, ofSeries, { intervalMs: refreshMs });
  const notices = useLazyReads(PreviewDocument, ofNotices, { intervalMs: refreshMs });
  const { data, isPlaceholderData } = ofSeries.length ? series : notices;
  const previews: Previewed[] = changes.map(({ pageId }) => ({
    pageId,
    preview: data?.[settled.findIndex(each => each.pageId === pageId)]?.previewPublication ?? undefined,
  }));
  /** Whether they belong to what is written now. */
  const isCurrent = data !== undefined && text === current && !isPlaceholderData;
  return { previews, isCurrent };
}
