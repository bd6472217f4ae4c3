import { hash } from 'node:crypto';
import { createCredential } from '../core/ids.js';
import { addAuditEntry, type AuditedChange, personOrigin } from '../db/audit.js';
import type { Database, EntityManager } from '../db/connection.js';
import { query } from '../db/prepared-statements.js';
import { inTransaction } from '../db/transaction.js';
import type { Caller } from './access.js';
import { type Grants, type HeldRole, toGrants } from './roles.js';

/** How long a session lasts at most; it ends after 12 hours without a request. */
export const sessionLifetimeSeconds = 30 * 86_400;
const isLiveSql = `s.revoked_at is null and p.disabled_at is null
  and s.last_seen_at > clock_timestamp() - interval '12 hours'
  and s.created_at > clock_timestamp() - interval '${sessionLifetimeSeconds} seconds'`;

/** For how long a process may accept a session that another process has ended, from the moment it asks for it. */
const cacheTtlMs = 1_000;

interface KnownSession {
  id: number;
  personId: number;
  grants: Grants;
  hasSignedInRecently: boolean;
  /** Whether the next request is to be recorded. */
  isStale: boolean;
}

/** A database, or an open transaction. */
export interface StatementRunner {
  query(sql: string, values: unknown[]): Promise<unknown>;
}

/** Creates the code of a link that signs a person in once, within 15 minutes. The database stores only its hash. */
export async function createSignInCode(database: StatementRunner, personId: number): Promise<string> {
  const code = createCredential();
  await database.query(
    `insert into sign_in_link (hash, person_id, expires_at)
     values ($1, $2, clock_timestamp() + interval '15 minutes')`,
    [toHash(code), personId],
  );
  return code;
}

/** The browser in which somebody signs in. */
export interface SignInBrowser {
  userAgent: string;
  /** The secret of the session that it has. */
  session: string | undefined;
  requestId: string;
}

/** A session that has begun; its secret is for the cookie. */
export interface SignedIn {
  personId: number;
  email: string;
  secret: string;
}

/**
 * Begins a session of a person, whichever way the person has proved who it is. Null for a person who is disabled. The
 * session that the browser had ends. `operation` is that of the audit log.
 */
export async function beginSession(
  em: EntityManager,
  personId: number,
  operation: string,
  { userAgent, session: previous, requestId }: SignInBrowser,
  changes: AuditedChange[] = [],
): Promise<SignedIn | null> {
  const secret = createCredential();
  const [session] = await query<{ id: number; email: string }>(
    em,
    `insert into session (person_id, hash, user_agent, created_at, last_seen_at)
     select id, $2, $3, clock_timestamp(), clock_timestamp() from person where id = $1 and disabled_at is null
     returning id, (select p.email from person p where p.id = $1) as email`,
    [personId, toHash(secret), userAgent.slice(0, 255).toWellFormed()],
  );
  if (!session) return null;
  const endPrevious = 'update session set revoked_at = clock_timestamp() where hash = $1 and revoked_at is null';
  if (previous) await query(em, endPrevious, [toHash(previous)]);
  addAuditEntry(em, {
    ...personOrigin(personId, operation, requestId),
    ...{ pageId: null, subject: 'Session', subjectId: String(session.id), publicationId: null, changes },
  });
  return { personId, email: session.email, secret };
}

/** Uses up the code of a link, and begins a session. Null for a code that is unknown, used or too old. */
export function redeemSignInCode(database: Database, code: string, browser: SignInBrowser): Promise<SignedIn | null> {
  return inTransaction(database, async em => {
    const [used] = await query<{ personId: number; isValid: boolean }>(
      em,
      `delete from sign_in_link where hash = $1
       returning person_id as "personId", expires_at > clock_timestamp() as "isValid"`,
      [toHash(code)],
    );
    return used?.isValid ? beginSession(em, used.personId, 'signInWithLink', browser) : null;
  });
}

type SessionCache = Map<string, KnownSession & { cachedUntil: number }>;
const caches = new WeakMap<Database['orm'], SessionCache>();

function cacheOf({ orm }: Database): SessionCache {
  const cache = caches.get(orm) ?? new Map();
  caches.set(orm, cache);
  return cache;
}

/** Whether a session with this secret was found lately; it may have ended since. */
export const isKnownSession = (database: Database, secret: string): boolean => cacheOf(database).has(toHash(secret));

/** The memberships of a person, as a list of HeldRole. */
export const membershipsSql = (personId: string): string =>
  `(select coalesce(json_agg(json_build_object('pageId', m.page_id, 'role', m.role)), '[]')
    from membership m where m.person_id = ${personId})`;

/** Finds the session with a secret, unless it has ended or its person is disabled. */
async function findSession(database: Database, secret: string, isFresh = false): Promise<KnownSession | undefined> {
  const cache = cacheOf(database);
  const key = toHash(secret);
  const cached = cache.get(key);
  const askedAt = performance.now();
  if (!isFresh && cached && cached.cachedUntil > askedAt) return cached;
  const [found] = await database.query<Omit<KnownSession, 'grants'> & { memberships: HeldRole[] }>(
    `select s.id, s.person_id as "personId",
       s.created_at > clock_timestamp() - interval '10 minutes' as "hasSignedInRecently",
       s.last_seen_at < clock_timestamp() - interval '5 minutes' as "isStale",
       ${membershipsSql('p.id')} as memberships
     from session s join person p on p.id = s.person_id where s.hash = $1 and ${isLiveSql}`,
    [key],
  );
  cache.delete(key);
  if (!found) return undefined;
  const { memberships, ...session } = found;
  const known = { ...session, grants: toGrants(memberships), cachedUntil: askedAt + cacheTtlMs };
  cache.set(key, known);
  return known;
}

/** The person of a session; undefined if it has ended. */
export async function authenticateSession(database: Database, secret: string): Promise<Caller | undefined> {
  const session = await findSession(database, secret);
  if (session?.isStale) await recordRequest(database, session);
  return session && toCaller(session);
}

/**
 * The person of a session as it is now, for what goes on without requests: an open stream does not keep a session from
 * its end, and ends with it.
 */
export async function checkSession(database: Database, secret: string): Promise<Caller | undefined> {
  const session = await findSession(database, secret, true);
  return session && toCaller(session);
}

async function recordRequest({ query: run, log }: Database, session: KnownSession): Promise<void> {
  session.isStale = false;
  try {
    await run('update session set last_seen_at = clock_timestamp() where id = $1', [session.id]);
  } catch (error) {
    // A database that is read-only or busy can still be read from.
    log.debug({ err: error }, 'the last use of a session was not recorded');
  }
}

function toCaller(session: KnownSession): Caller {
  const { id: sessionId, personId, grants, hasSignedInRecently } = session;
  return { kind: 'person', key: `person ${personId}`, sessionId, personId, grants, hasSignedInRecently };
}

const toHash = (secret: string): string => hash('sha256', secret);
