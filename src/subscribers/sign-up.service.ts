import type { Database, EntityManager } from '../db/connection.js';
import { query } from '../db/prepared-statements.js';
import { inTransaction } from '../db/transaction.js';
import type { NoticeType } from '../notices/notice.states.js';
import type { Link } from './signed-link.js';
import type { Way } from './subscription-request.service.js';

/** What somebody wants to hear of. No components: everything, and what comes later. */
export interface Choices {
  kinds: readonly NoticeType[];
  componentIds: readonly number[];
}

export interface SignUp extends Choices {
  way: Way;
  /** As `emailAddress` or `phoneNumber` wrote it. */
  address: string;
}

export interface AddressedLink {
  address: string;
  link: Link;
}

/** Confirmed, and has not left: nothing is sent to anybody else. */
export const isActive = '(confirmed_at is not null and unsubscribed_at is null)';

/** Seconds of the epoch in a floating number: whole ones end in 2038, and long ones are handed over as text. */
export const inSeconds = (interval: string) =>
  `floor(extract(epoch from clock_timestamp() + interval '${interval}'))::float8`;
const kept = (way: Way) => (way === 'email' ? 'email' : 'phone_number');
const column = (way: Way) => (way === 'email' ? 'lower(email) = lower($2)' : 'phone_number = $2');

/**
 * Remembers what somebody asked for, until they show that the address is theirs. Of who is subscribed already nothing changes: they are to be sent a link by which they
 * change it themselves. The link is returned, and the address that it is to go to: the one that is kept, since one that only compares as the same may be
 * another's. The page is locked as by every other write of addresses, and its version stays: nothing
 * that it shows changes.
 */
export function signUp(
  database: Database,
  pageId: string,
  { way, address, kinds, componentIds }: SignUp,
): Promise<AddressedLink | null> {
  return inTransaction(database, async em => {
    if (!(await lockPage(em, pageId))) return null;
    const [known] = await query<{
      id: number;
      address: string;
      active: boolean;
      version: number;
      week: number;
      hour: number;
    }>(
      em,
      `select id, ${kept(way)} as address, ${isActive} as active, link_version as version, ${inSeconds('7 days')} as week, ${inSeconds('1 hour')} as hour
       from subscriber where page_id = $1 and ${column(way)}`,
      [pageId, address],
    );
    if (known?.active)
      return {
        address: known.address,
        link: { purpose: 'preferences', pageId, subscriberId: known.id, expiresAt: known.hour },
      };
    const [row] = known
      ? await query<Row>(
          em,
          `update subscriber set kinds = $2, chose_components = $3, updated_at = clock_timestamp(), version = version + 1 where id = $1
           returning id, link_version as version, ${inSeconds('7 days')} as week`,
          [known.id, kinds, componentIds.length > 0],
        )
      : await query<Row>(
          em,
          `insert into subscriber (page_id, ${kept(way)}, kinds, chose_components, consent_source, created_at, updated_at)
           values ($1, $2, $3, $4, 'page', clock_timestamp(), clock_timestamp()) returning id, link_version as version, ${inSeconds('7 days')} as week`,
          [pageId, address, kinds, componentIds.length > 0],
        );
    await setComponents(em, pageId, row!.id, componentIds);
    const link: Link = {
      purpose: 'confirm',
      pageId,
      subscriberId: row!.id,
      version: row!.version,
      expiresAt: row!.week,
    };
    return { address: known?.address ?? address, link };
  });
}

interface Row {
  id: number;
  version: number;
  week: number;
}

/** A link of 1 hour for who is subscribed with an address; null for everybody else. */
export async function preferencesOf(
  database: Database,
  pageId: string,
  way: Way,
  address: string,
): Promise<AddressedLink | null> {
  const [found] = await database.query<{ id: number; address: string; hour: number }>(
    `select id, ${kept(way)} as address, ${inSeconds('1 hour')} as hour from subscriber where page_id = $1 and ${column(way)} and ${isActive}`,
    [pageId, address],
  );
  return found
    ? {
        address: found.address,
        link: { purpose: 'preferences', pageId, subscriberId: found.id, expiresAt: found.hour },
      }
    : null;
}

/** A subscriber as the bearer of a link may see them. */
export interface Bearer {
  id: number;
  way: Way;
  address: string;
  active: boolean;
  /** That the link has not expired, nor been used where it works once. */
  valid: boolean;
  kinds: NoticeType[];
  componentIds: number[];
  choseComponents: boolean;
}

