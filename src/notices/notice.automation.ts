import { settleStates } from '../components/component.service.js';
import { changes } from '../db/change-feed/committed-changes.js';
import type { Database } from '../db/connection.js';
import { query } from '../db/prepared-statements.js';
import { recurring } from '../db/poll.js';
import { type Unit, Writer } from '../records/writer.js';
import { Notice } from './notice.entity.js';
import { publish, publishReminder } from '../notifications/publish.service.js';
import { enter, type NoticeState } from './notice.states.js';
import { reminderHoursSql, reminders } from './reminder.js';

/** What is due, by the database's clock: never early, whatever a process thinks the time is. */
const dueSql = `((n.begin_armed and n.begins_at <= clock_timestamp()) or (n.complete_armed and n.ends_at <= clock_timestamp()))`;

/** Of one page, in one transaction: it is locked once for all of them, and not for longer than somebody who writes to it waits. */
const movedAtOnce = 20;

/**
 * Moves every planned notice whose time has come: underway at the start of its window, complete at the end, and both in order when both are past.
 * Any number of processes may call it: the page is locked, and what is due is asked again under the lock. Returns how many notices it moved.
 */
export async function moveDueNotices(database: Database): Promise<number> {
  const due = await database.query<{ page: string }>(
    `select n.page_id as page from notice n where ${dueSql} group by n.page_id order by min(least(n.begins_at, n.ends_at)) limit 100`,
  );
  return eachApart(due, ({ page }) => moveOfPage(database, page));
}

async function moveOfPage(database: Database, pageId: string): Promise<number> {
  const moveSome = (id?: number) =>
    new Writer(database, {}, undefined, 'automation').transaction(unit => move(unit, pageId, id));
  try {
    let all = 0;
    for (let moved = movedAtOnce; moved === movedAtOnce; all += moved) moved = await moveSome();
    return all;
  } catch {
    const due = await database.query<{ id: number }>(`select n.id from notice n where n.page_id = $1 and ${dueSql}`, [
      pageId,
    ]);
    return eachApart(due, ({ id }) => moveSome(id));
  }
}

/** Some that are due, or one. The notices are locked as well as the page: who writes an update locks its notice alone, and moves its version. */
async function move(unit: Unit, pageId: string, id: number | null = null): Promise<number> {
  const [page] = await query(unit.em, 'select 1 from page where id = $1 for no key update', [pageId]);
  if (!page) return 0;
  const due = await query<{ id: number }>(
    unit.em,
    `select n.id from notice n where n.page_id = $1 and ($2::integer is null or n.id = $2) and ${dueSql} order by least(n.begins_at, n.ends_at), n.id limit $3
     for no key update`,
    [pageId, id, movedAtOnce],
  );
  const notices = new Map(
    (await unit.em.find(Notice, { id: { $in: due.map(one => one.id) } })).map(notice => [notice.id, notice]),
  );
  let moved = 0;
  for (const one of due) if (await moveOne(unit, notices.get(one.id)!)) moved += 1;
  if (due.length) changes(unit.em, pageId);
  return moved;
}

async function moveOne(unit: Unit, notice: Notice): Promise<boolean> {
  let moved = false;
  // Each is a change of its own, and told as one.
  if (notice.beginArmed && notice.beginsAt! <= unit.now) {
    notice.beginArmed = false;
    moved = await advance(unit, notice, 'scheduled', 'underway');
  }
  if (notice.completeArmed && notice.endsAt! <= unit.now) {
    notice.completeArmed = false;
    moved = (await advance(unit, notice, 'underway', 'complete')) || moved;
  }
  // The end of a window came to a notice that was put back into scheduled by hand. Nothing moves and nobody wrote to it: its version stays.
  if (!moved) await unit.em.flush();
  return moved;
}

async function advance(unit: Unit, notice: Notice, from: NoticeState, to: NoticeState): Promise<boolean> {
  if (notice.state !== from) return false;
  const { state, beginsAt, endsAt } = notice;
  Object.assign(notice, enter(to, notice, unit.now));
  await unit.save();
  await settleStates(unit.em, notice.page.id);
  if (notice.lastShouldPublish) await publish(unit, notice, { state, beginsAt, endsAt }, null);
  return true;
}

const longestLead = Math.max(...Object.values(reminders).map(Number));
const leadSql = `${reminderHoursSql('coalesce(n.reminder, p.reminder)')} * interval '1 hour'`;

/**
 * Each is told once: since the moment of a reminder came, nothing of the notice was told, the reminder itself included. Whoever was told after that moment that
 * the maintenance is near needs none; and a window that moved, or another lead, has another moment.
 */
const reminderDueSql = `n.state = 'scheduled' and n.last_should_publish and n.begins_at > clock_timestamp()
  and n.begins_at - ${leadSql} <= clock_timestamp()
  and not exists (select 1 from publication told where told.notice_id = n.id and told.created_at >= n.begins_at - ${leadSql})`;

/** Tells what is near, as `moveDueNotices` moves what has come. Returns of how many maintenances it reminded. */
export async function remindOfDueNotices(database: Database): Promise<number> {
  const due = await database.query<{ id: number; page: string }>(
    `select n.id, n.page_id as page from notice n join page p on p.id = n.page_id
     where n.begins_at < clock_timestamp() + interval '${longestLead} hours' and ${reminderDueSql} order by n.begins_at limit 100`,
  );
  return eachApart(due, async ({ id, page }) =>
    (await new Writer(database).transaction(unit => remind(unit, page, id))) ? 1 : 0,
  );
}

async function remind(unit: Unit, pageId: string, id: number): Promise<boolean> {
  const [page] = await query(unit.em, 'select 1 from page where id = $1 for no key update', [pageId]);
  const [due] = page
    ? await query(
        unit.em,
        `select 1 from notice n join page p on p.id = n.page_id where n.id = $1 and ${reminderDueSql}`,
        [id],
      )
    : [];
  if (!due) return false;
  await publishReminder(unit, await unit.em.findOneOrFail(Notice, { id }));
  changes(unit.em, pageId);
  return true;
}

/** How many of them were done. One that cannot be done must not hold up the others. */
async function eachApart<Item>(items: readonly Item[], work: (item: Item) => Promise<number>): Promise<number> {
  let done = 0;
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      done += await work(item);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length) throw failures[0];
  return done;
}

const everyMilliseconds = 250;

/** Looks again and again, until it is stopped. */
export const automate = (database: Database): (() => Promise<void>) =>
  recurring(
    async () => {
      await moveDueNotices(database);
      await remindOfDueNotices(database);
    },
    everyMilliseconds,
    'planned notices could not be moved',
  );
