import { mailDomain } from '../../core/config.js';
import { literal } from '../../core/sql-literal.js';
import type { Database } from '../../db/connection.js';
import { pageChannelsSql, subscribersSql } from './audience.js';
import { skipReasons } from './delivery.states.js';

/** Subscribers looked at by one statement: some tenths of a second of the database, so that others get between. */
export const chunk = 5_000;

const messageIdSql = `'<' || gen_random_uuid() || ${literal(`@${mailDomain()}>`)}`;

/**
 * Makes the deliveries of one publication, or of the next chunk of its subscribers. What is done twice makes nothing twice, so that nobody needs to know how far a
 * worker came that is gone. Those that have not begun go first: ten subscribers do not wait for 50,000. A delivery of an earlier publication of the same notice
 * to the same recipient that is still to be sent is replaced by the new one, which tells all that it would have told.
 */
const spreadSql = `
  with next as materialized (
    select id from publication where spread_at is null order by spread_through > 0, id limit 1 for update skip locked
  ), pub as materialized (
    select pub.* from publication pub join next on next.id = pub.id
  ), looked as materialized (
    select s.* from pub join subscriber s on s.page_id = pub.page_id and s.id > pub.spread_through order by s.id limit ${chunk}
  ), made as (
    insert into delivery (page_id, publication_id, notice_id, channel, recipient_key, subscriber_id, address, message_id, created_at, queued_at, due_at)
    select pub.page_id, pub.id, pub.notice_id, told.channel, told.recipient_key, told.subscriber_id, told.address, ${messageIdSql}, at, at, at
    from pub cross join clock_timestamp() at cross join (
      ${subscribersSql('looked s')} union all ${pageChannelsSql} and pub.spread_through = 0
    ) told where told.reason is null
    on conflict do nothing returning channel, recipient_key
  ), replaced as (
    update delivery old set state = 'skipped', reason = '${skipReasons.superseded}' from made, pub
    where old.notice_id = pub.notice_id and old.channel = made.channel and old.recipient_key = made.recipient_key
      and old.publication_id < pub.id and old.state in ('pending', 'retrying')
  )
  update publication set
    spread_through = coalesce((select max(id) from looked), publication.spread_through),
    spread_at = case when (select count(*) from looked) < ${chunk} then clock_timestamp() end
  from next where publication.id = next.id returning publication.id`;

/** Makes deliveries; false when there was nothing to make any of. */
export async function spreadNext(database: Database): Promise<boolean> {
  return (await database.query(spreadSql)).length > 0;
}
