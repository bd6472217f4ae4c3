import { useEffect, useState } from 'react';
import { type PreviewPublicationInput, PreviewDocument } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';

export const previewTabs = ['page', 'mail', 'sms', 'slack', 'teams', 'mastodon'] as const;
export type PreviewTab = (typeof previewTabs)[number];

const pauseMs = 300;

/** Only the chosen message is rendered, when typing has paused. */
export function usePreview(
  pageId: string,
  noticeId: string | undefined,
  input: PreviewPublicationInput,
  tab: PreviewTab | null,
) {
  const current = JSON.stringify(input);
  const text = useSettled(current);
  const isChosen = Object.fromEntries(previewTabs.map(name => [name, name === tab])) as Record<PreviewTab, boolean>;
  const variables = { pageId, noticeId: noticeId ?? null, input: JSON.parse(text), ...isChosen };
  const { data, isPlaceholderData } = useLazyRead(PreviewDocument, variables);
  /** Whether it belongs to what is written now. */
  const isCurrent = data !== undefined && text === current && !isPlaceholderData;
  return { preview: data?.previewPublication ?? undefined, isCurrent };
}

/** A value as it was when it last stayed the same for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
