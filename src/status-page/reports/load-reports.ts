import { setImmediate } from 'node:timers/promises';
import { badRequest } from '../../core/errors.js';
import type { RunRead } from '../../db/prepared-statements.js';
import { findZone } from '../../pages/time-zones.js';
import { noticeUrlSql } from '../../pages/public-url.js';
import type { PageMonthReport } from './month-report.resolver.js';
import type { ReadMonthReports, ReportLimit, ReportPeriod } from './report-period.js';
import { monthRange } from '../view/days.js';
import { toMonth } from '../view/months.js';
import { deadlinesJson, firstUpdateSql, historyJson, jsonRows, toHistory, wasLiveSql } from '../view/notice-sql.js';
import { formatTimes } from '../view/snapshot-times.js';
import { buildMonthReport, estimateReport, listMonths, type ReportSource } from './month-report.js';

/** The newest count, if there are more. */
const maxBegun = 10_000;

const zoneSql = 'select p.timezone as body from page p where p.id = $1';

/** All of a period that reports need, at one moment: $2 and $3 are its bounds. */
const sourceSql = `
select row_to_json(s)::text as body from (
  select statement_timestamp() as "readAt",
    ${jsonRows(
      'c.id, c.parent_id as "parentId", c.name, c.position, c.created_at as "createdAt"',
      'component c where c.page_id = p.id',
      'r.position, r.id',
    )} as components,
    ${historyJson('n.began_at < $3::timestamptz and n.ended_at >= $2::timestamptz')} as history,
    ${jsonRows(
      `n.id, n.type, n.subject, ${noticeUrlSql({ page: 'p.id', path: 'n.path' })} as link, n.began_at as "beganAt",
        n.ended_at as "endedAt", ${firstUpdateSql('n')} as "firstUpdateAt",
        ${wasLiveSql('n')} as "wasLive"`,
      `notice n where n.page_id = p.id and n.type <> 'general' and n.state <> 'false_alarm'
        and n.began_at < $3::timestamptz and (n.ended_at is null or n.ended_at >= $2::timestamptz)
        order by n.began_at desc, n.id desc limit ${maxBegun}`,
      'r."beganAt" desc, r.id desc',
    )} as begun,
    ${deadlinesJson} as deadlines
  from page p where p.id = $1) s`;

type Row = Pick<ReportSource, 'components' | 'begun' | 'deadlines'> & {
  readAt: string;
  history: Parameters<typeof toHistory>[0];
};

/** Reads reports in two statements, however many months there are: the first finds the time zone. */
export const readMonthReports: ReadMonthReports = async (read, pageId, period, limit) => {
  // An earlier one of the response had no room: nothing more is read.
  if (limit) checkRoom(limit);
  const page = await read(zoneSql, [pageId]);
  return page && readReportsInZone(read, pageId, findZone(page.body), period, limit);
};

/** Refuses reports that a response has no room for, before they are computed. */
function takeRoom(limit: ReportLimit, components: ReportSource['components'], monthCount: number): void {
  limit.left -= monthCount * estimateReport(components);
  checkRoom(limit);
}

function checkRoom({ left }: ReportLimit): void {
  if (left < 0) throw badRequest('The reports are too long. Ask for fewer months, or for fewer pages at once.');
}

async function readReportsInZone(
  read: RunRead,
  pageId: string,
  zone: string,
  { month, count }: ReportPeriod,
  limit?: ReportLimit,
): Promise<PageMonthReport[] | null> {
  const months = listMonths(month ?? toMonth(new Date(), zone), count);
  const { from } = monthRange(months.at(-1)!, zone);
  const { to } = monthRange(months[0]!, zone);
  const row = await read(sourceSql, [pageId, from, to]);
  if (!row) return null;
  const { readAt, history, ...records } = JSON.parse(row.body) as Row;
  if (limit) takeRoom(limit, records.components, months.length);
  for (const record of [...records.components, ...records.begun, ...records.deadlines]) formatTimes(record);
  const { notices, periods, completeSince } = toHistory(history);
  const source: ReportSource = { ...records, page: { zone }, notices, periods, completeSince, now: new Date(readAt) };
  const reports: PageMonthReport[] = [];
  for (const one of months) {
    reports.push(buildMonthReport(source, one));
    // Others are answered in between: a month of a thousand components takes a tenth of a second.
    await setImmediate();
  }
  return reports;
}
