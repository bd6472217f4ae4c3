import type { Database, EntityManager } from '../db/database.js';
import { query, queryInTransaction } from '../db/prepared-statements.js';
import { liftSuspensionOf } from '../notifications/delivery/suspension.js';
import type { NoticeType } from '../notices/notice.states.js';
import { Page } from '../pages/page.entity.js';
import { Writer } from '../records/writer.js';
import { chosenAtSql, setChosenComponents } from './chosen-components.js';
import { endSubscriptions, replaceSubscriber } from './end-subscription.js';
import { hashAddress, type Link } from './signed-link.js';
import type { ContactMethod } from './subscription-request.service.js';

/** What a subscriber is notified about. No components means everything, future components included. */
export interface Choices {
  kinds: readonly NoticeType[];
  componentIds: readonly number[];
}

interface SignUp extends Choices {
  method: ContactMethod;
  /** In the canonical form of `parseEmailAddress` or `parsePhoneNumber`. */
  address: string;
}

export interface AddressedLink {
  address: string;
  link: Link;
}

/** Confirmed and not unsubscribed: nobody else is notified. */
export const isActiveSql = '(confirmed_at is not null and unsubscribed_at is null)';

/** Epoch seconds as a float: an int ends in 2038, and the driver returns a bigint as text. */
export const epochAfterSql = (interval: string) =>
  `floor(extract(epoch from clock_timestamp() + interval '${interval}'))::float8`;
const addressColumn = (method: ContactMethod) => (method === 'email' ? 'email' : 'phone_number');
const hasAddressSql = (method: ContactMethod) =>
  method === 'email' ? 'lower(email) = lower($2)' : 'phone_number = $2';

/**
 * Stores the choices until the address is confirmed. Nothing changes for an active subscriber, who gets a link to
 * change preferences instead. Returns the link and the stored address to send it to: an address that only compares as
 * equal may be that of somebody else.
 */
export function signUp(
  database: Database,
  pageId: string,
  { method, address, kinds, componentIds }: SignUp,
): Promise<AddressedLink | null> {
  return writeToPage(database, pageId, async em => {
    const [subscriber] = await query<{
      id: number;
      address: string;
      active: boolean;
      version: number;
      week: number;
      hour: number;
    }>(
      em,
      `select id, ${addressColumn(method)} as address, ${isActiveSql} as active, link_version as version,
         ${epochAfterSql('7 days')} as week, ${epochAfterSql('1 hour')} as hour
       from subscriber where page_id = $1 and ${hasAddressSql(method)}`,
      [pageId, address],
    );
    if (subscriber?.active)
      return {
        address: subscriber.address,
        link: { purpose: 'preferences', pageId, subscriberId: subscriber.id, expiresAt: subscriber.hour },
      };
    const [row] = subscriber
      ? await query<Row>(
          em,
          `update subscriber
           set kinds = $2, chose_components = $3, updated_at = clock_timestamp(), version = version + 1 where id = $1
           returning id, link_version as version, ${epochAfterSql('7 days')} as week`,
          [subscriber.id, kinds, componentIds.length > 0],
        )
      : await query<Row>(
          em,
          `insert into subscriber
             (page_id, ${addressColumn(method)}, kinds, chose_components, consent_source, created_at, updated_at)
           values ($1, $2, $3, $4, 'page', clock_timestamp(), clock_timestamp())
           returning id, link_version as version, ${epochAfterSql('7 days')} as week`,
          [pageId, address, kinds, componentIds.length > 0],
        );
    await setChosenComponents(em, 'subscriber', { pageId, id: row!.id, componentIds });
    const link: Link = {
      purpose: 'confirm',
      pageId,
      subscriberId: row!.id,
      version: row!.version,
      expiresAt: row!.week,
    };
    return { address: subscriber?.address ?? address, link };
  });
}

interface Row {
  id: number;
  version: number;
  week: number;
}

/** A link that is valid for 1 hour, for an active subscriber; null for everybody else. */
export async function createPreferencesLink(
  database: Database,
  pageId: string,
  method: ContactMethod,
  address: string,
): Promise<AddressedLink | null> {
  const [subscriber] = await database.query<{ id: number; address: string; hour: number }>(
    `select id, ${addressColumn(method)} as address, ${epochAfterSql('1 hour')} as hour from subscriber
     where page_id = $1 and ${hasAddressSql(method)} and ${isActiveSql}`,
    [pageId, address],
  );
  return subscriber
    ? {
        address: subscriber.address,
        link: { purpose: 'preferences', pageId, subscriberId: subscriber.id, expiresAt: subscriber.hour },
      }
    : null;
}

/** What the holder of a signed link may see of the subscriber. */
export interface LinkHolder {
  id: number;
  method: ContactMethod;
  address: string;
  active: boolean;
  /** The link has not expired or been used, and the subscriber still has the address that it was sent to. */
  valid: boolean;
  kinds: NoticeType[];
  componentIds: number[];
  choseComponents: boolean;
  /** It has an e-mail address, and no other address. */
  hasEmailOnly: boolean;
}

