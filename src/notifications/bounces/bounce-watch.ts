import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/database.js';
import { deathReasons } from '../delivery/delivery.states.js';
import { maskAddresses } from '../channels/refusals.js';
import { isSharedSql, maskAnswer, maskSql, raiseSql, retractRefusalsSql } from '../failures/channel-failures.js';

/** A bounce that was recorded. */
export interface Bounce {
  publicationId: number;
  response: string;
  isGone: boolean;
  /** Whether the channel fails by such bounces already: it counts for nobody. */
  isKnown: boolean;
}

/** What was counted for an answer before it was known to be about the channel is taken back this far. */
const holdSpan = '1 hour';

const isSameSql = (response: string, other: string): string => `${maskSql(response)} = ${maskSql(other)}`;

/** SQL: whether mail fails now by bounces with this answer, on any page: they have one mail server. */
export const isKnownSql = (response: string, page = 'f.page_id'): string => `exists (
  select from channel_failure f
  where f.page_id = ${page} and f.channel = 'email' and f.is_bounce and f.ended_at is null
    and f.refused_at > clock_timestamp() - interval '${holdSpan}' and ${isSameSql('f.response', response)})`;

const lastAttemptSql = (id: string): string => `lateral (
  select response, outcome, at from attempt where attempt.delivery_id = ${id} order by attempt.id desc limit 1) a`;

/**
 * Whether the guard of direct refusals holds for bounces with an answer: only of dead deliveries the attempts are read.
 * $1: publication, $2: the answer, $3: whether it is known, and so need not be held where the page has the failure.
 */
const askSql = `
  with share as (
    select count(*) filter (where d.state <> 'skipped') as total,
      count(*) filter (where d.state = 'sent' or a.outcome is not null) as known,
      count(*) filter (where a.outcome = 'bounced' and ${isSameSql('a.response', '$2::text')}) as same
    from delivery d left join lateral (
      select response, outcome from attempt where attempt.delivery_id = d.id and d.state = 'dead'
      order by attempt.id desc limit 1) a on true
    where d.publication_id = $1 and d.channel = 'email'
  )
  select from share where ${isSharedSql} and not ($3::boolean
    and ${isKnownSql('$2::text', '(select page_id from publication where id = $1)')})`;

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

interface Count {
  bounces: number;
  /** How many there were when the database was asked. */
  askedAt: number;
}

/** With more bounces the database is asked again after a tenth more: it reads all of the publication. */
const askedEachTime = 100;

/**
 * Compares the bounces of a publication with each other, as they come: where more than a third of the recipients got
 * the same answer, it is about none of them.
 */
export class BounceWatch {
  private readonly counts = new LRUCache<string, Count>({ max: 1_000 });

  constructor(private readonly database: Pick<Database, 'query' | 'log'>) {}

  /** After they were recorded. */
  async check(bounces: readonly Bounce[]): Promise<void> {
    const known = new Set(bounces.filter(({ isKnown }) => isKnown).map(({ response }) => response));
    for (const response of known) await this.database.query(continueSql, [response]);
    const suspects = Map.groupBy(bounces, ({ publicationId, response }) => `${publicationId} ${maskAnswer(response)}`);
    for (const [key, same] of suspects)
      if (this.isDue(key, same.length)) await this.hold(same.find(({ isKnown }) => !isKnown) ?? same[0]!);
  }

  private isDue(key: string, added: number): boolean {
    const { bounces, askedAt } = this.counts.get(key) ?? { bounces: 0, askedAt: 0 };
    const count = bounces + added;
    const isDue = count <= askedEachTime || count >= askedAt * 1.1;
    this.counts.set(key, { bounces: count, askedAt: isDue ? count : askedAt });
    return isDue;
  }

  private async hold({ publicationId, response, isGone, isKnown }: Bounce): Promise<void> {
    const isShared = (await this.database.query(askSql, [publicationId, response, isKnown])).length > 0;
    if (!isShared) return;
    await this.database.query(holdSql, [publicationId, response, isGone]);
    await this.database.query(`delete from recipient_refusals where count <= 0 and channel = 'email'`);
    const reason = maskAddresses(response);
    this.database.log.warn({ channel: 'E-mail', reason }, 'a channel fails');
  }
}
