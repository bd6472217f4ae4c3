import {
  DeleteSubscriberDocument,
  LiftSuspensionDocument,
  LiftSuspensionsDocument,
  SubscriberHistoryDocument,
} from '../api/documents.ts';
import { useLazyRead, useWrite } from '../api/hooks.ts';
import { formatTime } from '../api/times.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/field.tsx';
import { StateLabel } from '../ui/state-label.tsx';
import styles from '../ui/list.module.css';

/** One subscriber: what was sent, and what the server at the other end said. */
export function SubscriberDialog({ pageId, id, onClose }: { pageId: string; id: string; onClose: () => void }) {
  const { data, error } = useLazyRead(SubscriberHistoryDocument, { pageId, id });
  const remove = useWrite(DeleteSubscriberDocument);
  const lift = useWrite(LiftSuspensionDocument);
  const liftAll = useWrite(LiftSuspensionsDocument);
  const subscriber = data?.subscriber;
  const onDelete = async () => {
    await remove.mutateAsync({ pageId, id });
    onClose();
  };
  return (
    <Dialog
      title="A subscriber"
      heading={subscriber ? (subscriber.email ?? subscriber.phoneNumber) : 'Loading …'}
      onClose={onClose}
    >
      <FormError>{error?.message ?? remove.error?.message ?? lift.error?.message ?? liftAll.error?.message}</FormError>
      {subscriber && (
        <>
          <p className={styles.quiet}>Since {formatTime(subscriber.createdAt)}</p>
          {subscriber.suspendedAt && (
            <p className={styles.status}>
              Suspended: {subscriber.suspensionReason}{' '}
              <Button onClick={() => lift.mutate({ pageId, id })}>Resume sending to this address</Button>{' '}
              <Button onClick={() => liftAll.mutate({ pageId, response: subscriber.suspensionReason })}>
                Resume sending to all with this answer
              </Button>
            </p>
          )}
          {!subscriber.deliveries.nodes.length && <p>No message was sent to this subscriber yet.</p>}
          <ul>
            {subscriber.deliveries.nodes.map(({ id: deliveryId, state, createdAt, publication, attempts }) => (
              <li key={deliveryId} className={styles.row}>
                <div className={styles.main}>
                  <span>{publication.subject}</span>
                  <small>{[formatTime(createdAt), attempts.at(-1)?.response].filter(Boolean).join(': ')}</small>
                </div>
                <StateLabel state={state} />
              </li>
            ))}
          </ul>
        </>
      )}
      <div className={styles.buttons}>
        <Button onClick={onClose}>Close</Button>
        <ConfirmButton
          label="Delete"
          question="Delete the subscriber and the history"
          onConfirm={() => void onDelete().catch(() => {})}
        />
      </div>
    </Dialog>
  );
}
