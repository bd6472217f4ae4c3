import { Link } from 'wouter';
import { NoticePublicationsDocument, type PublicationEvent } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { formatTime } from '../api/times.ts';
import { Section } from '../layout/screen.tsx';
import { formatCount } from '../ui/format-count.ts';
import styles from './notice.module.css';

const events: Record<PublicationEvent, string> = {
  ANNOUNCED: 'Announced',
  BEGUN: 'Begun',
  CANCELLED: 'Cancelled',
  CLOSED: 'Closed',
  CORRECTION: 'Correction',
  COMPLETED: 'Completed',
  OPENED: 'Opened',
  POSTMORTEM: 'Post-mortem',
  UPDATE_DUE: 'Update due',
  REMINDER: 'Reminder',
  SCHEDULED: 'Scheduled',
  UPDATED: 'Updated',
};

/** Who was notified of what. */
export function Publications({ pageId, noticeId }: { pageId: string; noticeId: string }) {
  const { data } = useLazyRead(NoticePublicationsDocument, { pageId, id: noticeId });
  const publications = data?.publications?.nodes ?? [];
  if (!publications.length) return null;
  return (
    <Section title="Notifications">
      <ul className={styles.publications}>
        {publications.map(({ id, event, createdAt, counts }) => {
          const sum = (states: string[]) =>
            counts.filter(({ state }) => states.includes(state)).reduce((total, { count }) => total + count, 0);
          const [sent, dead, open] = [sum(['SENT']), sum(['DEAD']), sum(['PENDING', 'SENDING', 'RETRYING'])];
          const parts = [
            `${formatCount(sent)} sent`,
            open && `${formatCount(open)} waiting`,
            dead && `${formatCount(dead)} failed`,
          ];
          return (
            <li key={id}>
              <Link href={`/pages/${pageId}/deliveries?publication=${id}`}>
                {events[event] ?? event}, {formatTime(createdAt)}
              </Link>
              <span>{parts.filter(Boolean).join(', ')}</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
