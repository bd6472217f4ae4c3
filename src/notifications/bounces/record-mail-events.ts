import { loadLinkKey } from '../../auth/link-key.service.js';
import { parseEmailAddress } from '../../core/address.js';
import { isStorable } from '../../core/validation.js';
import { serviceOrigin } from '../../db/audit.js';
import type { Database, EntityManager } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { inTransaction } from '../../db/transaction.js';
import { Page } from '../../pages/page.entity.js';
import { Writer } from '../../records/writer.js';
import { endSubscriptions } from '../../subscribers/end-subscription.js';
import { verifyLink } from '../../subscribers/signed-link.js';
import { loadLinkHolder, unsubscribe } from '../../subscribers/sign-up.service.js';
import { maskAddresses } from '../channels/refusals.js';
import { deathReasons } from '../delivery/delivery.states.js';
import { countRefusalsSql } from '../delivery/suspension.js';
import { maskSql } from '../failures/channel-failures.js';
import { type Bounce, checkBounces, failingPagesSql, holdSpan } from './bounce-watch.js';
import { isGone, type MailedUnsubscription, type MailEvent } from './mail-event.js';

/** What was made of events, for the log of their sender. */
interface EventReceipt {
  bounces: number;
  complaints: number;
  /** By a mail of the person. */
  unsubscriptions: number;
  /** They are about no mail to a subscriber, or were reported before. */
  ignored: number;
}

interface Reported {
  id: string;
  pageId: string;
  publicationId: number;
  subscriberId: number;
  state: string;
}

/** Older mails are not looked for. Servers give up after 5 days, and complaints come within days. */
const maxAge = '30 days';
/** Of ids that are looked for in the response of a server. */
const shortestId = 8;

/**
 * The mail to an address that has one of the ids, by its Message-ID or in the response of the server that accepted it;
 * else the latest one to the address. $1: the address, $2: ids, $3: ids that a response may contain, $4: whether it
 * must have one of the ids.
 */
const findSql = `
  select d.id, d.page_id as "pageId", d.publication_id as "publicationId",
    d.subscriber_id as "subscriberId", d.state
  from page p join delivery d on d.page_id = p.id and lower(d.address) = lower($1)
  cross join lateral (
    select btrim(d.message_id, '<>') = any($2::text[]) or exists (
      select from attempt a cross join unnest($3::text[]) given (id)
      where a.delivery_id = d.id and a.outcome = 'sent' and position(given.id in a.response) > 0) as is_named) n
  where d.channel = 'email' and d.subscriber_id is not null and d.state in ('sent', 'dead')
    and d.created_at > clock_timestamp() - interval '${maxAge}' and (n.is_named or not $4::boolean)
  order by n.is_named desc, d.id desc limit 1`;

async function findReported(
  em: EntityManager,
  { addresses, ids, mustBeNamed, isByMail }: MailEvent,
): Promise<Reported | undefined> {
  // Other texts are in no row, and PostgreSQL refuses them.
  const storable = ids.filter(isStorable);
  // Parts of a response are easily guessed: `250 2.0.0`, `queued as`.
  const contained = isByMail ? [] : storable.filter(({ length }) => length >= shortestId);
  // A mail goes to the ASCII form of a domain, and stored is the one that people read.
  for (const address of addresses.map(given => parseEmailAddress(given) ?? given).filter(isStorable)) {
    const [reported] = await query<Reported>(em, findSql, [address, storable, contained, mustBeNamed]);
    if (reported) return reported;
  }
  return undefined;
}

/** With fewer bounces no share is reached: it is more than a third of at least ten. */
const fewestBounces = 4;

/** A mail that is sent again within that span counts once. */
const bounceSql = `
  with outcomes as materialized (
    select d.id, 'bounced' as outcome, $2::text as response, null::float8 as retry_seconds,
      $3::boolean and not $4::boolean as is_gone, true as is_bounce
    from delivery d where d.id = $1 and d.state = 'sent' for update
  ), ${countRefusalsSql}, updated as (
    update delivery d set state = 'dead', sent_at = null,
      reason = case when $4::boolean then '${deathReasons.channelFailed}' else '${deathReasons.refused}' end
    from outcomes o where d.id = o.id
  ), counted as (
    insert into bounce_count as stored (publication_id, answer, count, check_at)
    select d.publication_id, ${maskSql('o.response')}, 1, ${fewestBounces}
    from outcomes o join delivery d on d.id = o.id
    where not exists (
      select from attempt a where a.delivery_id = o.id and a.outcome = 'bounced'
        and a.at > clock_timestamp() - interval '${holdSpan}')
    on conflict (publication_id, answer) do update set count = stored.count + 1
    returning count, count >= check_at as is_due
  ), inserted as (
    insert into attempt (delivery_id, at, outcome, response)
    select id, clock_timestamp(), outcome, response from outcomes returning id
  )
  select coalesce(c.count, 0) as count, coalesce(c.is_due, false) as "isDue" from inserted left join counted c on true`;

