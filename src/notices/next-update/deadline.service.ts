import type { Database } from '../../db/connection.js';
import { query } from '../../db/prepared-statements.js';
import type { PromiseChange } from './next-update.js';
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

const countSql = `
  select count(*)::integer as made,
    count(*) filter (where settled_at <= promised_for)::integer as "onTime",
    count(*) filter (where coalesce(settled_at, statement_timestamp()) > promised_for)::integer as late,
    count(*) filter (where settled_at is null and promised_for >= statement_timestamp())::integer as open
  from update_promise where page_id = $1
    and promised_for >= coalesce($2::timestamptz, statement_timestamp() - interval '90 days')
    and ($3::timestamptz is null or promised_for < $3::timestamptz)`;

export interface PromiseCounts {
  made: number;
  onTime: number;
  late: number;
  open: number;
}

/** How the promises of a page were kept whose time lies in the period. */
export async function countPromises(
  database: Pick<Database, 'query'>,
  pageId: string,
  from: Date | null,
  to: Date | null,
): Promise<PromiseCounts> {
  const period = [from?.toISOString() ?? null, to?.toISOString() ?? null];
  const [counts] = await database.query<PromiseCounts>(countSql, [pageId, ...period]);
  return counts!;
}
