import type { Database } from '../../db/database.js';
import { skipReasons } from './delivery.states.js';
import { chunkSize } from './fan-out.js';
import { maxRecent, restoreCtes } from './restore.js';

/** Publications that are stopped, and have deliveries to be skipped. Leases pass them over meanwhile. */
export const stoppingSql = 'select id from publication where stopped_at is not null and skipped_at is null';

/** Of a statement: each delivery is looked for in each publication of its notice, and 50,000 take half a second. */
const maxLookups = 50_000;

/**
 * Skips the next chunk of what no worker has leased of a stopped publication, once none of its messages is on its way:
 * the answer of `stopPublication` waits for those, and would wait longer beside this. Rows that somebody else has
 * locked are left out, so that nobody waits for a row and holds others; what is left over is skipped by a lease.
 *
 * The lock of the publication comes after the snapshot of the statement, which is late enough: a fan-out that starts
 * after the commit of the stop creates deliveries that are skipped from the start.
 */
export const skipSql = `
  with next as materialized (
    select id, notice_id, fanned_out_at, least($1::integer, ${maxLookups} / (
        select count(*) from (select from publication p where p.notice_id = publication.notice_id limit ${maxRecent}) p
      )) as chunk_size
    from publication where id in (${stoppingSql}) and not exists (
      select from delivery d where d.state = 'sending' and d.publication_id = publication.id
        and d.leased_until > clock_timestamp())
    order by fanned_out_at is null, id limit 1 for no key update skip locked
  ), chunk as materialized (
    select d.id from next join delivery d on d.notice_id = next.notice_id and d.publication_id = next.id
    where d.state in ('pending', 'retrying') limit (select chunk_size from next) for no key update of d skip locked
  ), ${restoreCtes('select id from chunk')}, skipped as (
    update delivery d set state = 'skipped', reason = '${skipReasons.stopped}' from chunk where d.id = chunk.id
  )
  update publication set skipped_at =
    case when next.fanned_out_at is not null and (select count(*) from chunk) < chunk_size then clock_timestamp() end
  from next where publication.id = next.id
  returning skipped_at is not null or (select count(*) from chunk) = chunk_size as "hasMore"`;

/**
 * `hasMore`: there may be more to skip. `waits`: deliveries of a stopped publication are still being created or sent.
 */
export async function skipStopped(
  database: Database,
  limit = chunkSize,
): Promise<{ hasMore: boolean; waits: boolean }> {
  if (!(await database.query(`${stoppingSql} limit 1`)).length) return { hasMore: false, waits: false };
  const [publication] = await database.query<{ hasMore: boolean }>(skipSql, [limit]);
  const hasMore = publication?.hasMore ?? false;
  return { hasMore, waits: !hasMore };
}
