import type { Database } from '../../db/database.js';
import { poll } from '../../db/poll.js';
import { composeReportMail } from '../../notifications/messages/report-mail.js';
import { publicUrlSql } from '../../pages/public-url.js';
import { findLastMonth, timeZones } from '../../pages/time-zones.js';
import { pageOwnersSql } from '../../people/page-owners.js';
import { readMonthReports } from './load-reports.js';

/** Throws if the mail could not be sent. */
export type SendReport = (mail: ReturnType<typeof composeReportMail>) => Promise<void>;

/** Seconds until the next attempt, after the first, the second, ..., until a mail is given up. */
const retryDelays = [60, 300, 1_800, 7_200, 18_000, 36_000, 86_400];

interface DueReport {
  id: string;
  month: string;
}

interface TakenMail {
  personId: number;
  attempts: number;
  name: string;
  address: string;
  /** Null: the person is no owner any more, or the page wants no reports any more. */
  to: string | null;
}

/**
 * One statement, so that of several processes one plans the mails of a month. $1 and $2 are the names of the time zones
 * and the last month of each.
 */
const planSql = `
  with due as (
    update page p set reported_month = z.month from unnest($1::text[], $2::text[]) z (name, month)
    where p.timezone = z.name and p.send_monthly_report and p.reported_month < z.month
    returning p.id, z.month
  )
  insert into month_report_mail (page_id, month, person_id, due_at)
  select due.id, due.month, person.id, $3
  from due cross join lateral (${pageOwnersSql('due.id')}) owner join person on lower(person.email) = owner.email
  on conflict do nothing`;

/** Those that failed are due later, so that they hold up no others. */
const dueSql = `
  select page_id as id, month from month_report_mail where due_at <= $1
  group by page_id, month order by min(due_at) limit 100`;

/** Deleted before they are sent: of several processes one sends a mail, and a crash loses those of a page at most. */
const takeSql = `
  with taken as (
    delete from month_report_mail where page_id = $1 and month = $2 and due_at <= $3 returning person_id, attempts
  )
  select taken.person_id as "personId", taken.attempts, p.name, ${publicUrlSql('p.id')} as address, owner.email as "to"
  from taken join page p on p.id = $1 join person on person.id = taken.person_id
    left join (${pageOwnersSql('$1')}) owner on owner.email = lower(person.email) and p.send_monthly_report
  order by taken.person_id`;

const retrySql = `
  insert into month_report_mail (page_id, month, person_id, attempts, due_at)
  select p.id, $2, person.id, $4, $5 from page p, person where p.id = $1 and person.id = $3`;

/**
 * Mails the report of the last month to each owner of each page that wants it, at most once. Returns the number of
 * mails.
 */
export async function mailMonthReports(
  database: Database,
  consoleOrigin: string,
  send: SendReport,
  now = new Date(),
): Promise<number> {
  const names = timeZones.map(({ name }) => name);
  await database.query(planSql, [names, timeZones.map(({ zone }) => findLastMonth(zone, now)), now]);
  const failures: unknown[] = [];
  let count = 0;
  for (const due of await database.query<DueReport>(dueSql, [now]))
    try {
      const results = await mailReport(database, consoleOrigin, send, now, due);
      const failed = results.filter(result => result.status === 'rejected');
      failures.push(...failed.map(({ reason }) => reason));
      count += results.length - failed.length;
    } catch (error) {
      failures.push(error);
    }
  if (failures.length) throw failures[0];
  return count;
}

async function mailReport(
  database: Database,
  consoleOrigin: string,
  send: SendReport,
  now: Date,
  { id, month }: DueReport,
): Promise<PromiseSettledResult<void>[]> {
  // Before the mails are taken, since it may fail.
  const report = (await readMonthReports(database.read, id, { month, count: 1 }))?.[0];
  if (!report) return [];
  const url = `${consoleOrigin}/console/pages/${id}/reports?month=${month}`;
  const mailOne = async ({ personId, attempts, to, ...page }: TakenMail & { to: string }) => {
    try {
      await send(composeReportMail(to, page, report, url));
    } catch (error) {
      const delay = retryDelays[attempts];
      const dueAt = delay && new Date(now.getTime() + delay * 1000);
      if (dueAt) await database.query(retrySql, [id, month, personId, attempts + 1, dueAt]);
      throw error;
    }
  };
  const taken = await database.query<TakenMail>(takeSql, [id, month, now]);
  return Promise.allSettled(taken.filter(isWanted).map(mailOne));
}

const isWanted = (mail: TakenMail): mail is TakenMail & { to: string } => mail.to !== null;

const pollIntervalMs = 60_000;

export const startMonthReports = (database: Database, consoleOrigin: string, send: SendReport): (() => Promise<void>) =>
  poll(
    () => mailMonthReports(database, consoleOrigin, send),
    pollIntervalMs,
    'reports of months could not be sent',
    database.log,
  );
