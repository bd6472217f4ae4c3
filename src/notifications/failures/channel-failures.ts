import type { Database } from '../../db/database.js';
import { addressPattern } from '../channels/refusals.js';
import { type ChannelName, messagesUntilSuspensionSql } from '../channels/registry.js';

/** Channels that refuse messages for a reason that is not the recipient's: a row a page and channel. */

type Run = Pick<Database, 'query'>;

/** SQL: an answer without what differs between recipients: addresses, and words with digits but for the reply code. */
export const maskSql = (response: string): string =>
  `left(${response}, 3) || regexp_replace(regexp_replace(${response}, ${addressLiteral}, '…', 'g'), '\\S*\\d\\S*',
    '#', 'g')`;

const addressLiteral = `'${addressPattern.replaceAll("'", "''")}'`;

/** The same of an answer that this process has received. */
export const maskAnswer = (response: string): string =>
  response.slice(0, 3) + response.replace(new RegExp(addressPattern, 'g'), '…').replace(/(?<!\S)\S*\d\S*/g, '#');

/** Publications to fewer recipients say nothing: they may have one mail server. */
const fewestRecipients = 10;
/** With so many outcomes the share among them counts, so that a failure shows before a third of 100,000 is refused. */
export const sampleSize = 100;

interface Share {
  /** Of the recipients. */
  total: number;
  /** Those of them whose outcome is known. */
  known: number;
  /** Those of them who got the same answer. */
  same: number;
}

/** Whether more than a third of those whose outcome is known got the same answer. */
export const isShared = ({ total, known, same }: Share): boolean =>
  total >= fewestRecipients && same > Math.min(total, Math.max(known, sampleSize)) / 3;

/** SQL: the same, of columns of `share`. */
const isSharedSql = `(total >= ${fewestRecipients}
  and same > least(total, greatest(known, ${sampleSize})) / 3.0)`;

/** SQL: takes back what the refusals of these deliveries counted against their recipients. */
export const retractRefusalsSql = (deliveries: string): string => `
  update recipient_refusals rr set count = rr.count - refused.count,
    suspended_at = case when rr.count - refused.count >= ${messagesUntilSuspensionSql('rr.channel')}
      then rr.suspended_at end,
    reported_at = null
  from (
    select page_id, channel, subscriber_id, address, max(response) as response, count(*)::integer as count
    from ${deliveries} group by page_id, channel, subscriber_id, address) refused
  where rr.page_id = refused.page_id and rr.channel = refused.channel and rr.subscriber_id = refused.subscriber_id
    and rr.address = refused.address`;

interface FailureKind {
  /** Whether the messages came back after the server had accepted them. */
  isBounce: boolean;
}

/** SQL: begins a failure, or continues one. One that ended within a day is not reported again. */
export const raiseSql = (source: string, { isBounce }: FailureKind): string => `
  insert into channel_failure (page_id, channel, publication_id, response, started_at, refused_at, is_bounce)
  select page_id, channel, publication_id, response, clock_timestamp(), clock_timestamp(), ${isBounce} from ${source}
  on conflict (page_id, channel) do update set
    started_at = case when channel_failure.ended_at is null then channel_failure.started_at else clock_timestamp() end,
    reported_at = case when channel_failure.ended_at < clock_timestamp() - interval '1 day' then null
      else channel_failure.reported_at end,
    pushed_at = case when channel_failure.ended_at < clock_timestamp() - interval '1 day' then null
      else channel_failure.pushed_at end,
    publication_id = excluded.publication_id, response = excluded.response, refused_at = excluded.refused_at,
    is_bounce = excluded.is_bounce, ended_at = null`;

/**
 * Where more than a third of the recipients of a publication got the same answer, it is not about any of them: what was
 * counted against them is taken back, and they are tried again. $1: publication, $2: channel, $3: the answer, $4: the
 * seconds until then, $5: whether that is known of another publication.
 */
const holdSql = `
  with classified as materialized (
    select d.id, d.page_id, d.channel, d.publication_id, d.state, d.subscriber_id, d.address, a.response, a.outcome,
      ${maskSql('a.response')} = ${maskSql('$3::text')} as is_same
    from delivery d cross join lateral (
      select response, outcome from attempt where attempt.delivery_id = d.id order by attempt.id desc limit 1) a
    where d.publication_id = $1 and d.channel = $2 and d.state in ('sent', 'dead', 'retrying', 'sending')
  ), share as (
    select (select count(*) from delivery where publication_id = $1 and channel = $2 and state <> 'skipped') as total,
      count(*) as known, count(*) filter (where is_same and outcome in ('refused', 'deferred')) as same from classified
  ), held as (
    select classified.* from classified cross join share
    where ($5::boolean or ${isSharedSql}) and is_same and outcome in ('refused', 'deferred')
  ), retried as (
    update delivery d set state = 'retrying', reason = null, tries = d.tries - 1,
      due_at = clock_timestamp() + $4::float8 * interval '1 second'
    from held where d.id = held.id and d.state = 'dead'
    returning held.page_id, held.channel, held.subscriber_id, held.address, held.response
  ), retracted as (
    ${retractRefusalsSql('retried')} and rr.response = refused.response
  ), failure as (select page_id, channel, publication_id, max(response) as response from held group by 1, 2, 3
  )
  ${raiseSql('failure', { isBounce: false })}
  returning channel`;

/** Whether the answer is about the channel. */
export async function holdRefused(
  { query }: Run,
  refused: { publicationId: number; channel: ChannelName; response: string },
  { retrySeconds, isKnown }: { retrySeconds: number; isKnown: boolean },
): Promise<boolean> {
  const { publicationId, channel, response } = refused;
  const rows = await query(holdSql, [publicationId, channel, response, retrySeconds, isKnown]);
  if (rows.length) await query('delete from recipient_refusals where count <= 0 and channel = $1', [channel]);
  return rows.length > 0;
}

export interface ChannelFailure {
  pageId: string;
  channel: ChannelName;
  publicationId: number;
  response: string;
}

export const raiseFailures = ({ query }: Run, failures: readonly ChannelFailure[]): Promise<unknown> =>
  query(
    raiseSql(
      `(
      select distinct on (page_id, channel) * from unnest($1::text[], $2::text[], $3::integer[], $4::text[])
        raised (page_id, channel, publication_id, response)
      where exists (select from page where page.id = raised.page_id)) raised`,
      { isBounce: false },
    ),
    [
      failures.map(({ pageId }) => pageId),
      failures.map(({ channel }) => channel),
      failures.map(({ publicationId }) => publicationId),
      failures.map(({ response }) => response),
    ],
  );

export async function loadFailingChannels({ query }: Run): Promise<Set<ChannelName>> {
  const rows = await query<{ channel: ChannelName }>(
    'select distinct channel from channel_failure where ended_at is null',
  );
  return new Set(rows.map(({ channel }) => channel));
}

/**
 * Between a refusal and an acceptance that ends a failure: some messages may pass while most are refused, and all that
 * bounce were accepted.
 */
const quietSql = `case when is_bounce then interval '1 hour' else interval '1 minute' end`;

/** Ends the failures of channels that accept messages again. */
export const endFailures = ({ query }: Run, accepting: readonly ChannelName[]): Promise<unknown> =>
  query(
    `update channel_failure set ended_at = clock_timestamp()
     where channel = any($1::text[]) and ended_at is null
       and refused_at < clock_timestamp() - ${quietSql}`,
    [accepting],
  );
