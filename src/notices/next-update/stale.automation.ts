import { serviceOrigin } from '../../db/audit.js';
import type { Database } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { runEach, takeTurnsSql } from '../../db/run-each.js';
import { publishStaleReminder } from '../../notifications/publish.service.js';
import { Page } from '../../pages/page.entity.js';
import { authorOrOwnersSql } from '../../people/author-address.js';
import { pageOwnersSql } from '../../people/page-owners.js';
import type { Unit } from '../../records/unit.js';
import { Writer } from '../../records/writer.js';
import { Notice } from '../notice.entity.js';
import { openSql } from '../notice.states.js';
import { lastUpdateSql, staleAfterSql, staleAtSql } from './stale.rules.js';

/** The author is asked first, and the owners after the same time again. */
const maxReminders = 2;
/** The condition of a partial index. */
const candidateSql = `${openSql('n.state')} and n.stale_reminders < ${maxReminders}`;
const reminderAtSql = `(${staleAtSql('n', 'p')}) + n.stale_reminders * ${staleAfterSql('p')}`;
const fromSql = 'notice n join page p on p.id = n.page_id';

/** SQL: when the next notice without an update is to be reminded of. */
export const nextStaleSql = `select min(${reminderAtSql}) from ${fromSql} where ${candidateSql}`;

/** By the clock of the database, as what automation advances. */
const dueSql = `${candidateSql} and ${reminderAtSql} <= clock_timestamp()`;

/** SQL: leaves out the reminders of pages `$1` that are due already. */
export const skipStaleRemindersSql = `
  update notice set stale_reminders = ${maxReminders}
  where id in (select n.id from ${fromSql} where n.page_id = any($1) and ${dueSql})`;

/**
 * Asks for an update of each open notice that has had none for too long, by a mail to its author and later to the
 * owners of its page. Returns the number of reminders. Any number of processes may call it.
 */
export async function remindOfStaleNotices(database: Database, onItem?: () => void): Promise<number> {
  const due = await database.query<{ id: number; page: string }>(
    takeTurnsSql(
      'id, page',
      `select n.id, n.page_id as page, ${reminderAtSql} as due_at from ${fromSql} where ${dueSql}`,
    ),
  );
  const remindOne = async ({ id, page }: { id: number; page: string }) =>
    (await new Writer(database, { origin: serviceOrigin('automation', 'remindOfUpdate') }).transaction(unit =>
      remindIfStale(unit, page, id),
    ))
      ? 1
      : 0;
  return runEach(database.log, due, remindOne, onItem);
}

const takeSql = `
  update notice set stale_reminders = stale_reminders + 1
  where id = (select n.id from ${fromSql} where n.id = $1 and ${dueSql})
  returning stale_reminders as count, last_update_by as "updatedBy",
    extract(epoch from clock_timestamp() - ${lastUpdateSql('notice')})::float8 * 1000 as "silentMs"`;

async function remindIfStale(unit: Unit, pageId: string, id: number): Promise<boolean> {
  if (!(await unit.lock(Page, pageId))) return false;
  const [due] = await query<{ count: number; updatedBy: string | null; silentMs: number }>(unit.em, takeSql, [id]);
  if (!due) return false;
  const recipients =
    due.count === 1
      ? await query<{ email: string }>(unit.em, authorOrOwnersSql('$1', '$2'), [due.updatedBy, pageId])
      : await query<{ email: string }>(unit.em, pageOwnersSql('$1'), [pageId]);
  if (!recipients.length) return false;
  const notice = await unit.em.findOneOrFail(Notice, { id });
  const addresses = recipients.map(({ email }) => email);
  await publishStaleReminder(unit, notice, addresses, due.silentMs);
  return true;
}
