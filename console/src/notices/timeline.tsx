import { useState } from 'react';
import type { NoticeDetailFragment } from '../api/documents.ts';
import { formatDistance, formatTime, useNow } from '../api/times.ts';
import { toOwnOrigin } from '../images/own-origin.ts';
import { Button } from '../ui/button.tsx';
import { StateLabel } from '../ui/state-label.tsx';
import { Correction } from './correction.tsx';
import { EditUpdate, type Update } from './edit-update.tsx';
import { usePublications } from './publications.tsx';
import styles from './notice.module.css';

interface Props {
  pageId: string;
  notice: NoticeDetailFragment;
  mayEdit: boolean;
  onPublished: (publicationId: string | undefined) => void;
}

/** What was said, newest first. */
export function Timeline({ pageId, notice, mayEdit, onPublished }: Props) {
  const [editedId, setEditedId] = useState<string>();
  const now = useNow();
  const updates = notice.updates.nodes.toReversed();
  const publications = usePublications(pageId, notice.id);
  /** Undefined for an update that notified nobody: only the audit log has its author. */
  const findAuthor = (id: string) => publications.findLast(({ updateId }) => updateId === id)?.publishedBy.label;
  if (!updates.length) return <p className={styles.quiet}>There are no updates yet.</p>;
  return (
    <ol className={styles.timeline}>
      {updates.map(update => (
        <li key={update.id}>
          <p className={styles.said}>
            {update.kind === 'POSTMORTEM' ? (
              <strong>Post-mortem</strong>
            ) : (
              update.state && <StateLabel state={update.state} />
            )}
            <time dateTime={update.postedAt} title={formatTime(update.postedAt)}>
              {formatDistance(update.postedAt, now)}
            </time>
            <Author label={findAuthor(update.id)} />
          </p>
          {editedId === update.id ? (
            <EditUpdate pageId={pageId} update={update} onDone={() => setEditedId(undefined)} />
          ) : (
            <>
              <Content html={update.contentHtml} pageId={pageId} />
              <Revisions pageId={pageId} update={update} now={now} />
              {mayEdit && (
                <Button look="quiet" icon="edit" onClick={() => setEditedId(update.id)}>
                  Edit the text
                </Button>
              )}
              {mayEdit && update.editedAt && (
                <Correction key={update.version} pageId={pageId} kind="text" id={update.id} onPublished={onPublished} />
              )}
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

const Author = ({ label }: { label: string | undefined }) =>
  label && (
    <span className={styles.author} title={label}>
      by {label}
    </span>
  );

function Content({ html, pageId }: { html: string; pageId: string }) {
  const shown = toOwnOrigin(html, pageId);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the service
  return <div className={styles.content} dangerouslySetInnerHTML={{ __html: shown }} />;
}

/** What it said before, newest first. */
function Revisions({ pageId, update: { editedAt, revisions }, now }: { pageId: string; update: Update; now: number }) {
  if (!editedAt) return null;
  return (
    <details className={styles.revisions}>
      <summary>Edited {formatDistance(editedAt, now)}</summary>
      {revisions.map(({ id, contentHtml, replacedAt, replacedBy }) => (
        <div key={id}>
          <p className={styles.hint}>
            Until {formatTime(replacedAt)}, when {replacedBy.label} replaced it:
          </p>
          <Content html={contentHtml} pageId={pageId} />
        </div>
      ))}
    </details>
  );
}
