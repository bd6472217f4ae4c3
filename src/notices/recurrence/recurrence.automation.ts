import { serviceOrigin } from '../../db/audit.js';
import type { Database } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { runEach, takeTurnsSql } from '../../db/run-each.js';
import { Page } from '../../pages/page.entity.js';
import type { Unit } from '../../records/unit.js';
import { Writer } from '../../records/writer.js';
import { planOccurrence } from './plan-occurrence.js';
import { Recurrence } from './recurrence.entity.js';
import { findEnd } from './recurrence.rules.js';
import { isNamed } from './recurrence.service.js';
import { planNext } from './start-recurrence.js';

/** SQL: when the next occurrence is due. */
export const nextOccurrenceSql = 'select min(due_at) from recurrence';

/** By the clock of the database, so that a process with a wrong clock never acts early. */
const dueSql = 'due_at <= clock_timestamp()';

/**
 * Makes notices of the occurrences that are due. Returns how many. Any number of processes may call it: each locks the
 * page and reads the recurrence again under the lock.
 */
export async function planDueOccurrences(database: Database, onItem?: () => void): Promise<number> {
  const due = await database.query<{ id: number; pageId: string }>(
    takeTurnsSql('id, page as "pageId"', `select id, page_id as page, due_at from recurrence where ${dueSql}`),
  );
  const origin = serviceOrigin('automation', 'planOccurrence');
  const planOne = ({ id, pageId }: { id: number; pageId: string }) =>
    new Writer(database, { actor: 'automation', origin }).lockingTransaction(unit => planIfDue(unit, pageId, id));
  return runEach(database.log, due, planOne, onItem);
}

async function planIfDue(unit: Unit, pageId: string, id: number): Promise<number> {
  if (!(await unit.lock(Page, pageId))) return 0;
  return planIfStillDue(unit, pageId, id);
}

/** Makes notices of all occurrences of imported pages that are due, of which nobody is notified. */
export async function planImportedOccurrences(unit: Unit, pageIds: string[]): Promise<void> {
  const dueOnes = () =>
    query<{ id: number; pageId: string }>(
      unit.em,
      `select id, page_id as "pageId" from recurrence where page_id = any($1) and ${dueSql} order by id`,
      [pageIds],
    );
  for (let due = await dueOnes(); due.length; due = await dueOnes())
    for (const { id, pageId } of due) await planIfStillDue(unit, pageId, id, false);
}

async function planIfStillDue(unit: Unit, pageId: string, id: number, notifies = true): Promise<number> {
  const [due] = await query(unit.em, `select 1 from recurrence where id = $1 and ${dueSql}`, [id]);
  if (!due) return 0;
  const recurrence = await unit.em.findOneOrFail(Recurrence, { id });
  // One that should have begun while nothing ran is left out.
  const isToCome = recurrence.nextOccurrenceAt! > unit.now;
  if (isToCome) {
    const beginsAt = recurrence.nextOccurrenceAt!;
    await planOccurrence(unit, pageId, recurrence, {
      occursAt: beginsAt,
      beginsAt,
      endsAt: findEnd(recurrence, beginsAt),
      shouldPublish: notifies && recurrence.shouldPublish,
      isAnnounced: isNamed(recurrence, beginsAt),
    });
  }
  await planNext(unit, recurrence);
  return isToCome ? 1 : 0;
}