const toStoredLine = (response: string) =>
  response.replaceAll('\0', '').replace(/\s+/g, ' ').toWellFormed().slice(0, 500);

/** Changes a mail once that was accepted: a report that is repeated finds it dead. */
const recordBounce = (database: Database, event: MailEvent): Promise<Bounce | null> =>
  inTransaction(database, async em => {
    const reported = await findReported(em, event);
    if (reported?.state !== 'sent') return null;
    const { id, pageId, publicationId } = reported;
    const response = toStoredLine(event.response);
    const failing = await query<{ page_id: string }>(em, failingPagesSql('$1::text'), [response]);
    const isKnown = failing.length > 0;
    const gone = isGone(event);
    const [counted] = await query<{ count: number; isDue: boolean }>(em, bounceSql, [id, response, gone, isKnown]);
    if (!counted) return null;
    const isKnownHere = failing.some(({ page_id }) => page_id === pageId);
    return { publicationId, response, isGone: gone, isKnown, isKnownHere, count: counted.count, isDue: counted.isDue };
  });

async function recordComplaint(database: Database, event: MailEvent): Promise<boolean> {
  const reported = await inTransaction(database, em => findReported(em, event));
  if (!reported) return false;
  const { id, pageId, subscriberId } = reported;
  const response = toStoredLine(event.response);
  const write = new Writer(database, { origin: serviceOrigin('automation', 'recordComplaint') });
  return write.transaction(async unit => {
    await unit.find<Page>([[Page, pageId]]);
    if (!(await endSubscriptions(unit.em, pageId, [subscriberId])).length) return false;
    await query(
      unit.em,
      `insert into attempt (delivery_id, at, outcome, response) values ($1, clock_timestamp(), 'complained', $2)`,
      [id, response],
    );
    const reason = maskAddresses(response);
    unit.describeChange('Subscriber', String(subscriberId), { unsubscribedFor: { after: reason } }, pageId);
    return true;
  });
}

/** The mail may come from any address: who has the token has the link. */
async function recordUnsubscription(database: Database, { pageId, token }: MailedUnsubscription): Promise<boolean> {
  const key = await loadLinkKey(database, pageId);
  const link = verifyLink(key, 'unsubscribe', pageId, token);
  const holder = link && (await loadLinkHolder(database, key, link));
  if (!link || !holder?.active || !holder.valid) return false;
  await unsubscribe(database, link);
  return true;
}

type Event = MailEvent | MailedUnsubscription;

/** How many events are recorded one after the other. Each takes a millisecond. */
const batchSize = 20;

/** `admit` begins each batch, so that other writes wait for a batch at most, and not for thousands of events. */
export async function recordMailEvents(
  database: Database,
  events: readonly Event[],
  admit: <Result>(write: () => Promise<Result>) => Promise<Result> = write => write(),
): Promise<EventReceipt> {
  const receipt: EventReceipt = { bounces: 0, complaints: 0, unsubscriptions: 0, ignored: 0 };
  for (let start = 0; start < events.length; start += batchSize)
    await admit(() => recordBatch(database, events.slice(start, start + batchSize), receipt));
  return receipt;
}

async function recordBatch(database: Database, events: readonly Event[], receipt: EventReceipt): Promise<void> {
  const bounces: Bounce[] = [];
  for (const event of events)
    if (event.kind === 'bounced') {
      const bounce = await recordBounce(database, event);
      if (bounce) bounces.push(bounce);
      receipt[bounce ? 'bounces' : 'ignored'] += 1;
    } else if (event.kind === 'unsubscribed')
      receipt[(await recordUnsubscription(database, event)) ? 'unsubscriptions' : 'ignored'] += 1;
    else receipt[(await recordComplaint(database, event)) ? 'complaints' : 'ignored'] += 1;
  await checkBounces(database, bounces);
}

export const describeReceipt = ({ bounces, complaints, unsubscriptions, ignored }: EventReceipt): string =>
  unsubscriptions ? 'Unsubscribed.' : `bounces: ${bounces}, complaints: ${complaints}, ignored: ${ignored}`;
