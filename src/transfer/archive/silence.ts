import { reminderHoursSql } from '../../pages/reminder.js';
import { openDeadlineSql } from '../../notices/next-update/deadline.automation.js';
import { skipStaleRemindersSql } from '../../notices/next-update/stale.automation.js';

const leadSql = `${reminderHoursSql('coalesce(n.reminder, p.reminder)')} * interval '1 hour'`;

/**
 * What was due before the import happens without messages: its recipients have heard of it from the installation that
 * the archive comes from. What is due later happens here as it would have there.
 */
export const silenceSql: readonly string[] = [
  // Their states change at once. An end that is yet to come is published.
  `update notice set silent_until = clock_timestamp(),
     announced_as = case when begin_armed and begins_at <= clock_timestamp() then 'underway' else announced_as end
   where page_id = any($1) and last_should_publish
     and (begin_armed and begins_at <= clock_timestamp() or complete_armed and ends_at <= clock_timestamp())`,
  // The time of the reminder has come, and with the archive came no record that it was sent.
  `update notice n set reminder = 'none' from page p
   where p.id = n.page_id and n.page_id = any($1) and n.state = 'scheduled'
     and n.begins_at > clock_timestamp() and n.begins_at - ${leadSql} <= clock_timestamp()`,
  `update next_update_deadline set reminded_at = clock_timestamp()
   where page_id = any($1) and due_at <= clock_timestamp() and ${openDeadlineSql}`,
  skipStaleRemindersSql,
  // The installation that the archive comes from reports them.
  `update recipient_refusals set reported_at = clock_timestamp()
   where page_id = any($1) and suspended_at is not null and reported_at is null`,
  // The first report by mail is that of the present month, in any time zone.
  `update page set reported_month =
     to_char((clock_timestamp() + interval '14 hours') at time zone 'UTC' - interval '1 month', 'YYYY-MM')
   where id = any($1) and send_monthly_report`,
];
