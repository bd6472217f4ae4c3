import { query, type RunQuery } from '../../db/prepared-statements.js';
import type { DeadlineChange } from './next-update.rules.js';
import type { Notice } from '../notice.entity.js';
import type { Unit } from '../../records/unit.js';

const recordSql = `
  with settled as (
    update next_update_deadline set settled_at = $2 where notice_id = $1 and settled_at is null
  )
  insert into next_update_deadline (page_id, notice_id, made_by, due_at)
  select $3, $1, $4, $5::timestamptz where $5::timestamptz is not null`;

/** Settles the deadline that a notice had, and records the new one, in the transaction of the update. */
export async function recordDeadline(unit: Unit, notice: Notice, change: DeadlineChange | null): Promise<void> {
  if (!change) return;
  const dueAt = change.dueAt?.toISOString() ?? null;
  await query(unit.em, recordSql, [notice.id, unit.now.toISOString(), notice.page.id, unit.actor, dueAt]);
}

const countSql = `
  select count(*)::integer as made,
    count(*) filter (where settled_at <= due_at)::integer as "onTime",
    count(*) filter (where coalesce(settled_at, statement_timestamp()) > due_at)::integer as late,
    count(*) filter (where settled_at is null and due_at >= statement_timestamp())::integer as open
  from next_update_deadline where page_id = $1
    and due_at >= coalesce($2::timestamptz, statement_timestamp() - interval '90 days')
    and ($3::timestamptz is null or due_at < $3::timestamptz)`;

interface DeadlineCounts {
  made: number;
  onTime: number;
  late: number;
  open: number;
}

/** How the deadlines of a page that lie in the period were kept. */
export async function countDeadlines(
  run: RunQuery,
  pageId: string,
  from: Date | null,
  to: Date | null,
): Promise<DeadlineCounts> {
  const period = [from?.toISOString() ?? null, to?.toISOString() ?? null];
  const [counts] = await run<DeadlineCounts>(countSql, [pageId, ...period]);
  return counts!;
}
