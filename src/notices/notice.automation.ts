import { settleStates } from '../components/component.service.js';
import type { Database } from '../db/orm.js';
import { query } from '../db/prepared.js';
import { recurring } from '../db/recurring.js';
import { type Unit, Writer } from '../db/write.js';
import { Page } from '../pages/page.entity.js';
import { Notice } from './notice.entity.js';
import { enter } from './notice.states.js';

/** What is due, by the database's clock: never early, whatever a process thinks the time is. */
const dueSql = `((n.begin_armed and n.begins_at <= clock_timestamp()) or (n.complete_armed and n.ends_at <= clock_timestamp()))`;

/**
 * Moves every planned notice whose time has come: underway at the start of its window, complete at the end, and both in order when both are past.
 * Any number of processes may call it: the page is locked, and what is due is asked again under the lock. Returns how many notices it moved.
 */
export async function moveDueNotices(database: Database): Promise<number> {
  const due = await database.query<{ id: number; page: string }>(
    `select n.id, n.page_id as page from notice n where ${dueSql} order by least(n.begins_at, n.ends_at) limit 100`,
  );
  let moved = 0;
  const failures: unknown[] = [];
  for (const { id, page } of due) {
    try {
      if (await new Writer(database).transaction(unit => move(unit, page, id))) moved += 1;
    } catch (error) {
      // One that cannot be moved must not hold up the others.
      failures.push(error);
    }
  }
  if (failures.length) throw failures[0];
  return moved;
}

async function move(unit: Unit, pageId: string, id: number): Promise<boolean> {
  const [page] = await query(unit.em, 'select 1 from page where id = $1 for no key update', [pageId]);
  const [due] = page ? await query(unit.em, `select 1 from notice n where n.id = $1 and ${dueSql}`, [id]) : [];
  if (!due) return false;
  const notice = await unit.find<Notice>([
    [Page, pageId],
    [Notice, id],
  ]);
  const before = notice.state;
  if (notice.beginArmed && notice.beginsAt! <= unit.now) {
    if (notice.state === 'scheduled') Object.assign(notice, enter('underway', notice, unit.now));
    notice.beginArmed = false;
  }
  if (notice.completeArmed && notice.endsAt! <= unit.now) {
    if (notice.state === 'underway') Object.assign(notice, enter('complete', notice, unit.now));
    notice.completeArmed = false;
  }
  if (notice.state === before) {
    // The end of a window came to a notice that was put back into scheduled by hand. Nothing moves and nobody wrote to it: its version stays.
    await unit.em.flush();
    return false;
  }
  await unit.save();
  await settleStates(unit.em, pageId);
  return true;
}

const everyMilliseconds = 250;

/** Looks again and again, until it is stopped. */
export const automate = (database: Database): (() => Promise<void>) =>
  recurring(() => moveDueNotices(database), everyMilliseconds, 'planned notices could not be moved');
