import type { Database } from '../../db/database.js';
import { idleMs, waitingMs } from '../../db/work-loop.js';
import { skipReasonSql, subscriberAddressSql } from './audience.js';
import { channels } from '../channels/registry.js';
import { skipReasons } from './delivery.states.js';
import { type LeasedDelivery, type LeaseRequest, leaseExpirySql } from './lease.js';
import { restoreCtes } from './restore.js';
import { stoppingSql } from './skip-stopped.js';
import { isMaintenanceOverSql, supersedesSql } from './supersede.js';
import { targetSql, untrustedOf } from './target.js';

/** Candidates that are read for each requested delivery, since other workers may hold some of them. */
const candidatesPerDelivery = 4;
const candidateLimitSql = `$2::integer * ${candidatesPerDelivery}`;
const freshLimitSql = `${candidateLimitSql} + (select count(*) from sending)`;

/**
 * Deliveries to webhooks and browsers that are read before those of each target are looked up: a target that failed can
 * have hundreds of thousands that wait, which are not read at each lease.
 */
export const headSize = 1_000;
/** Of one target: as many as it is sent at a time. */
const ofTarget = 2;

const lanes = channels.flatMap(({ name, recipients }) =>
  recipients === 'webhooks' ? [`('${name}', false, true)`, `('${name}', true, true)`] : [`('${name}', false, false)`],
);

const isFreshSql = `d.page_id = pages.page_id and d.channel = lanes.channel and d.is_untrusted = lanes.is_untrusted
  and d.state = 'pending'`;
const isReadySql = (target: string) =>
  `${target} not in (select name from blocked) and d.publication_id <> all(array(${stoppingSql}))`;

/**
 * SQL: CTEs of the names that are blocked, and of the lanes that are not. A lane is a channel, or its deliveries to
 * hosts that anybody may run: all of it or nothing is blocked, but for the targets of webhooks and browsers.
 */
const lanesCtes = `
  blocked as materialized (select unnest($4::text[]) as name),
  lanes as materialized (
    select * from (values ${lanes.join(', ')}) lane (channel, is_untrusted, has_targets)
    where channel not in (select name from blocked)
      and not (is_untrusted and '${untrustedOf('')}' || channel in (select name from blocked))
  )`;

/**
 * SQL: up to `limit` deliveries of each lane of the row `pages` that were never tried and are not blocked, the oldest
 * first, in terms of `lanesCtes`. Where most of the first ones of webhooks or browsers are blocked, it looks up the
 * first ones of each target, by steps through delivery_fresh_target_index.
 */
const freshSql = (limit: string): string => `
  select d.* from lanes cross join lateral (
    select d.* from delivery d
    where not lanes.has_targets and ${isFreshSql} and ${isReadySql(`lanes.channel || ':' || pages.page_id`)}
    order by d.id limit ${limit}
  ) d
  union all
  select d.* from lanes cross join lateral (
    with recursive head as materialized (
      select d.* from delivery d where ${isFreshSql} order by d.id limit ${headSize}
    ), ready as materialized (
      select d.* from head d where ${isReadySql(targetSql('d'))} order by d.id limit ${limit}
    ), found as materialized (
      select (select count(*) from head) < ${headSize} or (select count(*) from ready) >= ${limit} as is_enough
    ), targets as (
      (select d.webhook_id from delivery d where not (select is_enough from found) and ${isFreshSql}
        and d.webhook_id is not null order by d.webhook_id limit 1)
      union all
      select (
        select d.webhook_id from delivery d where ${isFreshSql} and d.webhook_id > targets.webhook_id
        order by d.webhook_id limit 1
      ) from targets where targets.webhook_id is not null
    )
    select * from ready where (select is_enough from found)
    union all
    select d.* from targets cross join lateral (
      select d.* from delivery d where ${isFreshSql} and d.webhook_id = targets.webhook_id
        and ${isReadySql(`lanes.channel || ':' || targets.webhook_id`)}
      order by d.id limit ${ofTarget}
    ) d
  ) d where lanes.has_targets`;

const isBlockedSql = (names: string) => `(d.channel = any(${names}) or ${targetSql('d')} = any(${names})
  or d.is_untrusted and '${untrustedOf('')}' || d.channel = any(${names}))`;

/** A message waits while an earlier one of its notice is being sent to the recipient, so that they arrive in order. */
const isWaitingSql = `(d.notice_id, d.channel, d.recipient_key) in
  (select sending.notice_id, sending.channel, sending.recipient_key from sending)`;

/** Publications that are looked up for a delivery, of thousands. The fan-out has superseded what was unsent. */
const maxLookups = 100;

