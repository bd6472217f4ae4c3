import type { Database } from '../../db/database.js';
import { deathReasons } from '../delivery/delivery.states.js';
import { maskAddresses } from '../channels/refusals.js';
import {
  isShared,
  maskAnswer,
  maskSql,
  raiseSql,
  retractRefusalsSql,
  sampleSize,
} from '../failures/channel-failures.js';

/** A bounce that was recorded. */
export interface Bounce {
  publicationId: number;
  response: string;
  isGone: boolean;
  /** Whether the channel fails by such bounces already, on any page: it counts for nobody. */
  isKnown: boolean;
  /** Whether it fails so on this page. */
  isKnownHere: boolean;
  /** How many mails of the publication have bounced with this answer. */
  count: number;
  /** Whether so many may be more than a third. */
  isDue: boolean;
}

/** Bounces with one answer in this span, in SQL, are compared with each other, and taken back together. */
export const holdSpan = '1 hour';

const isSameSql = (response: string, other: string): string => `${maskSql(response)} = ${maskSql(other)}`;

/** SQL: the pages on which mail fails now by bounces with this answer. All pages have one mail server. */
export const failingPagesSql = (response: string): string => `
  select page_id from channel_failure f
  where f.channel = 'email' and f.is_bounce and f.ended_at is null
    and f.refused_at > clock_timestamp() - interval '${holdSpan}' and ${isSameSql('f.response', response)}`;

const lastAttemptSql = (id: string): string => `lateral (
  select response, outcome, at from attempt where attempt.delivery_id = ${id} order by attempt.id desc limit 1) a`;

/**
 * SQL: how many recipients the publication has, and how many of them have an outcome. $1: publication, $2: how many
 * deliveries are read at most; null: all.
 */
const shareSql = `
  select count(*)::integer as total, count(*) filter (where state in ('sent', 'dead'))::integer as known
  from (
    select state from delivery where publication_id = $1 and channel = 'email' and state <> 'skipped'
    limit $2::bigint) d`;

/** SQL: with fewer bounces the share is not reached: a mail with an outcome keeps it. $3: how many that are. */
const postponeSql = `
  update bounce_count set check_at = greatest(check_at, $3)
  where publication_id = $1 and answer = ${maskSql('$2::text')}`;

/**
 * None of them counts, nor those with this answer just before, and the channel fails. The mails are not sent again by
 * themselves: the server would accept them, and they would bounce again. $3: whether they counted.
 */
const holdSql = `
  with candidate as (
    select id from delivery where publication_id = $1 and channel = 'email' and state = 'dead'
    union
    select d.id from recipient_refusals rr join delivery d on d.subscriber_id = rr.subscriber_id
    where rr.channel = 'email' and rr.is_bounce and ${isSameSql('rr.response', '$2::text')}
      and rr.refused_at > clock_timestamp() - interval '${holdSpan}' and d.channel = 'email' and d.state = 'dead'
  ), held as (
    update delivery d set reason = '${deathReasons.channelFailed}'
    from candidate cross join ${lastAttemptSql('candidate.id')}
    where d.id = candidate.id and d.reason = '${deathReasons.refused}' and a.outcome = 'bounced'
      and ${isSameSql('a.response', '$2::text')}
      and (d.publication_id = $1 or a.at > clock_timestamp() - interval '${holdSpan}')
    returning d.page_id, d.publication_id, d.channel, d.subscriber_id, d.address, a.response
  ), retracted as (
    ${retractRefusalsSql('held')} and rr.is_bounce and $3::boolean
  ), failure as (
    select d.page_id, d.channel, d.publication_id, max(a.response) as response
    from delivery d cross join ${lastAttemptSql('d.id')}
    where d.publication_id = $1 and d.channel = 'email' and d.state = 'dead' and a.outcome = 'bounced'
      and ${isSameSql('a.response', '$2::text')}
    group by 1, 2, 3
  )
  ${raiseSql('failure', { isBounce: true })}`;

/** SQL: a failure goes on where it was found: a bounce on another page says little about that page. $1: the answer. */
const continueSql = `
  update channel_failure f set refused_at = clock_timestamp()
  where f.channel = 'email' and f.is_bounce and f.ended_at is null and ${isSameSql('f.response', '$1::text')}`;

type Run = Pick<Database, 'query' | 'log'>;

/**
 * Compares the bounces of a publication with each other, as they come: where more than a third of the recipients got
 * the same answer, it is about none of them. The bounces of all processes are counted in the database as they are
 * recorded. While they are few, as many deliveries are read as could keep them below a third; then all, but next when
 * the bounces are a third of what has an outcome now.
 */
export async function checkBounces(run: Run, bounces: readonly Bounce[]): Promise<void> {
  const known = new Set(bounces.filter(({ isKnown }) => isKnown).map(({ response }) => response));
  for (const response of known) await run.query(continueSql, [response]);
  const suspects = Map.groupBy(
    bounces.filter(({ isDue, isKnownHere }) => isDue && !isKnownHere),
    ({ publicationId, response }) => `${publicationId} ${maskAnswer(response)}`,
  );
  for (const same of suspects.values()) await check(run, same.at(-1)!);
}

async function check(run: Run, bounce: Bounce): Promise<void> {
  const { publicationId, response, count } = bounce;
  const isFew = count * 3 < sampleSize;
  const [share] = await run.query<{ total: number; known: number }>(shareSql, [
    publicationId,
    isFew ? count * 3 : null,
  ]);
  if (isShared({ ...share!, same: count })) await hold(run, bounce);
  else if (!isFew) await run.query(postponeSql, [publicationId, response, Math.floor(share!.known / 3) + 1]);
}

async function hold({ query, log }: Run, { publicationId, response, isGone }: Bounce): Promise<void> {
  await query(holdSql, [publicationId, response, isGone]);
  await query(`delete from recipient_refusals where count <= 0 and channel = 'email'`);
  log.warn({ channel: 'E-mail', reason: maskAddresses(response) }, 'a channel fails');
}