/** Null if the page has no such subscriber (any more). */
export async function loadLinkHolder(
  database: Pick<Database, 'query'>,
  key: Buffer,
  { pageId, subscriberId, expiresAt, version, address: sentTo }: Link,
): Promise<LinkHolder | null> {
  const [subscriber] = await database.query<LinkHolder & { email: string | null; phone: string | null }>(
    `select id, email, phone_number as phone, ${isActiveSql} as active, kinds, chose_components as "choseComponents",
       array(
         select c.component_id from subscriber_component c where c.subscriber_id = s.id order by 1
       ) as "componentIds",
       ($3::float8 is null or to_timestamp($3::float8) > clock_timestamp())
         and ($4::int is null or (link_version = $4 and not ${isActiveSql})) as valid
     from subscriber s where id = $1 and page_id = $2`,
    [subscriberId, pageId, expiresAt ?? null, version ?? null],
  );
  if (!subscriber) return null;
  const { email, phone, ...holder } = subscriber;
  const method = email === null ? 'sms' : 'email';
  const isSentTo = (address: string | null) => address !== null && hashAddress(key, address) === sentTo;
  const valid = holder.valid && (sentTo === undefined || isSentTo(email) || isSentTo(phone));
  return { ...holder, valid, method, address: (email ?? phone)!, hasEmailOnly: phone === null };
}

/** Confirms by a link that is valid and unused. Returns a link to change preferences within an hour. */
export async function confirmSubscription(
  database: Database,
  key: Buffer,
  { pageId, subscriberId, version, expiresAt, replaces }: Link,
): Promise<Link | null> {
  return writeToPage(database, pageId, async em => {
    const [row] = await query<{ hour: number }>(
      em,
      `update subscriber set ${activateSql}
       where id = $1 and page_id = $2 and link_version = $3 and not ${isActiveSql}
         and to_timestamp($4::float8) > clock_timestamp()
       returning ${epochAfterSql('1 hour')} as hour`,
      [subscriberId, pageId, version ?? null, expiresAt ?? null],
    );
    if (!row) return null;
    await liftSuspensionOf(em, [subscriberId]);
    if (replaces) await replaceOldAddress(em, key, { pageId, subscriberId, replaces });
    return { purpose: 'preferences', pageId, subscriberId, expiresAt: row.hour };
  });
}

/** Not if an operator has given the old record another address since, which may be that of somebody else. */
async function replaceOldAddress(
  em: EntityManager,
  key: Buffer,
  { pageId, subscriberId, replaces }: Pick<Link, 'pageId' | 'subscriberId'> & Required<Pick<Link, 'replaces'>>,
): Promise<void> {
  const old: Link = { purpose: 'preferences', pageId, subscriberId: replaces.id, address: replaces.address };
  const holder = await loadLinkHolder({ query: queryInTransaction(em) }, key, old);
  if (holder?.valid && holder.hasEmailOnly) await replaceSubscriber(em, pageId, replaces.id, subscriberId);
}

/** Column assignments that confirm a subscriber, who may have left before: earlier messages do not count. */
export const activateSql = `confirmed_at = clock_timestamp(), chosen_at = clock_timestamp(), unsubscribed_at = null,
   consent_source = 'page', link_version = link_version + 1, version = version + 1, updated_at = clock_timestamp()`;

/** Idempotent; from the commit on nothing is sent. */
export async function unsubscribe(database: Database, { pageId, subscriberId }: Link): Promise<void> {
  await writeToPage(database, pageId, em => endSubscriptions(em, pageId, [subscriberId]));
}

/** False if the subscriber is no longer active. The link has arrived, so a suspension is lifted. */
export async function saveChoices(
  database: Database,
  { pageId, subscriberId, expiresAt }: Link,
  { kinds, componentIds }: Choices,
): Promise<boolean> {
  const isSaved = await writeToPage(database, pageId, async em => {
    const rows = await query(
      em,
      // If all chosen components were deleted, the form shows none chosen, as for everything: submitting it unchanged
      // must not subscribe to everything.
      `update subscriber set kinds = $3, updated_at = clock_timestamp(), version = version + 1,
         chosen_at = ${chosenAtSql('subscriber', 'subscriber', { kinds: '$3', componentIds: '$6' })},
         chose_components = $4 or (chose_components
           and not exists (select 1 from subscriber_component c where c.subscriber_id = subscriber.id))
       where id = $1 and page_id = $2 and ${isActiveSql}
         and ($5::float8 is null or to_timestamp($5::float8) > clock_timestamp())
       returning id`,
      [subscriberId, pageId, kinds, componentIds.length > 0, expiresAt ?? null, componentIds],
    );
    if (rows.length) {
      await setChosenComponents(em, 'subscriber', { pageId, id: subscriberId, componentIds });
      await liftSuspensionOf(em, [subscriberId]);
    }
    return rows.length > 0;
  });
  return isSaved ?? false;
}

/** Runs a write by a visitor to a page; null if there is no such page. */
export const writeToPage = <Result>(
  database: Database,
  pageId: string,
  work: (em: EntityManager) => Promise<Result>,
): Promise<Result | null> =>
  new Writer(database, { actor: 'subscriber' }).lockingTransactionOf(
    pageId,
    async unit => (await unit.lock(Page, pageId)) && work(unit.em),
  );