/** Null: there is no such subscriber on this page, any more. */
export async function bearerOf(
  database: Database,
  { pageId, subscriberId, expiresAt, version }: Link,
): Promise<Bearer | null> {
  const [found] = await database.query<Bearer & { email: string | null; phone: string | null }>(
    `select id, email, phone_number as phone, ${isActive} as active, kinds, chose_components as "choseComponents",
       array(select c.component_id from subscriber_component c where c.subscriber_id = s.id order by 1) as "componentIds",
       ($3::float8 is null or to_timestamp($3::float8) > clock_timestamp()) and ($4::int is null or (link_version = $4 and not ${isActive})) as valid
     from subscriber s where id = $1 and page_id = $2`,
    [subscriberId, pageId, expiresAt ?? null, version ?? null],
  );
  if (!found) return null;
  const { email, phone, ...bearer } = found;
  return { ...bearer, way: email === null ? 'sms' : 'email', address: (email ?? phone)! };
}

/** Who bears a confirmation link in time, and for the first time, is subscribed, and given an hour to change what they receive. */
export async function confirm(
  database: Database,
  { pageId, subscriberId, version, expiresAt }: Link,
): Promise<Link | null> {
  const [row] = await inTransaction(database, async em => {
    await lockPage(em, pageId);
    return query<{ hour: number }>(
      em,
      `update subscriber set ${becomesActive}
       where id = $1 and page_id = $2 and link_version = $3 and not ${isActive} and to_timestamp($4::float8) > clock_timestamp() returning ${inSeconds('1 hour')} as hour`,
      [subscriberId, pageId, version ?? null, expiresAt ?? null],
    );
  });
  return row ? { purpose: 'preferences', pageId, subscriberId, expiresAt: row.hour } : null;
}

/** The columns of who has just confirmed. */
export const becomesActive = `confirmed_at = clock_timestamp(), unsubscribed_at = null, consent_source = 'page',
   link_version = link_version + 1, version = version + 1, updated_at = clock_timestamp()`;

/**
 * From the commit on nothing is sent. Done already, or gone: as well. A code that is still on its way to the phone must not bring them back. Each of two addresses
 * gets a mark of its own: who subscribes again with one of them, or has a phone that was theirs, says nothing of the other. The mail address keeps the id, since
 * their old links are in its mailbox.
 */
export async function unsubscribe(database: Database, { pageId, subscriberId }: Link): Promise<void> {
  await inTransaction(database, async em => {
    await lockPage(em, pageId);
    await query(
      em,
      `with gone as (
         update subscriber s set phone_number = case when s.email is null then s.phone_number end,
           unsubscribed_at = clock_timestamp(), link_version = s.link_version + 1, version = s.version + 1, updated_at = clock_timestamp()
         from subscriber before where before.id = s.id and s.id = $1 and s.page_id = $2 and s.unsubscribed_at is null
         returning s.page_id, s.email, before.phone_number, s.consent_source, s.confirmed_at, s.unsubscribed_at, s.created_at, s.updated_at
       ), parted as (
         insert into subscriber (page_id, phone_number, consent_source, confirmed_at, unsubscribed_at, created_at, updated_at)
         select page_id, phone_number, consent_source, confirmed_at, unsubscribed_at, created_at, updated_at from gone where email is not null and phone_number is not null
       )
       delete from phone_code p using gone where p.page_id = gone.page_id and p.phone_number = gone.phone_number`,
      [subscriberId, pageId],
    );
  });
}

/** False: they are not subscribed any more. */
export function choose(
  database: Database,
  { pageId, subscriberId, expiresAt }: Link,
  { kinds, componentIds }: Choices,
): Promise<boolean> {
  return inTransaction(database, async em => {
    await lockPage(em, pageId);
    const rows = await query(
      em,
      // Who had chosen components that are all gone sees none chosen, as who hears of everything does: sent back as it is, it says nothing.
      `update subscriber set kinds = $3, updated_at = clock_timestamp(), version = version + 1,
         chose_components = $4 or (chose_components and not exists (select 1 from subscriber_component c where c.subscriber_id = subscriber.id))
       where id = $1 and page_id = $2 and ${isActive} and to_timestamp($5::float8) > clock_timestamp() returning id`,
      [subscriberId, pageId, kinds, componentIds.length > 0, expiresAt ?? null],
    );
    if (rows.length) await setComponents(em, pageId, subscriberId, componentIds);
    return rows.length > 0;
  });
}

export async function lockPage(em: EntityManager, pageId: string): Promise<boolean> {
  return (await query(em, 'select 1 from page where id = $1 for no key update', [pageId])).length > 0;
}

async function setComponents(
  em: EntityManager,
  pageId: string,
  id: number,
  componentIds: readonly number[],
): Promise<void> {
  await query(em, 'delete from subscriber_component where subscriber_id = $1', [id]);
  if (!componentIds.length) return;
  await query(
    em,
    'insert into subscriber_component (subscriber_id, component_id) select $1::int, id from component where page_id = $2 and id = any($3::int[])',
    [id, pageId, componentIds],
  );
}
