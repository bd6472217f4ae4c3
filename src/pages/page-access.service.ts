import { hash, timingSafeEqual } from 'node:crypto';
import { createDigitCode } from '../core/ids.js';
import type { Database } from '../db/connection.js';
import { keyedHash } from '../subscribers/signed-link.js';
import { isPassword } from './page-password.js';

const maxTries = 5;

const hashAddress = (key: Buffer, pageId: string, address: string) => keyedHash(key, 'page address', pageId, address);
const hashCode = (key: Buffer, pageId: string, address: string, code: string) =>
  keyedHash(key, 'page code', pageId, address, code);

/** Creates a code of six digits, valid for 10 minutes, and invalidates the one before. */
export async function issueAccessCode(
  database: Database,
  key: Buffer,
  pageId: string,
  address: string,
): Promise<string> {
  const code = createDigitCode();
  await database.query(
    `insert into page_access_code (page_id, address, hash, expires_at)
     values ($1, $2, $3, clock_timestamp() + interval '10 minutes')
     on conflict (page_id, address) do update set hash = excluded.hash, tries = 0, expires_at = excluded.expires_at`,
    [pageId, hashAddress(key, pageId, address), hashCode(key, pageId, address, code)],
  );
  return code;
}

/** Uses a code up. Counts every try, before the code is compared. */
export async function redeemAccessCode(
  database: Database,
  key: Buffer,
  pageId: string,
  address: string,
  given: string,
): Promise<boolean> {
  const [issued] = await database.query<{ hash: string }>(
    `update page_access_code set tries = tries + 1
     where page_id = $1 and address = $2 and tries < ${maxTries} and expires_at > clock_timestamp() returning hash`,
    [pageId, hashAddress(key, pageId, address)],
  );
  const givenHash = hashCode(key, pageId, address, given.replace(/\D/g, ''));
  if (!issued || !timingSafeEqual(Buffer.from(issued.hash), Buffer.from(givenHash))) return false;
  // Of two requests with the same code one deletes it.
  const used = await database.query('delete from page_access_code where page_id = $1 and hash = $2 returning 1', [
    pageId,
    givenHash,
  ]);
  return used.length > 0;
}

/** Whether a password is that of the page, in the version of the access that the visitor was shown. */
export async function isPagePassword(
  database: Database,
  pageId: string,
  version: number,
  given: string,
): Promise<boolean> {
  const [page] = await database.query<{ hash: string | null }>(
    'select password_hash as hash from page where id = $1 and access_version = $2',
    [pageId, version],
  );
  return page?.hash ? isPassword(given, page.hash) : false;
}

/** Uses a token up that counts once, within a minute. False for one that was used, in whatever process. */
export async function spendAccessToken(database: Database, token: string): Promise<boolean> {
  const inserted = await database.query(
    `with expired as (delete from used_access_token where expires_at < clock_timestamp())
     insert into used_access_token (hash, expires_at) values ($1, clock_timestamp() + interval '10 minutes')
     on conflict do nothing returning 1`,
    [hash('sha256', token)],
  );
  return inserted.length > 0;
}

/**
 * The membership by which a person who is not disabled sees a page, by the id of either; null if there is none. A role
 * that was taken away never comes back as the same membership.
 */
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
