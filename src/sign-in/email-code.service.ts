import { issueCode, redeemCode } from '../auth/one-time-code.service.js';
import { beginSession, type SignedIn, type SignInBrowser } from '../auth/session.service.js';
import { Refusal } from '../core/errors.js';
import { keyedHash } from '../core/keyed-hash.js';
import type { Database, EntityManager } from '../db/connection.js';
import { query } from '../db/prepared-statements.js';
import { inTransaction } from '../db/transaction.js';
import { loadSigningKey } from '../auth/signing-key.service.js';

/**
 * An address gets 5 codes in an hour, so that guessing has 25 tries of a million in an hour; a network asks for 20, for
 * whatever addresses.
 */
const hourly = { email: 5, network: 20 };
const retryAfter = 3_600;
/** An advisory lock: of two requests at once one counts the other. */
const lockKey = 0x7369676e;

const toHolder = (key: Buffer, email: string) =>
  ({
    purpose: 'sign_in',
    scope: '',
    subject: keyedHash(key, 'sign-in address', email.trim().toLowerCase()),
  }) as const;

/** The enabled person with an address. */
async function findPerson(em: EntityManager, email: string): Promise<{ id: number; email: string } | undefined> {
  const [person] = await query<{ id: number; email: string }>(
    em,
    'select id, email from person where lower(email) = lower($1) and disabled_at is null',
    [email.trim()],
  );
  return person;
}

/** What to send; null for an address of nobody. */
export type CodeMail = { to: string; code: string } | null;

/**
 * Creates a code for an address and invalidates the one before. An address of nobody takes the same statements and the
 * same limits, so that neither the answer nor its time says who is known.
 */
export async function requestEmailCode(database: Database, email: string, network: string): Promise<CodeMail> {
  const key = await loadSigningKey(database);
  const holder = toHolder(key, email);
  const hashedNetwork = keyedHash(key, 'sign-in network', network);
  return inTransaction(database, async em => {
    await query(em, 'select pg_advisory_xact_lock($1)', [lockKey]);
    const [requested] = await query<{ email: number; network: number }>(
      em,
      `select count(*) filter (where subject = $1)::int as email, count(*) filter (where network = $2)::int as network
       from one_time_code
       where purpose = 'sign_in' and (subject = $1 or network = $2)
         and created_at > clock_timestamp() - interval '1 hour'`,
      [holder.subject, hashedNetwork],
    );
    if (requested!.email >= hourly.email || requested!.network >= hourly.network)
      throw new Refusal('THROTTLED', 'Too many codes were asked for. Try again in an hour.', { retryAfter });
    const code = await issueCode(em, key, holder, hashedNetwork);
    const person = await findPerson(em, email);
    return person ? { to: person.email, code } : null;
  });
}

/**
 * Begins a session by the newest code of an address. Null if the code is not accepted, or if nobody has the address.
 */
export async function redeemEmailCode(
  database: Database,
  { email, code }: { email: string; code: string },
  browser: SignInBrowser,
): Promise<SignedIn | null> {
  const key = await loadSigningKey(database);
  return inTransaction(database, async em => {
    if (!(await redeemCode(em, key, toHolder(key, email), code.replace(/\s/g, '')))) return null;
    const person = await findPerson(em, email);
    return person ? beginSession(em, person.id, 'signInWithCode', browser) : null;
  });
}
