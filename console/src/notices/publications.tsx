import { Link } from 'wouter';
import {
  type DeliveryState,
  NoticePublicationsDocument,
  type NoticePublicationsQuery,
  type PublicationEvent,
} from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { formatTime } from '../api/times.ts';
import { Section } from '../layout/screen.tsx';
import { sum } from '../publishing/progress.tsx';
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

type Publication = NonNullable<NoticePublicationsQuery['publications']>['nodes'][number];

const openStates: DeliveryState[] = ['PENDING', 'SENDING', 'RETRYING'];
const isOpen = (publication: Publication): boolean =>
  publication.fannedOutAt === null || sum(publication, openStates) > 0;
const intervalMs = 2_000;

/** While messages are on their way, the numbers are read again. */
const chooseInterval = (data: NoticePublicationsQuery | undefined) =>
  data?.publications?.nodes.some(isOpen) ? intervalMs : undefined;

/** Those of a notice, the latest first. */
export function usePublications(pageId: string, noticeId: string): Publication[] {
  const variables = { pageId, id: noticeId };
  const { data } = useLazyRead(NoticePublicationsDocument, variables, { intervalMs: chooseInterval });
  return data?.publications?.nodes ?? [];
}

/** Who was notified of what, and by whom. */
export function Publications({ pageId, noticeId }: { pageId: string; noticeId: string }) {
  const publications = usePublications(pageId, noticeId);
  if (!publications.length) return null;
  return (
    <Section title="Notifications">
      <ul className={styles.publications}>
        {publications.map(publication => {
          const { id, event, createdAt, publishedBy } = publication;
          const sent = sum(publication, ['SENT']);
          const dead = sum(publication, ['DEAD']);
          const open = sum(publication, openStates);
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
              <span>by {publishedBy.label}</span>
              <span>{parts.filter(Boolean).join(', ')}</span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
