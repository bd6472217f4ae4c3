import { type ReactNode, useState } from 'react';
import {
  type DeliveryState,
  type NumbersFragment,
  PublicationNumbersDocument,
  PublicationProgressDocument,
  StopPublicationDocument,
} from '../api/documents.ts';
import { useLazyRead, useLive, useWrite } from '../api/hooks.ts';
import { type Session, useSession } from '../api/session.ts';
import { useNow } from '../api/times.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { formatCount } from '../ui/format-count.ts';
import styles from './publishing.module.css';

/** How far the messages of a publication are, live from the ledger of deliveries, and the way to stop them. */
export function Progress({
  pageId,
  publicationId,
  mayStop,
}: {
  pageId: string;
  publicationId: string;
  mayStop: boolean;
}) {
  const session = useSession();
  const { data } = useLazyRead(PublicationNumbersDocument, { id: publicationId, pageId });
  const [event, setEvent] = useState<NumbersFragment>();
  const stop = useWrite(StopPublicationDocument);
  useLive(PublicationProgressDocument, { id: publicationId }, ({ publicationProgress }) =>
    setEvent(publicationProgress?.publication),
  );
  const answer = stop.data?.result?.publication;
  // The last word, unless a message is still on its way.
  const publication = answer && !sum(answer, ['SENDING']) ? answer : (event ?? data?.publication);
  if (!publication) return null;
  const sent = sum(publication, ['SENT']);
  const failed = sum(publication, ['DEAD']);
  const total = sum(publication, ['SENT', 'DEAD', 'PENDING', 'SENDING', 'RETRYING']);
  const expected = data?.publication?.audience;
  const isForNobody = total === 0 && expected?.every(({ count }) => count === 0);
  const isStopped = publication.stoppedAt !== null && !sum(publication, ['SENDING']);
  const isDone = isStopped || isForNobody || (publication.fannedOutAt !== null && sent + failed === total);
  return (
    <section className={styles.progress} aria-label="Notifications" aria-live="polite">
      <h2>{describe(publication, isDone, sent, total)}</h2>
      {!isDone && (
        <>
          <progress aria-label="Sent" max={total || 1} value={sent} />
          {mayStop && !publication.stoppedAt && (
            <Button look="danger" disabled={stop.isPending} onClick={() => stop.mutate({ pageId, id: publicationId })}>
              Stop the messages
            </Button>
          )}
        </>
      )}
      <FormError>{stop.error?.message}</FormError>
      {failed > 0 && <p>{formatCount(failed)} could not be delivered. The list of deliveries says why.</p>}
      {isDone && sent > 0 && <p>{listChannels(session, publication)}</p>}
    </section>
  );
}

export const sum = ({ counts }: Pick<NumbersFragment, 'counts'>, states: DeliveryState[]): number =>
  counts.filter(({ state }) => states.includes(state)).reduce((total, { count }) => total + count, 0);

function describe({ heldUntil, stoppedAt }: NumbersFragment, isDone: boolean, sent: number, total: number): ReactNode {
  if (stoppedAt && !isDone) return 'Stopping: some messages are on their way';
  if (stoppedAt) return `Stopped: ${formatCount(sent)} had been sent`;
  if (isDone && total === 0) return 'Published. Nobody is notified.';
  if (isDone) return `Done: ${formatCount(sent)} of ${formatCount(total)} sent`;
  if (!sent && heldUntil && Date.parse(heldUntil) > Date.now()) return <Held until={heldUntil} />;
  return total ? `Sending: ${formatCount(sent)} of ${formatCount(total)}` : 'Sending …';
}

/** A timer is not a live region: it would be read out every second. */
function Held({ until }: { until: string }) {
  const seconds = Math.max(1, Math.ceil((Date.parse(until) - useNow(1_000)) / 1_000));
  return (
    <>
      Published. The messages leave in <span role="timer">{`${seconds} s`}</span>.
    </>
  );
}

const listChannels = (session: Session, { counts }: NumbersFragment): string =>
  counts
    .filter(({ state }) => state === 'SENT')
    .map(({ channel, count }) => `${session.describeChannel(channel).label} ${formatCount(count)}`)
    .join(' · ');
