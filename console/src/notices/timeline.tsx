import { type FormEvent, useState } from 'react';
import { EditUpdateDocument, type NoticeDetailFragment } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { formatDistance, formatTime, useNow } from '../api/times.ts';
import { Button } from '../ui/button.tsx';
import { FormError, TextArea } from '../ui/field.tsx';
import { toFieldErrors } from '../ui/field-errors.ts';
import { submitOnShortcut } from '../ui/form.ts';
import { StateLabel } from '../ui/state-label.tsx';
import { Correction } from './correction.tsx';
import styles from './notice.module.css';

type Update = NoticeDetailFragment['updates']['nodes'][number];

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
  if (!updates.length) return <p className={styles.quiet}>Nothing was said yet.</p>;
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
          </p>
          {editedId === update.id ? (
            <EditUpdate pageId={pageId} update={update} onDone={() => setEditedId(undefined)} />
          ) : (
            <>
              {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the service makes it from Markdown, and sanitizes it */}
              <div className={styles.content} dangerouslySetInnerHTML={{ __html: update.contentHtml }} />
              <Revisions update={update} now={now} />
              {mayEdit && (
                <Button look="quiet" icon="edit" onClick={() => setEditedId(update.id)}>
                  Edit the text
                </Button>
              )}
              {mayEdit && update.editedAt && (
                <Correction key={update.version} pageId={pageId} updateId={update.id} onPublished={onPublished} />
              )}
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

/** What it said before, newest first. */
function Revisions({ update: { editedAt, revisions }, now }: { update: Update; now: number }) {
  if (!editedAt) return null;
  return (
    <details className={styles.revisions}>
      <summary>Edited {formatDistance(editedAt, now)}</summary>
      {revisions.map(({ id, contentHtml, replacedAt, replacedBy }) => (
        <div key={id}>
          <p className={styles.hint}>
            Until {formatTime(replacedAt)}, when {replacedBy} replaced it:
          </p>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the service makes it from Markdown, and sanitizes it */}
          <div className={styles.content} dangerouslySetInnerHTML={{ __html: contentHtml }} />
        </div>
      ))}
    </details>
  );
}

function EditUpdate({ pageId, update, onDone }: { pageId: string; update: Update; onDone: () => void }) {
  const [content, setContent] = useState(update.content);
  const [version] = useState(update.version);
  const write = useWrite(EditUpdateDocument);
  const errors = toFieldErrors(write.data?.result?.userErrors ?? []);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const { result } = await write.mutateAsync({ pageId, id: update.id, ifVersion: [version], content });
    if (!result?.userErrors.length) onDone();
  };
  return (
    <form className={styles.box} onSubmit={event => void onSubmit(event).catch(() => {})} onKeyDown={submitOnShortcut}>
      <TextArea
        label="Text"
        hint="Nobody is notified of an edit. The page shows that the text was edited, and what it said before. Once it is saved, you can send a correction to those who were sent the wrong text."
        error={errors.content}
        value={content}
        onChange={event => setContent(event.target.value)}
      />
      {update.version !== version && (
        <div>
          <p>Somebody has changed this meanwhile. Theirs is:</p>
          <pre>{update.content}</pre>
        </div>
      )}
      <FormError>{write.error?.message ?? errors['']}</FormError>
      <div className={styles.pager}>
        <Button type="submit" look="primary" disabled={write.isPending}>
          Save the text
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}
