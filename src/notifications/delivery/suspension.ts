import type { EntityManager } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { type ChannelName, channels, messagesUntilSuspensionSql, suspensionRuleOf } from '../channels/registry.js';
import { maskSql } from '../failures/channel-failures.js';

/** Recipients who do not accept messages are suspended, by the rule of their channel: their deliveries are skipped. */

type Definition = (typeof channels)[number];

const isOnSql = (channelSql: string, test: (channel: Definition) => boolean): string =>
  `${channelSql} in (${channels
    .filter(test)
    .map(({ name }) => `'${name}'`)
    .join(', ')})`;

/** SQL: whether the recipient of delivery `d` is deleted by outcome `o`. */
const isEndedSql = `(o.is_gone and ${isOnSql('d.channel', channel => 'endsWhenGone' in channel)})`;

/** SQL: whether outcome `o` of delivery `d` counts for a suspension. A message that is tried again does not. */
const countsSql = `(not ${isEndedSql} and (o.is_gone or o.outcome <> 'sent' and o.retry_seconds is null
  and ${isOnSql('d.channel', channel => suspensionRuleOf(channel).counts === 'unaccepted')}))`;

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

/**
 * SQL: whether a suspended recipient `rr` gets the next message all the same, since the address may exist again: a week
 * after it was suspended, and then a month after each refusal. Programs and browsers end their suspension themselves.
 */
const isProbedSql = `(${isOnSql('rr.channel', channel => suspensionRuleOf(channel).counts === 'gone')}
  and rr.refused_at < clock_timestamp() - case when rr.count > ${messagesUntilSuspensionSql('rr.channel')}
    then interval '30 days' else interval '7 days' end)`;

export const isSuspendedSql = (recipient: RecipientColumns): string =>
  `exists (select 1 ${suspensionSql(recipient)} and not ${isProbedSql})`;

/**
 * Common table expressions of the statement that records the outcomes of attempts. A recipient who accepts a message
 * begins anew. A batch can have several outcomes of one recipient, of which an acceptance counts, and an end more than
 * a refusal: a row about a recipient that the statement deletes would break its foreign key. An acceptance says nothing
 * about an address whose last mail was accepted and bounced later: it begins anew when a mail since then has not.
 */
export const countRefusalsSql = `
  ended as (
    delete from webhook w using outcomes o, delivery d
    where d.id = o.id and w.id = d.webhook_id and ${isEndedSql}
    returning w.id
  ), accepted as (
    delete from recipient_refusals rr using outcomes o, delivery d
    where o.outcome = 'sent' and d.id = o.id and rr.page_id = d.page_id and rr.channel = d.channel
      and coalesce(rr.subscriber_id, 0) = coalesce(d.subscriber_id, 0)
      and coalesce(rr.webhook_id, 0) = coalesce(d.webhook_id, 0)
      and (not rr.is_bounce or exists (
        select from delivery later where later.subscriber_id = rr.subscriber_id and later.channel = rr.channel
          and later.state = 'sent' and later.sent_at between rr.refused_at and clock_timestamp() - interval '1 day'))
  ), unaccepted as (
    insert into recipient_refusals
      (page_id, channel, subscriber_id, webhook_id, address, count, response, suspended_at, is_bounce)
    select d.page_id, d.channel, d.subscriber_id, d.webhook_id, (array_agg(d.address order by d.id desc))[1], count(*),
      (array_agg(o.response order by d.id desc))[1],
      case when count(*) >= ${messagesUntilSuspensionSql('d.channel')} then clock_timestamp() end,
      bool_or(o.is_bounce)
    from outcomes o join delivery d on d.id = o.id
    where ${countsSql}
      and (d.subscriber_id is null or exists (select 1 from subscriber s where s.id = d.subscriber_id))
      and (d.webhook_id is null or exists (select 1 from webhook w where w.id = d.webhook_id)
        and d.webhook_id not in (select id from ended))
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
          or recipient_refusals.count + excluded.count >= ${messagesUntilSuspensionSql('excluded.channel')}
          then coalesce(recipient_refusals.suspended_at, clock_timestamp()) end,
      reported_at = case when recipient_refusals.address = excluded.address then recipient_refusals.reported_at end,
      address = excluded.address, response = excluded.response, is_bounce = excluded.is_bounce,
      refused_at = clock_timestamp()
  )`;

interface Recipient {
  pageId: string;
  channel: ChannelName;
  /** Null for a channel of the page. */
  subscriberId: number | null;
}

/** Forgets the refusals of a recipient, and so lifts a suspension. Returns whether there was one. */
export async function liftSuspension(
  em: EntityManager,
  { pageId, channel, subscriberId }: Recipient,
): Promise<boolean> {
  const rows = await query<{ suspended: boolean }>(
    em,
    `delete from recipient_refusals
     where page_id = $1 and channel = $2 and coalesce(subscriber_id, 0) = coalesce($3::integer, 0)
       and webhook_id is null
     returning suspended_at is not null as suspended`,
    [pageId, channel, subscriberId],
  );
  return rows.some(({ suspended }) => suspended);
}

/** The same for all recipients of a page but webhooks, or those whose last response says the same. Returns how many. */
export async function liftSuspensions(
  em: EntityManager,
  { pageId, channel, response }: { pageId: string; channel?: ChannelName | null; response?: string | null },
): Promise<number> {
  const rows = await query(
    em,
    `delete from recipient_refusals
     where page_id = $1 and suspended_at is not null and webhook_id is null and ($2::text is null or channel = $2)
       and ($3::text is null or ${maskSql('response')} = ${maskSql('$3::text')})
     returning id`,
    [pageId, channel ?? null, response ?? null],
  );
  return rows.length;
}

/** The same of a webhook or a browser. */
export async function liftSuspensionOfWebhook(em: EntityManager, webhookId: number): Promise<boolean> {
  const rows = await query<{ suspended: boolean }>(
    em,
    'delete from recipient_refusals where webhook_id = $1 returning suspended_at is not null as suspended',
    [webhookId],
  );
  return rows.some(({ suspended }) => suspended);
}

/** The same for all addresses of subscribers who have consented again. */
export async function liftSuspensionOf(em: EntityManager, subscriberIds: readonly number[]): Promise<void> {
  if (subscriberIds.length)
    await query(em, 'delete from recipient_refusals where subscriber_id = any($1::integer[])', [subscriberIds]);
}
