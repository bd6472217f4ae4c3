import { query } from '../../db/prepared-statements.js';
import type { PromiseChange } from '../next-update.js';
import type { Notice } from '../notice.entity.js';
import type { Unit } from '../../records/writer.js';

const recordSql = `
  with settled as (
    update update_promise set settled_at = $2 where notice_id = $1 and settled_at is null
  )
  insert into update_promise (page_id, notice_id, made_by, promised_for)
  select $3, $1, $4, $5::timestamptz where $5::timestamptz is not null`;

/** Settles the promise that a notice had, and records the new one, in the transaction of the update. */
export async function recordPromise(unit: Unit, notice: Notice, promise: PromiseChange | null): Promise<void> {
  if (!promise) return;
  const promisedFor = promise.promisedFor?.toISOString() ?? null;
  await query(unit.em, recordSql, [notice.id, unit.now.toISOString(), notice.page.id, unit.actor, promisedFor]);
}
