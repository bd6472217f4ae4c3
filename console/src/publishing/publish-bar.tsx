import type { WarningCode } from '../api/documents.ts';
import { useSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { Audience, describePublishing } from './audience.tsx';
import { Changed } from './changed.tsx';
import type { Outbox } from './outbox.ts';
import type { Previewed } from './use-preview.ts';
import { Warnings } from './warnings.tsx';
import styles from './publishing.module.css';

interface Props {
  previews: Previewed[];
  /** The warnings that stand beside what causes them. */
  warnedElsewhere?: WarningCode[];
  /** Whether the previews belong to what is written now. */
  isCurrent: boolean;
  /** What failed that belongs to no field. */
  error: string | undefined;
  outbox: Pick<Outbox, 'state' | 'changed' | 'confirm' | 'discard'>;
  /** False: the role allows to write and to preview, not to publish. */
  mayPublish: boolean;
  onPublish: (shouldNotify: boolean) => void;
}

/** Whether people are notified is asked for each publication, by two buttons, and never remembered. */
export function PublishBar({ previews, warnedElsewhere, isCurrent, error, outbox, mayPublish, onPublish }: Props) {
  const session = useSession();
  const { state, changed } = outbox;
  const isKnown = isCurrent && previews.every(({ preview }) => preview);
  // Without a count a person can publish all the same.
  const notifying = isKnown ? describePublishing(session, previews) : 'Publish and notify';
  return (
    <div className={styles.bar}>
      <Warnings previews={previews} except={warnedElsewhere} />
      {previews.some(({ preview }) => preview) && <Audience previews={previews} />}
      <FormError>{error}</FormError>
      {changed && <Changed changed={changed} previews={previews} />}
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
          <FormError>
            {state === 'old'
              ? 'This was written some time ago, and no response came. Look whether it was published before you send ' +
                'it.'
              : 'There is no connection. This is stored, and is sent once as soon as there is one.'}
          </FormError>
          {state === 'old' && (
            <Button look="primary" onClick={outbox.confirm}>
              Send it now
            </Button>
          )}
          <Button onClick={outbox.discard}>Do not send it</Button>
        </div>
      )}
    </div>
  );
}
