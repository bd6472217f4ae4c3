import { issueCode, redeemCode } from '../../auth/one-time-code.service.js';
import { beginSession, type SignedIn, type SignInBrowser } from '../../auth/session.service.js';
import { Refusal } from '../../core/errors.js';
import { parseEmailAddress } from '../../core/address.js';
import { createCredential } from '../../core/ids.js';
import { isSameHash, keyedHash } from '../../core/keyed-hash.js';
import type { Database, EntityManager } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { inTransaction } from '../../db/transaction.js';
import { loadSigningKey } from '../../auth/signing-key.service.js';

/**
 * A network gets 5 codes in an hour for an address, and 20 for all addresses. An address gets 30 from all networks and
 * 5 more in known browsers, so that guessing has 175 tries of 100 million in an hour, and one network cannot keep a
 * person from asking.
 */
const hourly = { emailOfNetwork: 5, network: 20, email: 30 };
const retryAfter = 3_600;
/** An advisory lock: of two requests at once one counts the other. */
const lockKey = 0x7369676e;

/** The cookie that binds a code to the browser that requested it. It outlasts the code. */
const browserCookie = { name: 'sign-in-code', seconds: 1_200 };

/**
 * The cookie of browsers that have signed in as a person by a code. They have 5 codes of their own in an hour, all of
 * them together, so that others who use up those of all networks cannot keep the person from signing in.
 */
const knownBrowserCookie = { name: 'signed-in-before', seconds: 180 * 24 * 3_600 };

/** What a code is bound to: what others request for an address, and their tries, do not touch the code. */
interface CodeBrowser {
  /** Its IPv4 address or IPv6 network. */
  network: string;
  readSecret(name: string): string | undefined;
  setSecret(name: string, value: string, maxAgeSeconds: number): void;
}

const hashAddress = (key: Buffer, purpose: string, email: string) =>
  keyedHash(key, purpose, email.trim().toLowerCase());

const toHolder = (key: Buffer, browserSecret: string, email: string) =>
  ({
    purpose: 'sign_in',
    scope: keyedHash(key, 'sign-in browser', browserSecret),
    subject: hashAddress(key, 'sign-in address', email),
  }) as const;

const createKnownSecret = (key: Buffer, email: string) => hashAddress(key, 'known browser', email);

function isKnownBrowser(key: Buffer, email: string, browser: CodeBrowser): boolean {
  const secret = browser.readSecret(knownBrowserCookie.name);
  return secret !== undefined && isSameHash(secret, createKnownSecret(key, email));
}

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
type CodeMail = { to: string; code: string } | null;

/**
 * Creates a code for an address and a browser, and invalidates the one that the browser had before. An address of
 * nobody takes the same statements and the same limits, so that neither the answer nor its time says who is known.
 */
export async function requestEmailCode(database: Database, email: string, browser: CodeBrowser): Promise<CodeMail> {
  const key = await loadSigningKey(database);
  const secret = createCredential();
  const holder = toHolder(key, secret, email);
  const isKnown = isKnownBrowser(key, email, browser);
  const network = keyedHash(key, 'sign-in network', isKnown ? createKnownSecret(key, email) : browser.network);
  const limits: (keyof typeof hourly)[] = isKnown ? ['emailOfNetwork'] : ['emailOfNetwork', 'network', 'email'];
  const mail = await inTransaction(database, async em => {
    await query(em, 'select pg_advisory_xact_lock($1)', [lockKey]);
    const [requested] = await query<typeof hourly>(
      em,
      `select count(*) filter (where subject = $1 and network = $2)::int as "emailOfNetwork",
         count(*) filter (where network = $2)::int as network, count(*) filter (where subject = $1)::int as email
       from one_time_code
       where purpose = 'sign_in' and (subject = $1 or network = $2)
         and created_at > clock_timestamp() - interval '1 hour'`,
      [holder.subject, network],
    );
    if (limits.some(limit => requested![limit] >= hourly[limit]))
      throw new Refusal('THROTTLED', 'Too many codes were asked for. Try again in an hour.', { retryAfter });
    const code = await issueCode(em, key, holder, network);
    const person = await findPerson(em, email);
    return person ? { to: person.email, code } : null;
  });
  browser.setSecret(browserCookie.name, secret, browserCookie.seconds);
  return mail;
}

/** Begins a session by the newest code that this browser requested for an address. Null: wrong code or address. */
export async function redeemEmailCode(
  database: Database,
  { email: given, code }: { email: string; code: string },
  browser: SignInBrowser & CodeBrowser,
): Promise<SignedIn | null> {
  const secret = browser.readSecret(browserCookie.name);
  // As it was requested: the code is bound to this form, and by it the person is found.
  const email = parseEmailAddress(given);
  if (secret === undefined || email === null) return null;
  const key = await loadSigningKey(database);
  return inTransaction(database, async em => {
    if (!(await redeemCode(em, key, toHolder(key, secret, email), code.replace(/\s/g, '')))) return null;
    const person = await findPerson(em, email);
    if (!person) return null;
    const signedIn = await beginSession(em, person.id, 'signInWithCode', browser);
    const { name, seconds } = knownBrowserCookie;
    browser.setSecret(name, createKnownSecret(key, email), seconds);
    return signedIn;
  });
}
