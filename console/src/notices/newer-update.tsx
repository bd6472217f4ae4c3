import { useEffect, useState } from 'react';
import type { NoticeDetailFragment } from '../api/documents.ts';
import { toOwnOrigin } from '../images/own-origin.ts';
import type { Outbox } from '../publishing/outbox.ts';
import type { NewerUpdate } from '../publishing/publish-bar.tsx';
import { StateLabel } from '../ui/state-label.tsx';
import { findNewerUpdate, type UpdateDraft } from './update-draft.ts';
import styles from './notice.module.css';

const afterShowingMs = 700;

/** What somebody else has posted since the text was begun. A press before it was seen only shows it. */
export function useNewerUpdate(
  pageId: string,
  notice: NoticeDetailFragment,
  draft: UpdateDraft,
  outbox: Outbox,
): NewerUpdate | undefined {
  const [seenId, setSeenId] = useState<string>();
  const [isJustShown, setJustShown] = useState(false);
  useEffect(() => {
    if (!isJustShown) return;
    const timer = setTimeout(() => setJustShown(false), afterShowingMs);
    return () => clearTimeout(timer);
  }, [isJustShown]);
  const update = draft.content.trim() && outbox.state === 'idle' ? findNewerUpdate(notice, draft) : undefined;
  const { changed } = outbox;
  // The service has refused a press, and that is said where the update is: the next press is the second.
  useEffect(() => {
    if (changed && update) setSeenId(seen => seen ?? update.id);
  }, [changed, update]);
  if (!update) return undefined;
  return {
    isSeen: seenId === update.id,
    isJustShown,
    show: () => {
      setSeenId(update.id);
      setJustShown(true);
    },
    content: (
      <>
        <p>Somebody else has posted an update since you began to write:</p>
        {update.state && <StateLabel state={update.state} />}
        <div
          className={styles.content}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the service
          dangerouslySetInnerHTML={{ __html: toOwnOrigin(update.contentHtml, pageId) }}
        />
      </>
    ),
  };
}
