import { hash } from 'node:crypto';
import { issueCode, redeemCode } from '../auth/one-time-code.service.js';
import { keyedHash } from '../core/keyed-hash.js';
import type { Database } from '../db/database.js';
import { inTransaction } from '../db/transaction.js';
import { maxPasswordLength, type PagePasswords } from './page-password.js';

/** The reader of the mail to an address that may see the page, in the browser that requested the code. */
export interface AddressReader {
  pageId: string;
  address: string;
  browserSecret: string;
}

/** The tries of other browsers, and the codes that they request, leave the code valid. */
const toHolder = (key: Buffer, { pageId, address, browserSecret }: AddressReader) =>
  ({
    purpose: 'view_page',
    scope: keyedHash(key, 'page browser', pageId, browserSecret),
    subject: keyedHash(key, 'page address', pageId, address),
  }) as const;

export const issueAccessCode = (database: Database, key: Buffer, reader: AddressReader): Promise<string> =>
  inTransaction(database, em => issueCode(em, key, toHolder(key, reader)));

export const redeemAccessCode = (
  database: Database,
  key: Buffer,
  reader: AddressReader,
  code: string,
): Promise<boolean> =>
  inTransaction(database, em => redeemCode(em, key, toHolder(key, reader), code.replace(/\D/g, '')));

/** Whether a password is that of a page, in the version of the access that the visitor was shown. */
export type PasswordCheck = (database: Database, pageId: string, version: number, given: string) => Promise<boolean>;

export const createPasswordCheck =
  (passwords: Pick<PagePasswords, 'isRight'>): PasswordCheck =>
  async (database, pageId, version, given) => {
    if (given.length > maxPasswordLength) return false;
    const [page] = await database.query<{ hash: string | null }>(
      'select password_hash as hash from page where id = $1 and access_version = $2',
      [pageId, version],
    );
    return page?.hash ? passwords.isRight(given, page.hash) : false;
  };

const maxTries = 10;

/** A network that tries to see a page. Stored as a keyed hash. */
const toTryKey = (key: Buffer, pageId: string, network: string) => [pageId, keyedHash(key, 'access network', network)];

/** Counts a try before it is checked: 10 in 10 minutes. Returns for how many seconds it is refused; 0 if it is not. */
export async function countTry(database: Database, key: Buffer, pageId: string, network: string): Promise<number> {
  const [counted] = await database.query<{ tries: number; seconds: number }>(
    `insert into access_try as counted (page_id, network, tries, expires_at)
     values ($1, $2, 1, clock_timestamp() + interval '10 minutes')
     on conflict (page_id, network) do update set
       tries = case when counted.expires_at < clock_timestamp() then 1 else counted.tries + 1 end,
       expires_at = case when counted.expires_at < clock_timestamp() then excluded.expires_at
         else counted.expires_at end
     returning tries, ceil(extract(epoch from expires_at - clock_timestamp()))::int as seconds`,
    toTryKey(key, pageId, network),
  );
  return counted!.tries > maxTries ? Math.max(1, counted!.seconds) : 0;
}

/** Takes a try back that was not wrong: an office shares an address. */
export const uncountTry = (database: Database, key: Buffer, pageId: string, network: string): Promise<unknown> =>
  database.query(
    'update access_try set tries = tries - 1 where page_id = $1 and network = $2',
    toTryKey(key, pageId, network),
  );

/** Uses up a token that counts once, within a minute. False if it was used, in any process. */
export async function spendAccessToken(database: Database, token: string): Promise<boolean> {
  const inserted = await database.query(
    `insert into used_access_token (hash, expires_at) values ($1, clock_timestamp() + interval '10 minutes')
     on conflict do nothing returning 1`,
    [hash('sha256', token)],
  );
  return inserted.length > 0;
}

/** The membership by which an enabled person sees a page, by the id of either. A role that comes back has a new one. */
export async function findMembership(
  database: Database,
  by: 'person' | 'membership',
  id: number,
  pageId: string,
): Promise<number | null> {
  const [membership] = await database.query<{ id: number }>(
    `select m.id from membership m join person p on p.id = m.person_id
     where ${by === 'person' ? 'p.id' : 'm.id'} = $1 and (m.page_id is null or m.page_id = $2) and p.disabled_at is null
     order by m.is_mapped, m.id limit 1`,
    [id, pageId],
  );
  return membership?.id ?? null;
}
