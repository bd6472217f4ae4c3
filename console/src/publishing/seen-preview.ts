import type { PreviewFragment } from '../api/documents.ts';
import { formatCount } from '../ui/format-count.ts';
import { wordOf } from '../ui/state-label.tsx';
import { channelNames } from './audience.tsx';
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
  'Who is notified': ({ audience }) =>
    (audience ?? []).map(({ channel, count }) => `${channelNames[channel]}: ${formatCount(count)}`).join('\n') ||
    'Nobody',
} satisfies Record<string, (preview: PreviewFragment) => string>;
export type Part = keyof typeof parts;
export const partNames = Object.keys(parts) as Part[];

const describeParts = (preview: PreviewFragment) =>
  Object.fromEntries(partNames.map(name => [name, parts[name](preview)])) as Record<Part, string>;

export const toSeen = (previews: Previewed[]): SeenPreview[] =>
  previews.flatMap(({ pageId, preview }) => (preview ? [{ pageId, parts: describeParts(preview) }] : []));
