import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { EditUpdateDocument, type NoticeDetailFragment } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { useStored } from '../api/stored.ts';
import { RequestError } from '../api/transport.ts';
import { ContentArea } from '../images/content-area.tsx';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import { submitOnShortcut } from '../ui/form.ts';
import { Versions } from '../ui/versions.tsx';
import styles from './notice.module.css';

export type Update = NoticeDetailFragment['updates']['nodes'][number];

interface Props {
  pageId: string;
  update: Update;
  onDone: () => void;
}

/**
 * The text of an update, at the version that its author has seen. Another version that was saved since is shown beside
 * it.
 */
export function EditUpdate({ pageId, update, onDone }: Props) {
  const { email } = useSession();
  const [stored, store] = useStored<Pick<Update, 'content' | 'version'>>(`edit ${email} ${update.id}`);
  const { content, version } = stored ?? update;
  const client = useQueryClient();
  const write = useWrite(EditUpdateDocument);
  const { errors, others } = toFormErrors(write.data?.result?.userErrors, ['content']);
  const isRefused = write.error instanceof RequestError && write.error.code === 'PRECONDITION_FAILED';
  const isStale = update.version !== version;
  const close = () => {
    store(undefined);
    onDone();
  };
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    // Both versions are on the screen: the one that is saved replaces the other.
    const { result } = await write.mutateAsync({ pageId, id: update.id, ifVersion: update.version, content });
    if (!result?.userErrors.length) close();
  };
  return (
    <form
      className={styles.box}
      onSubmit={event => void onSubmit(event).catch(() => client.invalidateQueries())}
      onKeyDown={submitOnShortcut}
    >
      <ContentArea
        pageIds={[pageId]}
        hint={
          'Nobody is notified of an edit. The page shows that the text was edited, and what it said before. Once it ' +
          'is saved, you can send a correction to those who were sent the wrong text.'
        }
        error={errors.content}
        value={content}
        onChange={text => store({ content: text, version })}
      />
      {isStale && <Versions theirs={<pre>{update.content}</pre>} yours={<pre>{content}</pre>} />}
      <FormError>{isRefused ? null : (write.error?.message ?? others)}</FormError>
      <div className={styles.pager}>
        <Button type="submit" look={isStale ? 'secondary' : 'primary'} disabled={write.isPending}>
          {isStale ? 'Save mine anyway' : 'Save the text'}
        </Button>
        {isStale && <Button onClick={() => store(undefined)}>Use theirs</Button>}
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  );
}
