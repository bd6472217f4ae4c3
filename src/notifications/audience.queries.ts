import type { RunQuery } from '../db/prepared-statements.js';
import type { ChannelName } from './channels/registry.js';
import { pageRecipientsSql, subscriberRecipientsSql } from './delivery/audience.js';
import { type SkipReason, skipReasons } from './delivery/delivery.states.js';
import type { MessageSnapshot } from './messages/message-snapshot.js';

/** All columns, with these among them. */
export interface PublicationRow {
  message_snapshot: MessageSnapshot;
  /** The components that it concerns, with their ancestors and descendants; null: all subscribers are notified. */
  scope: number[] | null;
  /** Of a correction of an update: the publications whose recipients are notified. */
  corrects: number[] | null;
}

/** A correction changes nothing of its notice. */
export const isCorrection = ({ message_snapshot }: PublicationRow): boolean => message_snapshot.event === 'correction';

export async function loadPublication(run: RunQuery, id: number): Promise<PublicationRow> {
  const sql = 'select to_jsonb(publication) as publication from publication where id = $1';
  const [row] = await run<{ publication: PublicationRow }>(sql, [id]);
  return row!.publication;
}

const sampleSize = 5;

/** By channel and reason, which is null for those notified. A publication of a dry run is not stored: a parameter. */
const audienceSql = (subscriberSource: string) => `
  with pub as materialized (
    select * from jsonb_populate_record(null::publication, $1::jsonb)
  ), recipients as (
    ${subscriberRecipientsSql(subscriberSource)} union all ${pageRecipientsSql}
  ), numbered as (
    select *, row_number() over (partition by channel, reason order by subscriber_id) as n from recipients
  )
  select channel, reason, count(*)::integer as count,
    (count(*) filter (where reason is null and notified_earlier))::integer as "notifiedEarlierCount",
    array_agg(address order by n) filter (where n <= ${sampleSize}) as sample
  from numbered group by channel, reason order by channel, reason`;

/** The recipients on a channel, and why they are not notified; null for those who are. */
export interface Audience {
  channel: ChannelName;
  count: number;
  /** How many of them are notified only because an earlier message of the notice was sent to them. */
  notifiedEarlierCount: number;
  sample: string[];
  reason: SkipReason | null;
}

export const loadAudiences = (run: RunQuery, publication: PublicationRow): Promise<Audience[]> =>
  run<Audience>(audienceSql('subscriber s'), [JSON.stringify(publication)]);

const suspendedSubscribersSql = `(
  select s.* from recipient_refusals rr join subscriber s on s.id = rr.subscriber_id
  where rr.page_id = (select page_id from pub) and rr.suspended_at is not null) s`;

/** Those who would be notified were they not suspended. It reads no other subscribers. */
export async function loadSuspendedAudiences(run: RunQuery, publication: PublicationRow): Promise<Audience[]> {
  const audiences = await run<Audience>(audienceSql(suspendedSubscribersSql), [JSON.stringify(publication)]);
  return audiences.filter(({ reason }) => reason === skipReasons.suspended);
}
