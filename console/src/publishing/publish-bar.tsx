import type { ReactNode } from 'react';
import type { WarningCode } from '../api/documents.ts';
import { type Session, useSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { Audience, describePublishing } from './audience.tsx';
import { Changed } from './changed.tsx';
import { DrafterButtons, type Drafting, QuietDraftButtons } from './drafting-buttons.tsx';
import type { Outbox } from './outbox.ts';
import type { Previewed } from './use-preview.ts';
import { Waiting } from './waiting.tsx';
import { Warnings } from './warnings.tsx';
import styles from './publishing.module.css';

/** An update of somebody else since the text was begun. It is seen once it was shown in full. */
export interface NewerUpdate {
  content: ReactNode;
  isSeen: boolean;
  /** Whether it was shown so recently that the second of two quick taps would publish: it is at the same place. */
  isJustShown: boolean;
  show: () => void;
}

interface Props {
  previews: Previewed[];
  /** The warnings that stand beside what causes them. */
  warnedElsewhere?: WarningCode[];
  /** Whether the previews belong to what is written now. */
  isCurrent: boolean;
  /** What failed that belongs to no field. */
  error: string | undefined;
  outbox: Pick<Outbox, 'state' | 'changed' | 'shouldNotify' | 'mayHaveArrived' | 'confirm' | 'discard'>;
  /** False: the role allows to write and to preview, not to publish. */
  mayPublish: boolean;
  onPublish: (shouldNotify: boolean) => void;
  /** Where the preview does not stand beside the form. */
  onPreview?: () => void;
  /** What has to be seen first. */
  newer?: NewerUpdate;
  /** How to publish it at another time. Absent: it cannot be. */
  later?: ReactNode;
  /** Absent: it cannot be saved as a draft. */
  drafting?: Drafting;
}

/** Whether people are notified is asked for each publication, by two buttons, and never remembered. */
export function PublishBar({
  previews,
  warnedElsewhere,
  isCurrent,
  error,
  outbox,
  mayPublish,
  onPublish,
  onPreview,
  newer,
  later,
  drafting,
}: Props) {
  const session = useSession();
  const { state, changed } = outbox;
  const isJustShown = newer?.isJustShown ?? false;
  const isPending = state === 'sending' || state === 'waiting' || isJustShown;
  // Without a count a person can publish all the same. Until the next count, the last says whether there is anybody.
  const isCounted = previews.every(({ preview }) => preview);
  const counted = isCounted ? describePublishing(session, previews) : uncounted;
  const isNobody = counted === undefined;
  const notifying = isNobody ? 'Nobody to notify' : isCurrent ? counted : uncounted;
  const pressed = outbox.shouldNotify && !isNobody ? notifying : silently;
  const toLabel = (label: string) =>
    isPending && !isJustShown && label === pressed ? (state === 'waiting' ? 'Waiting …' : 'Publishing …') : label;
  const previewButton = onPreview && (
    <Button icon="open" onClick={onPreview}>
      Preview
    </Button>
  );
  return (
    <div className={styles.bar}>
      <Warnings previews={previews} except={warnedElsewhere} />
      <Audience previews={previews} />
      <FormError>{error}</FormError>
      {changed && <Changed changed={changed} previews={previews} />}
      {!mayPublish && (
        <DrafterButtons drafting={drafting} pageCount={previews.length}>
          {previewButton}
        </DrafterButtons>
      )}
      {mayPublish && state !== 'old' && (
        <div className={styles.buttons}>
          {session.pages.length > 1 && <p className={styles.where}>On {listPages(session, previews)}</p>}
          {state === 'waiting' && (
            <Waiting label={pressed} mayHaveArrived={outbox.mayHaveArrived} onDiscard={outbox.discard} />
          )}
          {newer && (
            <div className={`${styles.newer} ${newer.isSeen ? '' : styles.folded}`} role="alert">
              {newer.content}
            </div>
          )}
          {newer && !newer.isSeen ? (
            <Button look="primary" isLarge onClick={newer.show}>
              Show the new update
            </Button>
          ) : (
            <>
              {/* Kept where it notifies nobody: the other button would move to its place, below a finger. */}
              <Button
                look={isNobody ? 'secondary' : 'primary'}
                type={isNobody ? 'button' : 'submit'}
                isLarge
                disabled={isPending || isNobody}
              >
                {toLabel(notifying)}
              </Button>
              {previewButton}
              <Button
                look={isNobody ? 'primary' : 'secondary'}
                type={isNobody ? 'submit' : 'button'}
                isLarge
                disabled={isPending}
                onClick={isNobody ? undefined : () => onPublish(false)}
              >
                {toLabel(silently)}
              </Button>
            </>
          )}
        </div>
      )}
      {mayPublish && (
        <div className={styles.links}>
          {state === 'idle' && later}
          {drafting && <QuietDraftButtons {...drafting} />}
        </div>
      )}
      {state === 'old' && (
        <div className={styles.buttons}>
          <FormError>
            You sent this some time ago and got no response. Check whether it was published before you send it again.
          </FormError>
          <Button look="primary" onClick={outbox.confirm}>
            Send now
          </Button>
          <Button onClick={outbox.discard}>Do not send</Button>
        </div>
      )}
    </div>
  );
}

const silently = 'Publish, notify nobody';
const uncounted = 'Publish and notify';

const listPages = ({ pages }: Session, previews: Previewed[]): string =>
  previews.map(({ pageId }) => pages.find(({ id }) => id === pageId)?.name).join(', ');
