import type { Database } from '../../db/connection.js';
import type { Channel } from '../page-channels/channel-names.js';
import { addressSql, reasonSql } from './audience.js';
import type { AttemptOutcome } from './attempt.entity.js';
import { deathReasons, type DeliveryState, skipReasons } from './delivery.states.js';
import type { PublicationPicture } from '../message-snapshot.js';

/** How long a delivery belongs to a worker that does not say that it is still there. */
export const leaseMilliseconds = 5_000;
const leaseSql = `clock_timestamp() + interval '${leaseMilliseconds} milliseconds'`;

/** A delivery that a worker holds. */
export interface Claimed {
  id: string;
  lease: string;
  pageId: string;
  publicationId: number;
  channel: Channel;
  address: string;
  subscriberId: number | null;
  messageId: string;
  thread: string | null;
  tries: number;
  /** Since it was queued, by the database's clock. */
  ageSeconds: number;
}

export interface Wanted {
  worker: string;
  /** How many, at most. */
  limit: number;
  /** How many of them may have been tried before. */
  retries: number;
  /** Channels, and `<channel>:<page id>`, that nothing is to be sent to for now. */
  shut: readonly string[];
}

/** Candidates that are read for each delivery wanted, since others may hold some of them at this moment. */
const candidatesPerDelivery = 4;
const isShutSql = `(d.channel = any($4::text[]) or d.channel || ':' || d.page_id = any($4::text[]))`;
/** While an earlier message of the notice is on its way to the recipient the next one waits: they must not arrive in another order. */
const isBlockedSql = `(d.notice_id, d.channel, d.recipient_key) in (select busy.notice_id, busy.channel, busy.recipient_key from busy)`;
const isSupersededSql = `exists (select 1 from publication later join delivery o on o.publication_id = later.id and o.channel = d.channel
  and o.recipient_key = d.recipient_key where later.notice_id = d.notice_id and later.id > d.publication_id and o.state <> 'skipped')`;
/** That it begins is no news any more once its end was told, also to those who do not hear of the end. */
const isOverSql = `(pub.event = 'begun' and exists (select 1 from publication later
  where later.notice_id = d.notice_id and later.id > d.publication_id and later.event in ('completed', 'cancelled')))`;
/** Told instead of a message whose update was deleted: what that message had replaced, unless something else did too. */
const replacedSql = `select distinct on (j.id) o.id from judged j join delivery d on d.id = j.id
  join publication earlier on earlier.notice_id = d.notice_id and earlier.id < d.publication_id
  join delivery o on o.publication_id = earlier.id and o.channel = d.channel and o.recipient_key = d.recipient_key
  where j.reason = '${skipReasons.updateDeleted}' and o.state = 'skipped' and o.reason = '${skipReasons.superseded}'
    and (earlier.update_id is null or exists (select 1 from notice_update u where u.id = earlier.update_id))
    and not exists (select 1 from publication later join delivery told on told.publication_id = later.id and told.channel = d.channel
      and told.recipient_key = d.recipient_key where later.notice_id = d.notice_id and later.id > earlier.id and told.id <> d.id and told.state <> 'skipped')
  order by j.id, earlier.id desc`;
/** The latest: where a status was taken away, what followed began anew, and the thread that the first began is there no more. Mails name theirs themselves. */
const threadSql = `case when d.subscriber_id is null then (select o.thread from publication earlier join delivery o on o.publication_id = earlier.id
  and o.channel = d.channel and o.recipient_key = d.recipient_key where earlier.notice_id = d.notice_id and o.thread is not null order by earlier.id desc limit 1) end`;

/**
 * Takes what is to be sent next, each for one worker alone. In this order: what a worker left that is gone; then what was never tried, by turns of the pages, the
 * first of each page, the second of each; then, only where room is left, what failed before and is due.
 *
 * The limits on what the planner would take for thousands of rows (first, picked) keep it from reading the whole table, also where nobody has counted its rows yet:
 * 1 ms with 70,000 deliveries, and 80 without. For the same reason what is under way is read once (busy), and what it blocks is left out after the limit, which is
 * wider by as many: a plan for a table that was small a minute ago compared every delivery of a notice with every other. The clock is asked in a subselect, which is computed once and may be sought by in an index; a bare clock_timestamp() would be compared with every row.
 * Candidates are found without a lock, and asked again under it, since others take of the same. The subscribers are locked too: an unsubscription that is
 * being written is waited for until the next claim, and one that comes later waits for this one, so that nothing is claimed after it was committed. Where the
 * row is not to be had (people), the delivery stays as it is. What is not to be sent any more, for whatever reason, is skipped here and nowhere later.
 */