const isSupersededSql = `exists (
  select 1 from (select one.* from publication one where one.notice_id = d.notice_id and one.id > d.publication_id
      order by one.id limit ${maxLookups}) later
    join delivery o on o.publication_id = later.id and o.channel = d.channel and o.recipient_key = d.recipient_key
  where o.state <> 'skipped' and ${supersedesSql({ later: 'later', earlier: 'pub', channelSql: 'd.channel' })})`;

/** A delivery that it had superseded is sent instead of one that is skipped for these reasons. */
const isRestoringSql = `reason in ('${skipReasons.updateDeleted}', '${skipReasons.stopped}')`;

/**
 * The latest thread of the notice on a channel of the page: when a status was deleted at the provider, the next message
 * began a new thread and the first one is gone. E-mails derive their thread from the notice.
 */
const threadSql = `case when d.subscriber_id is null then (
  select o.thread from (select id from publication where notice_id = d.notice_id order by id desc limit ${maxLookups})
      recent
    join delivery o on o.publication_id = recent.id and o.channel = d.channel and o.recipient_key = d.recipient_key
  where o.thread is not null order by recent.id desc limit 1) end`;

/**
 * Why a delivery `d` is not sent, or null. `pub` and `p` are its publication and page; `s` and `w` are null unless it
 * is to a subscriber or webhook.
 */
export const unsentReasonSql = `case
    when pub.stopped_at is not null then '${skipReasons.stopped}'
    when not exists (select 1 from notice n where n.id = d.notice_id) then '${skipReasons.noticeDeleted}'
    when pub.update_id is not null and not exists (select 1 from notice_update u where u.id = pub.update_id)
      then '${skipReasons.updateDeleted}'
    when d.subscriber_id is not null and s.id is null then '${skipReasons.subscriberDeleted}'
    when d.webhook_id is not null and w.id is null then '${skipReasons.webhookDeleted}'
    when ${isSupersededSql} or ${isMaintenanceOverSql} then '${skipReasons.superseded}'
    else coalesce(${skipReasonSql}, case
      when d.subscriber_id is not null and ${subscriberAddressSql('d.channel')} is null
        then '${skipReasons.noAddress}' end)
  end`;

/**
 * Leases the next deliveries for one worker: skips what must not be sent any more, leases the rest. In this order:
 *   class 0  deliveries whose lease expired, because their worker died: not what this one holds
 *   class 1  deliveries never tried, round-robin by page: the first of each page, then the second of each
 *   class 2  due retries, in what is left of the limit
 *
 * Terms:
 *   sending       deliveries that some worker holds; read once
 *   candidates    ids of classes 0 and 1, read without a lock; skip-stopped.ts skips those of a stopped publication.
 *                 Of what is blocked few are read: it can be all that a page has published for days
 *   picked_fresh  candidates that still qualify under the lock, since other workers lease from the same rows
 *   picked_retry  class 2
 *   recipients    the subscribers of the picked, locked: a lease skips the delivery while an unsubscription is being
 *                 written, and an unsubscription waits for the lease, so that nothing is leased after its commit
 *   publications  those of the picked, locked: `stopPublication` waits for the lease, so that nothing is leased after
 *                 its commit. A key share lock conflicts with its lock for update, and not with the fan-out's
 *   checked        the picked, each with the reason to skip it or null
 *   restorable    deliveries that are sent instead of one that is skipped, or whose correction is (restore.ts)
 *   settled        those that are leased or skipped: where a later message is skipped and restores, what is superseded
 *                 keeps its state until the next lease, which may send it
 *   lost          the attempts of class 0, whose outcome nobody knows
 *
 * Plan: the limits in candidates and picked keep the planner from reading the whole table, also where statistics are
 * missing: 1 ms with 70,000 deliveries, 80 ms without. For the same reason sending is read once, and what waits for it
 * is removed after the limit, which is larger by that count: with the statistics of a table that was small a minute
 * ago, the plan compared every delivery of a notice with every other. The clock is a subselect, which is computed once
 * and can be an index condition; a bare clock_timestamp() would be evaluated for every row.
 */
