import type { PreviewFragment } from '../api/documents.ts';
import type { Session } from '../api/session.ts';
import { formatCount } from '../ui/format-count.ts';
import { wordOf } from '../ui/state-label.tsx';
import type { Previewed } from './use-preview.ts';

/** What identifies a preview to a reader, without its messages. */
export interface SeenPreview {
  pageId: string;
  parts: Record<Part, string>;
}

const parts = {
  Text: ({ text }) => text || 'None',
  States: ({ noticeState, components }) =>
    [
      ...(noticeState ? [`Notice: ${wordOf(noticeState)}`] : []),
      ...(components ?? []).map(({ component, after }) => `${component?.name}: ${wordOf(after)}`),
    ].join('\n') || 'None',
  'Who is notified': ({ audience }, session) =>
    (audience ?? [])
      .map(({ channel, count }) => `${session.describeChannel(channel).label}: ${formatCount(count)}`)
      .join('\n') || 'Nobody',
} satisfies Record<string, (preview: PreviewFragment, session: Session) => string>;
export type Part = keyof typeof parts;
export const partNames = Object.keys(parts) as Part[];

const describeParts = (preview: PreviewFragment, session: Session) =>
  Object.fromEntries(partNames.map(name => [name, parts[name](preview, session)])) as Record<Part, string>;

export const toSeen = (session: Session, previews: Previewed[]): SeenPreview[] =>
  previews.flatMap(({ pageId, preview }) => (preview ? [{ pageId, parts: describeParts(preview, session) }] : []));