export const claimSql = `
  with recursive clock as materialized (select clock_timestamp() as now), pages as (
    (select d.page_id from delivery d where d.state = 'pending' order by d.page_id limit 1)
    union all
    select (select d.page_id from delivery d where d.state = 'pending' and d.page_id > pages.page_id order by d.page_id limit 1) from pages
    where pages.page_id is not null
  ), busy as materialized (
    select o.notice_id, o.channel, o.recipient_key from delivery o where o.state = 'sending'
  ), first as materialized (
    select * from (
    (select d.id, 0 as class, row_number() over (order by d.leased_until) as turn from delivery d
      where d.state = 'sending' and d.leased_until < (select now from clock) order by d.leased_until limit $2::integer * ${candidatesPerDelivery})
    union all
    select fresh.id, 1, fresh.turn from pages cross join lateral (
      select d.id, row_number() over (order by d.id) as turn from (
        select d.* from delivery d where d.page_id = pages.page_id and d.state = 'pending' and not ${isShutSql}
        order by d.id limit $2::integer * ${candidatesPerDelivery} + (select count(*) from busy)) d where not ${isBlockedSql}
    ) fresh where pages.page_id is not null) first order by class, turn, id limit $2::integer * ${candidatesPerDelivery}
  ), picked_first as materialized (
    select d.*, first.class from first join delivery d on d.id = first.id
    where d.state = 'pending' or (d.state = 'sending' and d.leased_until < (select now from clock))
    order by first.class, first.turn, d.id limit $2::integer for update of d skip locked
  ), picked_again as materialized (
    select d.*, 2 as class from delivery d where d.state = 'retrying' and d.due_at <= (select now from clock) and not ${isShutSql} and not ${isBlockedSql}
    order by d.due_at limit greatest(least($3::integer, $2::integer - (select count(*) from picked_first)), 0) for update of d skip locked
  ), picked as materialized (
    select * from (select * from picked_first union all select * from picked_again) taken limit $2::integer
  ), people as materialized (
    select s.* from subscriber s where s.id in (select subscriber_id from picked) for share of s skip locked
  ), judged as materialized (
    select d.id, d.class, case
        when not exists (select 1 from notice n where n.id = d.notice_id) then '${skipReasons.noticeDeleted}'
        when pub.update_id is not null and not exists (select 1 from notice_update u where u.id = pub.update_id) then '${skipReasons.updateDeleted}'
        when d.subscriber_id is not null and s.id is null then '${skipReasons.subscriberDeleted}'
        when ${isSupersededSql} or ${isOverSql} then '${skipReasons.superseded}'
        else coalesce(${reasonSql}, case when d.subscriber_id is not null and ${addressSql('d.channel')} is null then '${skipReasons.noAddress}' end) end as reason,
      case when d.subscriber_id is null then d.address else ${addressSql('d.channel')} end as address, ${threadSql} as earlier_thread
    from picked d join publication pub on pub.id = d.publication_id join page p on p.id = d.page_id left join people s on s.id = d.subscriber_id
    where d.subscriber_id is null or s.id is not null or not exists (select 1 from subscriber there where there.id = d.subscriber_id)
  ), replaced as (
    update delivery o set state = 'pending', reason = null, queued_at = clock_timestamp() from (${replacedSql}) again where o.id = again.id
  ), left_behind as (
    insert into attempt (delivery_id, at, outcome, answer) select id, clock_timestamp(), 'lost', '' from judged where class = 0
  )
  update delivery d set
    state = case when j.reason is null then 'sending' else 'skipped' end, reason = j.reason,
    tries = d.tries + (j.reason is null)::integer, address = coalesce(j.address, d.address), worker = $1,
    lease = case when j.reason is null then gen_random_uuid() end, leased_until = case when j.reason is null then ${leaseSql} end
  from judged j where d.id = j.id
  returning d.id::text, d.lease, d.page_id as "pageId", d.publication_id as "publicationId", d.channel, d.address, d.subscriber_id as "subscriberId",
    d.message_id as "messageId", j.earlier_thread as thread, d.tries, extract(epoch from clock_timestamp() - d.queued_at)::float8 as "ageSeconds"`;