export const leaseSql = `
  with recursive clock as materialized (select clock_timestamp() as now), ${lanesCtes}, pages as (
    (select d.page_id from delivery d where d.state = 'pending' order by d.page_id limit 1)
    union all
    select (
      select d.page_id from delivery d
      where d.state = 'pending' and d.page_id > pages.page_id order by d.page_id limit 1
    ) from pages where pages.page_id is not null
  ), sending as materialized (
    select o.notice_id, o.channel, o.recipient_key from delivery o where o.state = 'sending'
  ), candidates as materialized (
    select * from (
    (select d.id, 0 as class, row_number() over (order by d.leased_until) as turn from delivery d
      where d.state = 'sending' and d.leased_until < (select now from clock) and d.id <> all($6::bigint[])
      order by d.leased_until limit ${candidateLimitSql})
    union all
    select fresh.id, 1, fresh.turn from pages cross join lateral (
      select d.id, row_number() over (order by d.id) as turn from (
        select d.* from (${freshSql(freshLimitSql)}) d order by d.id limit ${freshLimitSql}
      ) d where not ${isWaitingSql}
    ) fresh where pages.page_id is not null) candidates order by class, turn, id limit ${candidateLimitSql}
  ), picked_fresh as materialized (
    select d.*, candidates.class from candidates join delivery d on d.id = candidates.id
    where d.state = 'pending' or (d.state = 'sending' and d.leased_until < (select now from clock))
    order by candidates.class, candidates.turn, d.id limit $2::integer for update of d skip locked
  ), picked_retry as materialized (
    select d.*, 2 as class from delivery d
    where d.state = 'retrying' and d.due_at <= (select now from clock)
      and not ${isBlockedSql('$4::text[]')} and not ${isBlockedSql('$5::text[]')} and not ${isWaitingSql}
    order by d.due_at limit greatest(least($3::integer, $2::integer - (select count(*) from picked_fresh)), 0)
    for update of d skip locked
  ), picked as materialized (
    select * from (select * from picked_fresh union all select * from picked_retry) picked limit $2::integer
  ), recipients as materialized (
    select s.* from subscriber s where s.id in (select subscriber_id from picked) for share of s skip locked
  ), publications as materialized (
    select pub.* from publication pub where pub.id in (select publication_id from picked) for key share skip locked
  ), checked as materialized (
    select d.id, d.class, d.notice_id, d.channel, d.recipient_key,
      ${unsentReasonSql} as reason,
      case when d.subscriber_id is null then d.address else ${subscriberAddressSql('d.channel')} end as address,
      ${threadSql} as earlier_thread
    from picked d join publications pub on pub.id = d.publication_id join page p on p.id = d.page_id
      left join recipients s on s.id = d.subscriber_id left join webhook w on w.id = d.webhook_id
    where d.subscriber_id is null or s.id is not null
      or not exists (select 1 from subscriber present where present.id = d.subscriber_id)
  ), settled as materialized (
    select * from checked where reason is distinct from '${skipReasons.superseded}'
      or (notice_id, channel, recipient_key) not in (
        select notice_id, channel, recipient_key from checked where ${isRestoringSql})
  ), ${restoreCtes(`select id from checked where ${isRestoringSql}`)}, lost as (
    insert into attempt (delivery_id, at, outcome, response)
    select id, clock_timestamp(), 'lost', '' from settled where class = 0
  )
  update delivery d set
    state = case when j.reason is null then 'sending' else 'skipped' end, reason = j.reason,
    tries = d.tries + (j.reason is null)::integer, address = coalesce(j.address, d.address), worker = $1,
    lease = case when j.reason is null then gen_random_uuid() end,
    leased_until = case when j.reason is null then ${leaseExpirySql} end
  from settled j where d.id = j.id
  returning d.id::text, d.lease, d.page_id as "pageId", d.publication_id as "publicationId", d.channel, d.address,
    d.subscriber_id as "subscriberId", d.webhook_id as "webhookId", d.message_id as "messageId",
    j.earlier_thread as thread, d.tries, d.is_untrusted as "isUntrusted",
    extract(epoch from clock_timestamp() - d.queued_at)::float8 as "ageSeconds"`;

/** Planning `leaseSql` takes longer than most writes, each of which wakes the worker. */
const nextSql = `select case when exists (select from delivery where state = 'pending') then 0
  else extract(epoch from least(
    (select min(leased_until) from delivery where state = 'sending'),
    (select min(due_at) from delivery where state = 'retrying')) - clock_timestamp())::float8 * 1000 end as "nextInMs"`;

/**
 * `found` also counts the skipped deliveries: as long as it is not 0, more may be waiting. `nextInMs`: when another may
 * be due, as far as no notification says so.
 */
export async function leaseDeliveries(
  database: Database,
  { worker, limit, maxRetries, blocked, blockedRetries = [], held = [] }: LeaseRequest,
): Promise<{ leased: LeasedDelivery[]; found: number; nextInMs: number }> {
  const [row] = await database.query<{ nextInMs: number | null }>(nextSql);
  const nextInMs = row!.nextInMs ?? idleMs;
  if (nextInMs > 0) return { leased: [], found: 0, nextInMs };
  const rows = await database.query<LeasedDelivery & { lease: string | null }>(leaseSql, [
    worker,
    limit,
    maxRetries,
    blocked,
    blockedRetries,
    held,
  ]);
  // What is due and was not leased is blocked, or held by another worker.
  return { leased: rows.filter(({ lease }) => lease !== null), found: rows.length, nextInMs: waitingMs };
}
