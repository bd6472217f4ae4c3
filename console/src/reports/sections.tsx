import { Link } from 'wouter';
import type { MonthReportQuery } from '../api/documents.ts';
import { formatDuration, formatTime } from '../api/times.ts';
import { Section } from '../layout/screen.tsx';
import styles from './reports.module.css';

type MonthReport = NonNullable<NonNullable<MonthReportQuery['page']>['monthReports']>[number];
type ReportedNotice = MonthReport['notices'][number];

/** Rounded down, so that 100 % means no outage. */
const formatShare = (share: number): string => `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`;
const formatSeconds = (seconds: number): string => (seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000));

/** What the report says: its figures, the uptime of components, and its notices. */
export function ReportSections({ pageId, report }: { pageId: string; report: MonthReport }) {
  const { components, notices, incidentCount, maintenanceCount, nextUpdateDeadlines: deadlines } = report;
  const { medianFirstUpdateSeconds: median, longestFirstUpdateSeconds: longest } = report;
  const due = deadlines.onTime + deadlines.late;
  return (
    <>
      <dl className={styles.figures}>
        <Figure label="Incidents" value={String(incidentCount)} />
        <Figure label="Maintenance" value={String(maintenanceCount)} />
        <Figure
          label="Time to the first update"
          value={median === null ? '–' : formatSeconds(median)}
          hint={longest === null ? 'No incident began.' : `Median. The longest: ${formatSeconds(longest)}.`}
        />
        <Figure
          label="Promised updates on time"
          value={due ? `${deadlines.onTime} of ${due}` : '–'}
          hint={deadlines.open ? `${deadlines.open} not due yet.` : due ? undefined : 'None was promised.'}
        />
      </dl>
      {components.length > 0 && (
        <Section title="Uptime">
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Component</th>
                <th scope="col">Uptime</th>
                <th scope="col">Outages</th>
              </tr>
            </thead>
            <tbody>
              {components.map(({ componentId, name, groups, uptime, outageMinutes }) => (
                <tr key={componentId}>
                  <th scope="row">
                    {name}
                    {groups.length > 0 && <small>{groups.join(' › ')}</small>}
                  </th>
                  <td>{uptime === null ? 'Less than 7 days known' : formatShare(uptime)}</td>
                  <td>{outageMinutes ? formatDuration(outageMinutes * 60_000) : '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
      <Section title="Incidents and maintenance">
        {notices.length ? (
          <NoticeTable pageId={pageId} notices={notices} zone={report.timezone} />
        ) : (
          <p>Nothing was in progress in this month.</p>
        )}
        {notices.length < incidentCount + maintenanceCount && <p>The last {notices.length} are listed.</p>}
      </Section>
      <p className={styles.note}>
        Times are in the time zone of the page, {report.timezone}. Maintenance does not count in the uptime, a partial
        outage counts half, and false alarms do not count at all. The time to the first update leaves out incidents that
        were entered after their end.
      </p>
    </>
  );
}

const Figure = ({ label, value, hint }: { label: string; value: string; hint?: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <strong>{value}</strong>
      {hint && <small>{hint}</small>}
    </dd>
  </div>
);

const NoticeTable = ({ pageId, notices, zone }: { pageId: string; notices: ReportedNotice[]; zone: string }) => (
  <table className={styles.table}>
    <thead>
      <tr>
        <th scope="col">Subject</th>
        <th scope="col">Began</th>
        <th scope="col">Lasted</th>
        <th scope="col">First update after</th>
      </tr>
    </thead>
    <tbody>
      {notices.map(({ noticeId, type, subject, beganAt, endedAt, firstUpdateSeconds }) => (
        <tr key={noticeId}>
          <th scope="row">
            <Link href={`/pages/${pageId}/notices/${noticeId}`}>{subject}</Link>
            <small>{type === 'PLANNED' ? 'Maintenance' : 'Incident'}</small>
          </th>
          <td>{formatTime(beganAt, zone)}</td>
          <td>{endedAt ? formatDuration(Date.parse(endedAt) - Date.parse(beganAt)) : 'Open'}</td>
          <td>{firstUpdateSeconds === null ? '–' : formatSeconds(firstUpdateSeconds)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
