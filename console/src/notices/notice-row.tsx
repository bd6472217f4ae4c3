import { Link } from 'wouter';
import type { NoticeRowFragment } from '../api/documents.ts';
import type { SessionPage } from '../api/session.ts';
import { formatDistance, formatDuration, formatTime, useNow } from '../api/times.ts';
import { Icon } from '../ui/icon.tsx';
import { compareStates } from '../ui/state-icon.tsx';
import { StateLabel, wordOf } from '../ui/state-label.tsx';
import styles from './notice-row.module.css';

const minuteMs = 60_000;

/** How bad an incident is that is not over; null for other notices. */
const severityOf = ({ worstImpact, endedAt }: NoticeRowFragment): string | null => (endedAt ? null : worstImpact);

/** Open incidents first, the worst of them first; otherwise as it is. */
export const bySeverity = (one: NoticeRowFragment, other: NoticeRowFragment): number =>
  compareStates(severityOf(one) ?? 'OPERATIONAL', severityOf(other) ?? 'OPERATIONAL');

/** A notice in a list: how bad it is, and how long nobody has said anything about it. */
export function NoticeRow({ notice, page }: { notice: NoticeRowFragment; page?: SessionPage }) {
  const { id, subject, state, affectedComponents } = notice;
  const severity = severityOf(notice);
  const names = affectedComponents.map(({ component }) => component.name);
  return (
    <li className={styles.row}>
      <Link href={`/pages/${page?.id}/notices/${id}`} className={styles.link}>
        <span className={styles.subject}>{subject}</span>
        <span className={styles.state}>
          <StateLabel state={severity ?? state ?? 'GENERAL'} />
          {severity && <span className={styles.phase}>{wordOf(state!)}</span>}
        </span>
        <span className={styles.about}>
          {[page?.name, names.length > 3 ? `${names.length} components` : names.join(', ')].filter(Boolean).join(' · ')}
          {severity && <OpenFor notice={notice} />}
        </span>
        <span className={styles.time}>
          <NoticeTime notice={notice} />
        </span>
      </Link>
    </li>
  );
}

/** Since when it is open, and who takes care of it. */
function OpenFor({ notice: { beganAt, createdAt, owner } }: { notice: NoticeRowFragment }) {
  const now = useNow();
  const since = beganAt ?? createdAt;
  return (
    <span className={styles.open}>
      Since {formatTime(since)} ({formatDuration(now - Date.parse(since))}) ·{' '}
      {owner ? `Owner: ${owner}` : <strong>No owner</strong>}
    </span>
  );
}

function NoticeTime({ notice }: { notice: NoticeRowFragment }) {
  const now = useNow();
  if (notice.__typename === 'PlannedNotice' && notice.state !== 'UNDERWAY') {
    if (notice.state !== 'SCHEDULED') return formatTime(notice.endedAt ?? notice.endsAt);
    const isLate = Date.parse(notice.beginsAt) < now && !notice.shouldAutomateSchedule;
    return (
      <>
        {formatTime(notice.beginsAt)},{' '}
        {isLate ? <strong>should have begun</strong> : formatDistance(notice.beginsAt, now)}
      </>
    );
  }
  const isStale = notice.staleAt !== null && Date.parse(notice.staleAt) <= now;
  if (notice.__typename === 'PlannedNotice')
    return isStale ? (
      <strong>should have ended {formatDistance(notice.endsAt, now)}</strong>
    ) : (
      `ends ${formatDistance(notice.endsAt, now)}`
    );
  if (notice.endedAt) return formatTime(notice.endedAt);
  const since = notice.latestUpdate?.postedAt ?? notice.createdAt;
  return <Silence notice={notice} since={since} isStale={isStale} now={now} />;
}

interface SilenceProps {
  notice: NoticeRowFragment;
  since: string;
  isStale: boolean;
  now: number;
}

/**
 * Minutes since the last update: amber from 30, red from 60, and when the next one is overdue or the page says so.
 */
function Silence({ notice: { nextUpdateBy, worstImpact }, since, isStale, now }: SilenceProps) {
  const minutes = (now - Date.parse(since)) / minuteMs;
  const isDue = nextUpdateBy !== null && Date.parse(nextUpdateBy) <= now;
  const urgency = isDue || isStale || minutes >= 60 ? styles.red : minutes >= 30 ? styles.amber : styles.calm;
  return (
    <span className={urgency}>
      <Icon name="clock" size={16} />{' '}
      {minutes < 1 ? 'Updated just now' : `No update for ${formatDuration(now - Date.parse(since))}`}
      {isStale && ', the page says so'}
      {nextUpdateBy &&
        (isDue ? `, due ${formatDistance(nextUpdateBy, now)}` : `, next ${formatDistance(nextUpdateBy, now)}`)}
      {worstImpact && !nextUpdateBy && ', no next update announced'}
    </span>
  );
}
