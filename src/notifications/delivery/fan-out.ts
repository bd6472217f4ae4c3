import type { Database } from '../../db/database.js';
import { pageRecipientsSql, subscriberRecipientsSql } from './audience.js';
import { skipReasons } from './delivery.states.js';
import { messageIdSql } from './message-id.js';
import { supersedesSql } from './supersede.js';
import { targetSql } from './target.js';

/** Subscribers per statement: some tenths of a second of the database, so that other statements run in between. */
export const chunkSize = 1_000;
/** Of a notice, to one recipient. What is beyond is skipped when it is leased. */
const maxUnsent = 100;

/**
 * Creates the deliveries of one publication, or of the next chunk of its subscribers. It is idempotent (on conflict do
 * nothing), so that another worker can continue after a crash. Pages take turns, each with a chunk: $1 is the one that
 * had the last turn, so that hundreds of publications of a page delay those of others by one of them. Of a page, those
 * that were not started go first: ten subscribers do not wait for 50,000. A new delivery supersedes the unsent
 * deliveries of earlier publications of the same notice to the same recipient, since its message contains theirs. A
 * suspended recipient gets a delivery that is skipped, so that the ledger says so; so does everybody of a stopped
 * publication. `stopped_at` is read under the lock, since the snapshot of the statement may be older than the stop. A
 * correction waits until what it corrects has all its deliveries; it supersedes those alone, and only another
 * correction supersedes it. Of a notice, each waits until the earlier ones have all their deliveries, whether these are
 * held, between two chunks or locked by another worker: only then it is known who was notified earlier. None waits
 * for one that is stopped, which does not count as earlier; its chunks before the stop are committed.
 *
 * Plan: the limit in `unsent` makes it look up those of each recipient, and all columns of delivery_open_index are
 * compared: a notice can have thousands of earlier publications. Statistics of a time when all had been sent say that
 * none is pending, and the plan compared each pending delivery of the notice with each that was created: 26 s for a
 * chunk after 10,000 others. An array finds those to update by the primary key: a join read all of that index for each.
 */
export const fanOutSql = `
  with first as materialized (
    select notice_id, min(id) as id from publication
    where fanned_out_at is null and stopped_at is null group by notice_id
  ), next as materialized (
    select id, case when stopped_at is not null then '${skipReasons.stopped}' end as reason from publication
    where fanned_out_at is null and (held_until is null or held_until <= clock_timestamp() or stopped_at is not null)
      and not exists (
        select 1 from publication wrong where wrong.id = any(publication.corrects) and wrong.fanned_out_at is null)
      and not exists (select 1 from first where first.notice_id = publication.notice_id and first.id < publication.id)
    order by page_id <= $1, page_id, fanned_out_through > 0, id limit 1 for no key update skip locked
  ), pub as materialized (
    select pub.* from publication pub join next on next.id = pub.id
  ), chunk as materialized (
    select s.* from pub join subscriber s on s.page_id = pub.page_id and s.id > pub.fanned_out_through
    order by s.id limit ${chunkSize}
  ), created as (
    insert into delivery (
      page_id, publication_id, notice_id, channel, recipient_key, subscriber_id, webhook_id, address, message_id,
      created_at, queued_at, due_at, notified_earlier, is_untrusted, state, reason)
    select pub.page_id, pub.id, pub.notice_id, r.channel, r.recipient_key, r.subscriber_id, r.webhook_id, r.address,
      ${messageIdSql}, at, at, at, r.notified_earlier, r.is_untrusted,
      case when coalesce(r.reason, next.reason) is null then 'pending' else 'skipped' end,
      coalesce(r.reason, next.reason)
    from next cross join pub cross join clock_timestamp() at cross join (
      ${subscriberRecipientsSql('chunk s')} union all
      select * from (${pageRecipientsSql}) of_page where (select fanned_out_through from pub) = 0
    ) r where r.reason is null or r.reason = '${skipReasons.suspended}'
    on conflict do nothing returning page_id, channel, recipient_key, subscriber_id, webhook_id, state
  ), unsent as materialized (
    select unsent.id from pub join created on created.state = 'pending'
      cross join lateral (
        select d.id, d.publication_id from delivery d
        where d.notice_id = pub.notice_id and d.channel = created.channel and d.recipient_key = created.recipient_key
          and d.state in ('pending', 'retrying') and d.publication_id < pub.id limit ${maxUnsent}
      ) unsent
      cross join lateral (select * from publication where id = unsent.publication_id limit 1) earlier
    where ${supersedesSql({ later: 'pub', earlier: 'earlier', channelSql: 'created.channel' })}
  ), superseded as (
    update delivery old set state = 'skipped', reason = '${skipReasons.superseded}'
    where old.id = any(array(select id from unsent))
      -- Checked again where another session has changed the row meanwhile: it may be in flight.
      and old.state in ('pending', 'retrying')
  )
  update publication set
    fanned_out_through = coalesce((select max(id) from chunk), publication.fanned_out_through),
    fanned_out_at = case when (select count(*) from chunk) < ${chunkSize} then clock_timestamp() end
  from next where publication.id = next.id
  returning publication.page_id as "pageId",
    array(select distinct ${targetSql('created')} from created where created.state = 'pending') as targets`;

/** The page whose turn is next. Planning `fanOutSql` takes longer than most writes, each of which wakes the worker. */
const nextPageSql = `
  select page_id as "pageId" from publication where fanned_out_at is null order by page_id <= $1, page_id limit 1`;

interface FannedOut {
  /** Of the deliveries that were created; null when no publication needed any. */
  targets: string[] | null;
  /** Whether a publication is held, or waits for another. */
  waits: boolean;
}

/** Whose turn is over, whether its statement succeeded or not: one page must not keep others from their turns. */
export interface FanOutTurn {
  lastPageId: string;
}

/** Creates deliveries, of the page whose turn is after that of the last one. */
export async function fanOutNext(database: Database, turn: FanOutTurn = { lastPageId: '' }): Promise<FannedOut> {
  const { lastPageId } = turn;
  const [next] = await database.query<{ pageId: string }>(nextPageSql, [lastPageId]);
  if (!next) return { targets: null, waits: false };
  turn.lastPageId = next.pageId;
  const [publication] = await database.query<{ targets: string[]; pageId: string }>(fanOutSql, [lastPageId]);
  turn.lastPageId = publication?.pageId ?? lastPageId;
  return { targets: publication?.targets ?? null, waits: !publication };
}
