import { serviceOrigin } from '../../db/audit.js';
import type { Database } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { publishUpdateReminder } from '../../notifications/publish.service.js';
import { Page } from '../../pages/page.entity.js';
import { authorOrOwnersSql } from '../../people/author-address.js';
import type { Unit } from '../../records/unit.js';
import { Writer } from '../../records/writer.js';
import { Notice } from '../notice.entity.js';
import { runEach, takeTurnsSql } from '../../db/run-each.js';

/** Without an update, and without a reminder. */
export const openDeadlineSql = 'settled_at is null and reminded_at is null';

/** Due by the clock of the database, as what automation advances. */
const dueSql = `due_at <= clock_timestamp() and ${openDeadlineSql}`;

/**
 * Reminds the authors of next updates that are due, once each. Returns the number of reminders. Any number of
 * processes may call it: each locks the page and reads the deadline again under the lock.
 */
export async function remindOfDueUpdates(database: Database, onItem?: () => void): Promise<number> {
  const due = await database.query<{ id: number; page: string }>(
    takeTurnsSql('id, page', `select id, page_id as page, due_at from next_update_deadline where ${dueSql}`),
  );
  const remindOne = async ({ id, page }: { id: number; page: string }) =>
    (await new Writer(database, { origin: serviceOrigin('automation', 'remindOfUpdate') }).transaction(unit =>
      remindIfDue(unit, page, id),
    ))
      ? 1
      : 0;
  return runEach(database.log, due, remindOne, onItem);
}

const takeSql = `
  select notice_id as "noticeId", made_by as "madeBy" from next_update_deadline where id = $1 and ${dueSql}`;
const markSql = 'update next_update_deadline set reminded_at = clock_timestamp() where id = $1';

async function remindIfDue(unit: Unit, pageId: string, id: number): Promise<boolean> {
  if (!(await unit.lock(Page, pageId))) return false;
  const [due] = await query<{ noticeId: number; madeBy: string }>(unit.em, takeSql, [id]);
  if (!due) return false;
  const recipients = await query<{ email: string }>(unit.em, authorOrOwnersSql('$1', '$2'), [due.madeBy, pageId]);
  const notice = await unit.em.findOneOrFail(Notice, { id: due.noticeId });
  if (recipients.length)
    await publishUpdateReminder(
      unit,
      notice,
      recipients.map(({ email }) => email),
    );
  await query(unit.em, markSql, [id]);
  return recipients.length > 0;
}
