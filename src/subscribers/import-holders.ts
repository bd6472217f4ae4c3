import type { EntityManager } from '../db/database.js';
import { query } from '../db/prepared-statements.js';
import { weightSql } from '../db/weighted-batches.js';
import type { ImportRow } from './import-row.js';
import { findUnsubscribed } from './unsubscribed-address.js';
import { isActiveSql } from './sign-up.service.js';

/** A stored subscriber who has an address of an imported row. */
export interface Holder {
  id: number;
  hasEmail: boolean;
  isActive: boolean;
  hasLeft: boolean;
  /** How many rows are deleted with it. */
  weight: number;
}

/** The addresses of a row as the database compares them, and the subscribers who have them. */
export interface RowHolders {
  emailKey: string | null;
  phone: string | null;
  byEmail: Holder | null;
  byPhone: Holder | null;
  /** One of them unsubscribed, and its subscriber was deleted since. */
  hasLeft: boolean;
}

const holderSql = (condition: string) => `(
  select json_build_object('id', s.id, 'hasEmail', s.email is not null, 'isActive', ${isActiveSql},
    'hasLeft', s.unsubscribed_at is not null, 'weight', ${weightSql('subscriber', 's.id')})
  from subscriber s where ${condition} and s.page_id between given.page_id and given.page_id)`;

/**
 * Looks up each address of a row in the unique index of its kind. The database compares, since its rules for case
 * decide which addresses are the same.
 *
 * Plan: statistics that are older than the subscribers of the page estimate them at one, and then `page_id = ...` makes
 * any index that begins with the page look as good as that of the address: 500 rows take a minute in place of 20 ms. A
 * range has no such estimate, and is as exact in an index that begins with the address.
 */
export const holdersSql = `
  with given as materialized (
    select n, $1::text as page_id, lower(nullif(email, '')) as email, nullif(phone, '') as phone
    from unnest($2::text[], $3::text[]) with ordinality as u (email, phone, n)
  )
  select given.email as "emailKey", given.phone,
    ${holderSql('lower(s.email) = given.email')} as "byEmail", ${holderSql('s.phone_number = given.phone')} as "byPhone"
  from given order by n`;

/** In the order of the rows. */
export async function findHolders(
  em: EntityManager,
  pageId: string,
  rows: readonly ImportRow[],
): Promise<RowHolders[]> {
  const holders = await query<Omit<RowHolders, 'hasLeft'>>(em, holdersSql, [
    pageId,
    rows.map(({ email }) => email ?? ''),
    rows.map(({ phoneNumber }) => phoneNumber ?? ''),
  ]);
  const addresses = holders.flatMap(listAddresses);
  const unsubscribed = await findUnsubscribed(em, pageId, addresses);
  return holders.map(row => ({ ...row, hasLeft: listAddresses(row).some(address => unsubscribed.has(address)) }));
}

export const listAddresses = ({ emailKey, phone }: Pick<RowHolders, 'emailKey' | 'phone'>): string[] =>
  [emailKey, phone].filter(address => address !== null);