/** `found` counts those that were skipped, too: while it is not 0 there may be more. */
export async function claim(
  database: Database,
  { worker, limit, retries, shut }: Wanted,
): Promise<{ claimed: Claimed[]; found: number }> {
  const rows = await database.query<Claimed & { lease: string | null }>(claimSql, [worker, limit, retries, shut]);
  return { claimed: rows.filter(({ lease }) => lease !== null), found: rows.length };
}

/** What is written back of a delivery. */
export interface Recorded {
  id: string;
  lease: string;
  outcome: AttemptOutcome;
  answer: string;
  /** Until the next attempt; null when there is none. */
  retrySeconds: number | null;
  thread: string | null;
}

/**
 * Writes outcomes back, each only while the worker that tells it holds the delivery: one that was taken over belongs to another. The attempt was made all the
 * same, and is told of.
 */
const recordSql = `
  with told as materialized (
    select * from unnest($1::integer[], $2::uuid[], $3::text[], $4::text[], $5::float8[], $6::text[]) told (id, lease, outcome, answer, retry, thread)
  ), written as (
    update delivery d set
      state = case when told.outcome = 'sent' then 'sent' when told.retry is null then 'dead' else 'retrying' end,
      reason = case when told.outcome = 'refused' then '${deathReasons.refused}' when told.outcome <> 'sent' and told.retry is null then '${deathReasons.gaveUp}' end,
      due_at = clock_timestamp() + coalesce(told.retry, 0) * interval '1 second', sent_at = case when told.outcome = 'sent' then clock_timestamp() end,
      thread = coalesce(told.thread, d.thread), lease = null, leased_until = null
    from told where d.id = told.id and d.lease = told.lease and d.state = 'sending'
  )
  insert into attempt (delivery_id, at, outcome, answer)
  select d.id, clock_timestamp(), told.outcome, told.answer from told join delivery d on d.id = told.id`;

export async function record(database: Database, told: readonly Recorded[]): Promise<void> {
  const column = <Name extends keyof Recorded>(name: Name) => told.map(one => one[name]);
  await database.query(recordSql, [
    column('id'),
    column('lease'),
    column('outcome'),
    column('answer'),
    column('retrySeconds'),
    column('thread'),
  ]);
}

type Held = Pick<Claimed, 'id' | 'lease'>;
const heldSql = 'from unnest($1::integer[], $2::uuid[]) held (id, lease) where d.id = held.id and d.lease = held.lease';
const idsAndLeases = (held: readonly Held[]) => [held.map(({ id }) => id), held.map(({ lease }) => lease)];

/** Says that the worker is still there. Returns the ids of those that are still its own. */
export async function renew(database: Database, held: readonly Held[]): Promise<Set<string>> {
  const rows = await database.query<{ id: string }>(
    `update delivery d set leased_until = ${leaseSql} ${heldSql} returning d.id::text`,
    idsAndLeases(held),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Gives back what was claimed and not begun. */
export async function release(database: Database, held: readonly Held[]): Promise<void> {
  const state: Record<'first' | 'later', DeliveryState> = { first: 'pending', later: 'retrying' };
  const text = `update delivery d set state = case when d.tries = 1 then '${state.first}' else '${state.later}' end, tries = d.tries - 1, lease = null, leased_until = null ${heldSql}`;
  await database.query(text, idsAndLeases(held));
}

export async function picturesOf(
  database: Database,
  publicationIds: readonly number[],
): Promise<Map<number, PublicationPicture>> {
  const rows = await database.query<{ id: number; picture: PublicationPicture }>(
    'select id, picture from publication where id = any($1::integer[])',
    [publicationIds],
  );
  return new Map(rows.map(({ id, picture }) => [id, picture]));
}
