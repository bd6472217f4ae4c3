import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../db/connection.js';
import { query } from '../db/prepared-statements.js';
import { createDigitCode } from '../core/ids.js';
import { keyedHash, type Link } from './signed-link.js';
import { activateSql, epochAfterSql, isActiveSql, writeToPage } from './sign-up.service.js';

const maxTries = 5;
const validFor = `interval '10 minutes'`;

const hashCode = (key: Buffer, pageId: string, phone: string, code: string) =>
  keyedHash(key, 'phone code', pageId, phone, code);

/** Creates a code of six digits to be sent to a phone, and invalidates the one before. */
export async function issueCode(database: Database, key: Buffer, pageId: string, phone: string): Promise<string> {
  const code = createDigitCode();
  await database.query(
    `insert into phone_code (page_id, phone_number, hash, expires_at)
     values ($1, $2, $3, clock_timestamp() + ${validFor})
     on conflict (page_id, phone_number)
     do update set hash = excluded.hash, tries = 0, expires_at = excluded.expires_at`,
    [pageId, phone, hashCode(key, pageId, phone, code)],
  );
  return code;
}

/** A correct code confirms the subscriber, or gives an already confirmed one an hour to change preferences. */
export interface RedeemedCode {
  isNew: boolean;
  preferences: Link;
}

/**
 * Counts every try, before the code is compared. Null if it is wrong, expired, tried too often, or of no subscriber.
 */
export function redeemCode(
  database: Database,
  key: Buffer,
  pageId: string,
  phone: string,
  given: string,
): Promise<RedeemedCode | null> {
  const hash = hashCode(key, pageId, phone, given.replace(/\D/g, ''));
  return writeToPage(database, pageId, async em => {
    const [issued] = await query<{ hash: string }>(
      em,
      `update phone_code set tries = tries + 1
       where page_id = $1 and phone_number = $2 and tries < ${maxTries} and expires_at > clock_timestamp()
       returning hash`,
      [pageId, phone],
    );
    if (!issued || !timingSafeEqual(Buffer.from(issued.hash), Buffer.from(hash))) return null;
    await query(em, 'delete from phone_code where page_id = $1 and phone_number = $2', [pageId, phone]);
    const confirmed = await query<Found>(
      em,
      `update subscriber set ${activateSql} where page_id = $1 and phone_number = $2 and not ${isActiveSql}
       returning id, ${epochAfterSql('1 hour')} as hour`,
      [pageId, phone],
    );
    const [found] = confirmed.length
      ? confirmed
      : await query<Found>(
          em,
          `select id, ${epochAfterSql('1 hour')} as hour from subscriber where page_id = $1 and phone_number = $2`,
          [pageId, phone],
        );
    return found
      ? {
          isNew: confirmed.length > 0,
          preferences: { purpose: 'preferences', pageId, subscriberId: found.id, expiresAt: found.hour },
        }
      : null;
  });
}

interface Found {
  id: number;
  hour: number;
}
