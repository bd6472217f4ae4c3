import { setTimeout } from 'node:timers/promises';
import { query } from '../../db/prepared-statements.js';
import type { Meta } from '../../records/column-mapping.js';
import { compileFilter, type Filter } from '../../records/filter-sql.js';
import { Statement, type StatementOptions } from '../../records/statement.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { countMismatch, Refusal } from '../../core/errors.js';
import { Page } from '../../pages/page.entity.js';
import { pageRecordPath } from '../../pages/page-record-path.js';
import type { ChannelName } from '../channels/registry.js';
import type { MessageSnapshot } from '../messages/message-snapshot.js';
import { isRecipientSuspendedSql, subscriberAddressSql } from './audience.js';
import { Delivery } from './delivery.entity.js';
import { type SkipReason, skipReasons } from './delivery.states.js';
import { unsentReasonSql } from './lease-deliveries.js';

/**
 * Restarts the retry period. The state is `retrying`, not `pending`, so that thousands of resent deliveries do not
 * delay those never tried. Whether the message may still be sent is checked when it is leased, as for every delivery;
 * those of a suspended recipient stay dead, since they would be skipped then, and could not be resent any more.
 */
const resendSql = `
  update delivery d set state = 'retrying', reason = null, tries = 0,
    queued_at = clock_timestamp(), due_at = clock_timestamp()
  where d.state = 'dead' and not ${isRecipientSuspendedSql}`;

export function resendDelivery(write: Writer, pageId: string, id: string): Promise<string> {
  return write.transaction(async unit => {
    const delivery = await unit.find<Delivery>(pageRecordPath(pageId, Delivery, id));
    const resent = await query(unit.em, `${resendSql} and d.id = $1 returning d.id`, [delivery.id]);
    if (!resent.length && delivery.state === 'dead')
      throw new Refusal('CONFLICT', 'Its recipient is suspended. End the suspension first, then resend it.');
    if (!resent.length)
      throw new Refusal('CONFLICT', `Only a dead delivery can be resent; this one is ${delivery.state}.`);
    unit.em.pending.queuesDeliveries = true;
    return delivery.id;
  });
}

/** Recipients on a channel, and why they are sent nothing; null for those who are. */
export interface ResendAudience {
  channel: ChannelName;
  count: number;
  recipientCount: number;
  notifiedEarlierCount: number;
  sample: string[];
  reason: SkipReason | null;
}

/** What is sent again of a publication. */
export interface ResentPublication {
  id: string;
  count: number;
  channels: ChannelName[];
  snapshot: MessageSnapshot;
}

export interface Resend {
  count: number;
  audiences: ResendAudience[];
  publications: ResentPublication[];
}

const sampleSize = 5;
const shownPublications = 5;

/** The dead deliveries that match, each with why it would not be sent. A suspended recipient is the first reason. */
const matchingSql = (where: string) => `
  matching as materialized (
    select d.id, d.channel, d.recipient_key, d.publication_id, d.notified_earlier,
      coalesce(${subscriberAddressSql('d.channel')}, d.address) as address,
      case when ${isRecipientSuspendedSql} then '${skipReasons.suspended}' else ${unsentReasonSql} end as reason
    from delivery d join publication pub on pub.id = d.publication_id join page p on p.id = d.page_id
      left join subscriber s on s.id = d.subscriber_id left join webhook w on w.id = d.webhook_id
    where d.state = 'dead' and d.id in (select d.id from delivery d where ${where})
  )`;

const selectResendSql = `
  select
    array(select id::text from matching where reason is distinct from '${skipReasons.suspended}' order by id) as ids,
    (select count(*)::integer from matching where reason is distinct from '${skipReasons.suspended}') as count,
    (select coalesce(json_agg(audience), '[]') from (
      select channel, reason, count(*)::integer as count, count(distinct recipient_key)::integer as "recipientCount",
        (count(*) filter (where notified_earlier))::integer as "notifiedEarlierCount",
        (array_agg(distinct address))[1:${sampleSize}] as sample
      from matching group by channel, reason order by channel, reason) audience) as audiences,
    (select coalesce(json_agg(resent), '[]') from (
      select pub.id::text, count(*)::integer as count, array_agg(distinct m.channel) as channels,
        pub.message_snapshot as snapshot
      from matching m join publication pub on pub.id = m.publication_id where m.reason is null
      group by pub.id order by pub.id desc limit ${shownPublications}) resent) as publications`;

/** Deliveries in a transaction, after which others have a turn, as in those of subscribers (write-batches.ts). */
const resentAtOnce = 500;
const pauseMs = 20;

/**
 * Counts in the first transaction, which refuses another count than the expected one, if there is one; then resends in
 * batches, so that others need not wait for thousands. `isDryRun`: counts, and changes nothing.
 */
export async function resendDeliveries(
  write: Writer,
  options: StatementOptions,
  pageId: string,
  filter: Filter | null | undefined,
  { isDryRun, expectedCount }: { isDryRun: boolean; expectedCount: number | null | undefined },
): Promise<Resend> {
  const count = async (unit: Unit): Promise<Resend & { ids: string[] }> => {
    await unit.find<Page>([[Page, pageId]]);
    const statement = new Statement(options, {});
    const meta = unit.em.getMetadata().get(Delivery) as Meta;
    const where = [`d.page_id = ${statement.bind(pageId)}`, ...compileFilter(filter, meta, 'd', statement)].join(
      ' and ',
    );
    const sql = `with ${matchingSql(where)} ${selectResendSql}`;
    const [row] = await query<Resend & { ids: string[] }>(unit.em, sql, statement.values);
    const { count } = row!;
    if (expectedCount != null && count !== expectedCount) throw countMismatch('deliveries', count, expectedCount);
    return row!;
  };
  if (isDryRun) return write.readOnly(count);
  const resend = await write.transaction(count);
  for (let start = 0; start < resend.ids.length; start += resentAtOnce) {
    await write.withoutLog().transaction(async unit => {
      await unit.find<Page>([[Page, pageId]]);
      await query(unit.em, `${resendSql} and d.id = any($1::bigint[])`, [
        resend.ids.slice(start, start + resentAtOnce),
      ]);
      unit.em.pending.queuesDeliveries = true;
    });
    await setTimeout(pauseMs);
  }
  return resend;
}
