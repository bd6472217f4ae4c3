import type { EntityManager } from '../db/database.js';
import { query } from '../db/prepared-statements.js';

/** SQL: whether a code is one for a phone number of a page. */
export const isPhoneCodeSql = (code: string, pageId: string, phone: string): string =>
  `${code}.purpose = 'confirm_phone' and split_part(${code}.scope, ' ', 1) = ${pageId} and ${code}.subject = ${phone}`;

/**
 * Returns the ids of those that it has ended. Deletes a pending code, too, which must not subscribe the phone again.
 * Each of two addresses gets a record of its own that says it has unsubscribed: subscribing one of them again, perhaps
 * by a new owner of the number, says nothing about the other. The e-mail address keeps the id, since its mailbox has
 * the old links.
 */
export async function endSubscriptions(em: EntityManager, pageId: string, ids: readonly number[]): Promise<number[]> {
  const ended = await query<{ id: number }>(
    em,
    `with gone as (
       update subscriber s set phone_number = case when s.email is null then s.phone_number end,
         unsubscribed_at = clock_timestamp(), link_version = s.link_version + 1,
         version = s.version + 1, updated_at = clock_timestamp()
       from subscriber before
       where before.id = s.id and s.id = any($1::int[]) and s.page_id = $2 and s.unsubscribed_at is null
       returning s.id, s.page_id, s.email, before.phone_number, s.consent_source, s.confirmed_at, s.unsubscribed_at,
         s.created_at, s.updated_at
     ), parted as (
       insert into subscriber
         (page_id, phone_number, consent_source, confirmed_at, unsubscribed_at, created_at, updated_at)
       select page_id, phone_number, consent_source, confirmed_at, unsubscribed_at, created_at, updated_at
       from gone where email is not null and phone_number is not null
     ), codes as (
       delete from one_time_code c using gone
       where ${isPhoneCodeSql('c', 'gone.page_id', 'gone.phone_number')}
     )
     select id from gone`,
    [ids, pageId],
  );
  return ended.map(({ id }) => id);
}

/**
 * A new address is a new record, so that links in the mailbox of the old one cannot change it. It takes over what the
 * operator knows about the subscriber, and a choice of components that are deleted by now.
 */
export async function replaceSubscriber(
  em: EntityManager,
  pageId: string,
  subscriberId: number,
  successorId: number,
): Promise<void> {
  await query(
    em,
    `update subscriber s set first_name = o.first_name, last_name = o.last_name, nickname = o.nickname,
       company = o.company, tag_list = o.tag_list, chose_components = s.chose_components or o.chose_components
     from subscriber o where s.id = $1 and o.id = $2 and o.page_id = $3 and s.page_id = $3`,
    [successorId, subscriberId, pageId],
  );
  await endSubscriptions(em, pageId, [subscriberId]);
}
