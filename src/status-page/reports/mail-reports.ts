import type { Database } from '../../db/database.js';
import { composeReportMail } from '../../notifications/messages/report-mail.js';
import { type OperatorMails, queueMailsSql } from '../../notifications/operator-mail/operator-mail.js';
import { publicUrlSql } from '../../pages/public-url.js';
import { findLastMonth, timeZones } from '../../pages/time-zones.js';
import { pageOwnersSql } from '../../people/page-owners.js';
import { readMonthReports } from './load-reports.js';

interface ReportedPage {
  name: string;
  address: string;
  owners: string[];
}

/** $2 and $3 are the names of the time zones and the last month of each. */
const planSql = `
  with due as (
    update page p set reported_month = z.month from unnest($2::text[], $3::text[]) z (name, month)
    where p.timezone = z.name and p.send_monthly_report and p.reported_month < z.month
    returning p.id as page_id, z.month as record_key
  )
  ${queueMailsSql('month_report', 'due', pageOwnersSql('due.page_id'))}`;

const findSql = `
  select p.name, ${publicUrlSql('p.id')} as address, array(${pageOwnersSql('p.id')} order by 1) as owners
  from page p where p.id = $1 and p.send_monthly_report`;

/** The report of the last month, to each owner of each page that wants it, at most once. */
export const createReportMails = (
  { query, read }: Pick<Database, 'query' | 'read'>,
  consoleOrigin: string,
): OperatorMails => ({
  kind: 'month_report',
  plan(now) {
    const names = timeZones.map(({ name }) => name);
    const months = timeZones.map(({ zone }) => findLastMonth(zone, now));
    return query(planSql, [now, names, months]);
  },
  async describe(pageId, month) {
    const [page] = await query<ReportedPage>(findSql, [pageId]);
    const report = page && (await readMonthReports(read, pageId, { month, count: 1 }))?.[0];
    if (!report) return null;
    const url = `${consoleOrigin}/console/pages/${pageId}/reports?month=${month}`;
    return { people: page.owners, compose: to => composeReportMail(to, page, report, url) };
  },
});
