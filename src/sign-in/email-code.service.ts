import { timingSafeEqual } from 'node:crypto';
import { beginSession, type SignedIn, type SignInBrowser } from '../auth/session.service.js';
import { Refusal } from '../core/errors.js';
import { createDigitCode } from '../core/ids.js';
import type { Database } from '../db/connection.js';
import { query } from '../db/prepared-statements.js';
import { inTransaction } from '../db/transaction.js';
import { keyedHash } from '../subscribers/signed-link.js';
import { loadSigningKey } from '../subscribers/signing-key.service.js';

/**
 * An address gets 5 codes in an hour, so that guessing has 25 tries of a million in an hour; a network asks for 20, for
 * whatever addresses.
 */
const hourly = { email: 5, network: 20 };
const maxTries = 5;
const retryAfter = 3_600;
/** An advisory lock: of two requests at once one counts the other. */
const lockKey = 0x7369676e;

interface EmailHash {
  key: Buffer;
  email: string;
}

async function hashEmail(database: Database, email: string): Promise<EmailHash> {
  const key = await loadSigningKey(database);
  return { key, email: keyedHash(key, 'sign-in address', email.trim().toLowerCase()) };
}

const hashCode = ({ key, email }: EmailHash, code: string) => keyedHash(key, 'sign-in code', email, code);

/** What to send; null for an address of nobody. */
export type CodeMail = { to: string; code: string } | null;

/**
 * Creates a code for an address and invalidates the one before. An address of nobody takes the same statements and the
 * same limits, so that neither the answer nor its time says who is known.
 */
export async function requestEmailCode(database: Database, email: string, network: string): Promise<CodeMail> {
  const hashed = await hashEmail(database, email);
  const hashedNetwork = keyedHash(hashed.key, 'sign-in network', network);
  const code = createDigitCode();
  return inTransaction(database, async em => {
    await query(em, 'select pg_advisory_xact_lock($1)', [lockKey]);
    await query(em, `delete from email_code where created_at < clock_timestamp() - interval '1 hour'`, []);
    const [asked] = await query<{ email: number; network: number }>(
      em,
      `select count(*) filter (where email = $1)::int as email, count(*) filter (where network = $2)::int as network
       from email_code where email = $1 or network = $2`,
      [hashed.email, hashedNetwork],
    );
    if (asked!.email >= hourly.email || asked!.network >= hourly.network)
      throw new Refusal('THROTTLED', 'Too many codes were asked for. Try again in an hour.', { retryAfter });
    const [created] = await query<{ to: string | null }>(
      em,
      `insert into email_code (email, network, person_id, hash, created_at, expires_at)
       values ($1, $2, (select id from person where lower(email) = lower($3) and disabled_at is null), $4,
         clock_timestamp(), clock_timestamp() + interval '15 minutes')
       returning (select p.email from person p where p.id = person_id) as "to"`,
      [hashed.email, hashedNetwork, email.trim(), hashCode(hashed, code)],
    );
    const { to } = created!;
    return to === null ? null : { to, code };
  });
}

/**
 * Begins a session by the newest code of an address, which is used up by that. Counts every try before the code is
 * compared. Null if it is wrong, used, expired or tried too often, or if nobody has the address.
 */
export async function redeemEmailCode(
  database: Database,
  { email, code }: { email: string; code: string },
  browser: SignInBrowser,
): Promise<SignedIn | null> {
  const hashed = await hashEmail(database, email);
  const hash = hashCode(hashed, code.replace(/\s/g, ''));
  return inTransaction(database, async em => {
    const [issued] = await query<{ id: number; hash: string; personId: number | null }>(
      em,
      `update email_code set tries = tries + 1
       where id = (select id from email_code where email = $1 order by id desc limit 1)
         and tries < ${maxTries} and expires_at > clock_timestamp()
       returning id, hash, person_id as "personId"`,
      [hashed.email],
    );
    if (!issued || !timingSafeEqual(Buffer.from(issued.hash), Buffer.from(hash)) || issued.personId === null)
      return null;
    await query(em, 'update email_code set expires_at = clock_timestamp() where id = $1', [issued.id]);
    return beginSession(em, issued.personId, 'signInWithCode', browser);
  });
}
