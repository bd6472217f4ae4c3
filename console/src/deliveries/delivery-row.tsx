import { Link } from 'wouter';
import type { DeliveriesQuery } from '../api/documents.ts';
import { formatTime } from '../api/times.ts';
import { Button } from '../ui/button.tsx';
import { StateLabel } from '../ui/state-label.tsx';
import styles from '../ui/list.module.css';

type Delivery = NonNullable<DeliveriesQuery['deliveries']>['nodes'][number];

const toWords = (reason: string): string => reason.toLowerCase().replaceAll('_', ' ');

interface Props {
  pageId: string;
  delivery: Delivery;
  onResend: () => void;
}

export function DeliveryRow({ pageId, delivery, onResend }: Props) {
  const { state, address, publication, createdAt, attempts, reason, isDueToEarlierMessage } = delivery;
  const reply = state === 'SENT' ? undefined : attempts.at(-1)?.response;
  return (
    <li className={styles.row}>
      <div className={styles.main}>
        <span>{address}</span>
        <small>
          <Link href={`/pages/${pageId}/notices/${publication.noticeId}`}>{publication.subject}</Link>,{' '}
          {formatTime(createdAt)}
        </small>
        {isDueToEarlierMessage && <small>chose other components, and was notified earlier</small>}
        {(reply || reason) && <small>{[reason && toWords(reason), reply].filter(Boolean).join(': ')}</small>}
      </div>
      <StateLabel state={state} />
      {state === 'DEAD' && (
        <div className={styles.buttons}>
          <Button look="quiet" onClick={onResend}>
            Resend
          </Button>
        </div>
      )}
    </li>
  );
}
