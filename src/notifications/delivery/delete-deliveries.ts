import type { EntityManager } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';

/**
 * CTEs that delete the deliveries in the CTE `doomed` with their attempts, and add them to the counts of their
 * publications. The counts are locked in one order, so that two statements cannot wait for each other.
 */
export const deleteDeliveriesCtes = `
  counted as (
    insert into deleted_delivery_count as stored (publication_id, channel, state, reason, "count")
    select publication_id, channel, state, coalesce(reason, ''), count(*) from doomed
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (publication_id, channel, state, reason) do update set "count" = stored."count" + excluded."count"
  ), deleted_attempts as (
    delete from attempt where delivery_id in (select id from doomed) returning 1
  ), deleted as (
    delete from delivery where id in (select id from doomed)
  )`;

export const finishedStates = `('sent', 'skipped', 'dead')`;
/** Nothing is sent of the delivery `d` any more, and its publication `pub` creates none again. */
const isFinishedSql = `d.state in ${finishedStates} and pub.fanned_out_at is not null`;
const isOldSql = (days: string) => `created_at < clock_timestamp() - ${days} * interval '1 day'`;

export const countOldDeliveriesSql = `
  select count(*)::integer as count from delivery d join publication pub on pub.id = d.publication_id
  where d.${isOldSql('$1')} and ${isFinishedSql}`;

/**
 * Ids have the order of creation: the oldest deliveries are the first of the primary key, and at most one batch
 * without an old one is read. A delivery that is resent meanwhile is locked, and left out.
 */
const deleteOldSql = `
  with oldest as materialized (
    select id, ${isOldSql('$2')} as is_old from delivery where id > $1 order by id limit $3::integer
  ), doomed as materialized (
    select d.id, d.publication_id, d.channel, d.state, d.reason
    from oldest join delivery d on d.id = oldest.id join publication pub on pub.id = d.publication_id
    where oldest.is_old and ${isFinishedSql} for update of d skip locked
  ), ${deleteDeliveriesCtes}
  select (select count(*) from doomed)::integer as count, (select max(id) from oldest) as last,
    (select count(*) = $3::integer and bool_or(is_old) from oldest) as "hasMore"`;

interface DeletedBatch {
  count: number;
  /** The id of the last delivery that was read; null if there was none. */
  last: string | null;
  hasMore: boolean;
}

/** Deletes finished deliveries that are older than some days, of the next ones after an id. */
export async function deleteOldDeliveries(
  em: EntityManager,
  { after, days, limit }: { after: string; days: number; limit: number },
): Promise<DeletedBatch> {
  const [batch] = await query<DeletedBatch>(em, deleteOldSql, [after, days, limit]);
  return batch!;
}
