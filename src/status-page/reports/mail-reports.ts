import type { Database } from '../../db/database.js';
import { poll } from '../../db/poll.js';
import { composeReportMail } from '../../notifications/messages/report-mail.js';
import { publicUrlSql } from '../../pages/public-url.js';
import { findLastMonth, timeZones } from '../../pages/time-zones.js';
import { pageOwnersSql } from '../../people/page-owners.js';
import { readMonthReports } from './load-reports.js';

/** Throws if the mail could not be sent. */
export type SendReport = (mail: ReturnType<typeof composeReportMail>) => Promise<void>;

interface DueReport {
  id: string;
  month: string;
  before: string;
}

interface TakenReport {
  name: string;
  address: string;
  recipients: string[];
}

/** $1 and $2 are the names of the time zones and the last month of each. */
const dueSql = `
  select p.id, p.reported_month as before, z.month
  from unnest($1::text[], $2::text[]) z (name, month) join page p on p.timezone = z.name
  where p.send_monthly_report and p.reported_month < z.month order by p.id limit 20`;

/** Marked before the mails are sent: of several processes one sends a report, and a crash loses a mail at most. */
const takeSql = `
  update page p set reported_month = $2 where p.id = $1 and p.send_monthly_report and p.reported_month < $2
  returning p.name, ${publicUrlSql('p.id')} as address, array(${pageOwnersSql('p.id')} order by 1) as recipients`;

/** If none of its mails was sent, the next run sends it. */
const giveBackSql = 'update page set reported_month = $3 where id = $1 and reported_month = $2';

/** Mails the report of the last month to the owners of each page that wants it, once. Returns the number of mails. */
export async function mailMonthReports(
  database: Database,
  consoleOrigin: string,
  send: SendReport,
  now = new Date(),
): Promise<number> {
  const names = timeZones.map(({ name }) => name);
  const months = timeZones.map(({ zone }) => findLastMonth(zone, now));
  const failures: unknown[] = [];
  let count = 0;
  for (const due of await database.query<DueReport>(dueSql, [names, months])) {
    try {
      count += await mailReport(database, consoleOrigin, send, due);
    } catch (error) {
      failures.push(error);
      await database.query(giveBackSql, [due.id, due.month, due.before]);
    }
  }
  if (failures.length) throw failures[0];
  return count;
}

/** Throws if no mail was sent to any recipient: those who got it do not get it again. */
async function mailReport(
  database: Database,
  consoleOrigin: string,
  send: SendReport,
  { id, month }: DueReport,
): Promise<number> {
  const [taken] = await database.query<TakenReport>(takeSql, [id, month]);
  if (!taken) return 0;
  const { recipients, ...page } = taken;
  const reports = recipients.length ? await readMonthReports(database.read, id, { month, count: 1 }) : null;
  const report = reports?.[0];
  if (!report) return 0;
  const url = `${consoleOrigin}/console/pages/${id}/reports?month=${month}`;
  const sent = await Promise.allSettled(recipients.map(to => send(composeReportMail(to, page, report, url))));
  const refused = sent.filter(result => result.status === 'rejected');
  if (refused.length === recipients.length) throw refused[0]!.reason;
  return recipients.length - refused.length;
}

const pollIntervalMs = 60_000;

export const startMonthReports = (database: Database, consoleOrigin: string, send: SendReport): (() => Promise<void>) =>
  poll(
    () => mailMonthReports(database, consoleOrigin, send),
    pollIntervalMs,
    'reports of months could not be sent',
    database.log,
  );
