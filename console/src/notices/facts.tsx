import { type NoticeDetailFragment, UpcomingOccurrencesDocument } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { formatDistance, formatDuration, formatTime, useNow, toReadersClock } from '../api/times.ts';
import { StateLabel, wordOf } from '../ui/state-label.tsx';
import styles from './notice.module.css';

interface Props {
  pageId: string;
  notice: NoticeDetailFragment;
  pageZone: string | undefined;
}

/** How the notice stands, in a few lines. */
export function Facts({ pageId, notice, pageZone }: Props) {
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
      {'recurrenceId' in notice && notice.recurrenceId && <Repeats pageId={pageId} id={notice.recurrenceId} />}
      {beganAt && (
        <div>
          <dt>{endedAt ? 'Lasted' : 'Since'}</dt>
          <dd>
            {endedAt
              ? `${formatDuration(Date.parse(endedAt) - Date.parse(beganAt))}, until ${formatTime(endedAt)}`
              : [
                  formatTime(beganAt),
                  ...(now - Date.parse(beganAt) < 60_000 ? [] : [formatDistance(beganAt, now)]),
                ].join(', ')}
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
              .map(({ component, impact, recoveredAt }) =>
                notice.type === 'UNPLANNED'
                  ? `${component.name} (${wordOf(recoveredAt && !endedAt ? 'OPERATIONAL' : impact).toLowerCase()})`
                  : component.name,
              )
              .join(', ')}
          </dd>
        </div>
      )}
    </dl>
  );
}

/** "Every week on Saturday at 07:00, Berlin time" */
function Repeats({ pageId, id }: { pageId: string; id: string }) {
  const { data } = useLazyRead(UpcomingOccurrencesDocument, { pageId, id });
  const description = data?.upcomingOccurrences?.description;
  return (
    description && (
      <div>
        <dt>Repeats</dt>
        <dd>{toReadersClock(description)}</dd>
      </div>
    )
  );
}
