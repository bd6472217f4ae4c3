import type { NoticeDetailFragment } from '../api/documents.ts';
import { formatDistance, formatDuration, formatTime, useNow } from '../api/times.ts';
import { StateLabel, wordOf } from '../ui/state-label.tsx';
import styles from './notice.module.css';

/** How the notice stands, in a few lines. */
export function Facts({ notice, pageZone }: { notice: NoticeDetailFragment; pageZone: string | undefined }) {
  const now = useNow();
  const { state, beganAt, endedAt, nextUpdateBy, affectedComponents } = notice;
  const hasOutage = notice.worstImpact !== null && notice.worstImpact !== 'DEGRADED';
  return (
    <dl className={styles.facts}>
      <div>
        <dt>State</dt>
        <dd>
          <StateLabel state={state ?? 'GENERAL'} hasOutage={hasOutage} />
        </dd>
      </div>
      {notice.worstImpact && !endedAt && (
        <div>
          <dt>Impact</dt>
          <dd>
            <StateLabel state={notice.worstImpact} />
          </dd>
        </div>
      )}
      {notice.__typename === 'PlannedNotice' && (
        <div>
          <dt>Window (your time; page: {pageZone})</dt>
          <dd>
            {formatTime(notice.beginsAt)} to {formatTime(notice.endsAt)}
            {state === 'SCHEDULED' && `, ${formatDistance(notice.beginsAt, now)}`}
          </dd>
        </div>
      )}
      {beganAt && (
        <div>
          <dt>{endedAt ? 'Lasted' : 'Since'}</dt>
          <dd>
            {endedAt
              ? `${formatDuration(Date.parse(endedAt) - Date.parse(beganAt))}, until ${formatTime(endedAt)}`
              : `${formatTime(beganAt)}, ${formatDistance(beganAt, now)}`}
          </dd>
        </div>
      )}
      {nextUpdateBy && (
        <div>
          <dt>Next update due by</dt>
          <dd className={Date.parse(nextUpdateBy) <= now ? styles.due : undefined}>
            {formatTime(nextUpdateBy)}, {formatDistance(nextUpdateBy, now)}
          </dd>
        </div>
      )}
      {affectedComponents.length > 0 && (
        <div>
          <dt>Components</dt>
          <dd>
            {affectedComponents
              .map(({ component, impact }) =>
                notice.type === 'UNPLANNED' ? `${component.name} (${wordOf(impact).toLowerCase()})` : component.name,
              )
              .join(', ')}
          </dd>
        </div>
      )}
    </dl>
  );
}
