import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { Audience, describePublishing, type Preview } from './audience.tsx';
import type { OutboxState } from './outbox.ts';
import styles from './publishing.module.css';

interface Props {
  preview: Preview | undefined;
  /** Whether the preview belongs to what is written now. */
  isCurrent: boolean;
  /** What failed that belongs to no field. */
  error: string | undefined;
  state: OutboxState;
  /** False: the role allows to write and to preview, not to publish. */
  mayPublish: boolean;
  onPublish: (shouldNotify: boolean) => void;
  onConfirm: () => void;
  onDiscard: () => void;
}

/** Whether people are notified is asked for each publication, by two buttons, and never remembered. */
export function PublishBar({ preview, isCurrent, error, state, mayPublish, onPublish, onConfirm, onDiscard }: Props) {
  // Without a count a person can publish all the same.
  const notifying = preview && isCurrent ? describePublishing(preview) : 'Publish and notify';
  return (
    <div className={styles.bar}>
      {preview?.warnings
        ?.filter(({ code }) => code !== 'NOT_PUBLISHED' && code !== 'UNCHANGED')
        .map(({ code, text }) => (
          <p key={code} className={styles.warning}>
            {text}
          </p>
        ))}
      {preview && <Audience preview={preview} />}
      <FormError>{error}</FormError>
      {state === 'old' && (
        <FormError>
          This was written some time ago, and no response came. Look whether it was published before you send it.
        </FormError>
      )}
      {state === 'waiting' && (
        <FormError>There is no connection. This is stored, and is sent once as soon as there is one.</FormError>
      )}
      {!mayPublish && <p>Your role is to draft: a publisher can publish this.</p>}
      {mayPublish && (state === 'idle' || state === 'sending') && (
        <div className={styles.buttons}>
          {notifying !== undefined && (
            <Button type="submit" look="primary" isLarge disabled={state === 'sending'}>
              {state === 'sending' ? 'Publishing …' : notifying}
            </Button>
          )}
          <Button
            look={notifying === undefined ? 'primary' : 'secondary'}
            type={notifying === undefined ? 'submit' : 'button'}
            isLarge
            disabled={state === 'sending'}
            onClick={notifying === undefined ? undefined : () => onPublish(false)}
          >
            Publish, notify nobody
          </Button>
        </div>
      )}
      {(state === 'old' || state === 'waiting') && (
        <div className={styles.buttons}>
          {state === 'old' && (
            <Button look="primary" onClick={onConfirm}>
              Send it now
            </Button>
          )}
          <Button onClick={onDiscard}>Do not send it</Button>
        </div>
      )}
    </div>
  );
}
