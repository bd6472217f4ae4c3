import type { EntityManager } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { push } from '../channels/push.js';
import type { ChannelName } from '../channels/registry.js';

/**
 * Recipients who refuse several messages in a row as gone are suspended: their deliveries are skipped. A webhook is
 * suspended at once: it was gone (410), or did not accept a message for 75 hours. The subscription of a browser that is
 * gone ends: its push service gives the browser another address.
 */

/** How many messages in a row a recipient must refuse as gone to be suspended. */
const refusalsUntilSuspension = 3;

interface RecipientColumns {
  pageId: string;
  channel: string;
  /** Null for a channel of the page. */
  subscriberId?: string;
  webhookId?: string;
  address: string;
}

/** SQL: the rows of a recipient who is suspended, as `rr`. All parameters are expressions. */
export const suspensionSql = ({
  pageId,
  channel,
  subscriberId = '0',
  webhookId = '0',
  address,
}: RecipientColumns): string => `
  from recipient_refusals rr
  where rr.page_id = ${pageId} and rr.channel = ${channel}
    and coalesce(rr.subscriber_id, 0) = coalesce(${subscriberId}, 0)
    and coalesce(rr.webhook_id, 0) = coalesce(${webhookId}, 0)
    and rr.suspended_at is not null and rr.address = ${address}`;

export const isSuspendedSql = (recipient: RecipientColumns): string => `exists (select 1 ${suspensionSql(recipient)})`;

/**
 * Common table expressions of the statement that records the outcomes of attempts. A recipient who accepts a message
 * begins anew; one who refuses as gone is counted, and suspended after the third time in a row. A batch can have
 * several outcomes of one recipient, of which an acceptance counts.
 */
export const countRefusalsSql = `
  ended as (
    delete from webhook w using outcomes o, delivery d
    where o.is_gone and d.id = o.id and d.channel = '${push.name}' and w.id = d.webhook_id
  ), accepted as (
    delete from recipient_refusals rr using outcomes o, delivery d
    where o.outcome = 'sent' and d.id = o.id and rr.page_id = d.page_id and rr.channel = d.channel
      and coalesce(rr.subscriber_id, 0) = coalesce(d.subscriber_id, 0)
      and coalesce(rr.webhook_id, 0) = coalesce(d.webhook_id, 0)
  ), gone as (
    insert into recipient_refusals (page_id, channel, subscriber_id, webhook_id, address, count, response, suspended_at)
    select d.page_id, d.channel, d.subscriber_id, d.webhook_id, (array_agg(d.address order by d.id desc))[1], count(*),
      (array_agg(o.response order by d.id desc))[1],
      case when count(*) >= ${refusalsUntilSuspension} or d.webhook_id is not null then clock_timestamp() end
    from outcomes o join delivery d on d.id = o.id
    where o.is_gone and d.channel <> '${push.name}'
      and (d.subscriber_id is null or exists (select 1 from subscriber s where s.id = d.subscriber_id))
      and (d.webhook_id is null or exists (select 1 from webhook w where w.id = d.webhook_id))
      and not exists (
        select 1 from outcomes other join delivery od on od.id = other.id
        where other.outcome = 'sent' and od.page_id = d.page_id and od.channel = d.channel
          and od.recipient_key = d.recipient_key)
    group by d.page_id, d.channel, d.subscriber_id, d.webhook_id
    on conflict (page_id, channel, (coalesce(subscriber_id, 0)), (coalesce(webhook_id, 0))) do update set
      count = excluded.count + case when recipient_refusals.address = excluded.address
        then recipient_refusals.count else 0 end,
      suspended_at = case
        when recipient_refusals.address <> excluded.address then excluded.suspended_at
        when excluded.suspended_at is not null
          or recipient_refusals.count + excluded.count >= ${refusalsUntilSuspension}
          then coalesce(recipient_refusals.suspended_at, clock_timestamp()) end,
      reported_at = case when recipient_refusals.address = excluded.address then recipient_refusals.reported_at end,
      address = excluded.address, response = excluded.response
  )`;

export interface Recipient {
  pageId: string;
  channel: ChannelName;
  /** Null for a channel of the page. */
  subscriberId?: number | null;
  webhookId?: number | null;
}

/** Forgets the refusals of a recipient, and so lifts a suspension. Returns whether there was one. */
export async function liftSuspension(
  em: EntityManager,
  { pageId, channel, subscriberId = null, webhookId = null }: Recipient,
): Promise<boolean> {
  const rows = await query<{ suspended: boolean }>(
    em,
    `delete from recipient_refusals
     where page_id = $1 and channel = $2 and coalesce(subscriber_id, 0) = coalesce($3::integer, 0)
       and coalesce(webhook_id, 0) = coalesce($4::integer, 0)
     returning suspended_at is not null as suspended`,
    [pageId, channel, subscriberId, webhookId],
  );
  return rows.some(({ suspended }) => suspended);
}

/** The same for all addresses of subscribers who have consented again. */
export async function liftSuspensionOf(em: EntityManager, subscriberIds: readonly number[]): Promise<void> {
  if (subscriberIds.length)
    await query(em, 'delete from recipient_refusals where subscriber_id = any($1::integer[])', [subscriberIds]);
}
