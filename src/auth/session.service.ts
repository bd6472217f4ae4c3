import { hash } from 'node:crypto';
import { createCredential } from '../core/ids.js';
import { type AuditedChange, personOrigin } from '../db/audit.js';
import type { Transaction } from '../db/committed-changes.js';
import type { Database } from '../db/database.js';
import { query } from '../db/prepared-statements.js';
import { inTransaction } from '../db/transaction.js';
import { type Grants, type HeldRole, toGrants } from './roles.js';

/** How long a session lasts at most; it ends after 12 hours without a request. */
export const sessionLifetimeSeconds = 30 * 86_400;

/** SQL: when a session ended, or will end without another request. */
export const endedAtSql = (session: string) => `least(${session}.revoked_at,
  ${session}.last_seen_at + interval '12 hours', ${session}.created_at + interval '${sessionLifetimeSeconds} seconds')`;
const isLiveSql = `p.disabled_at is null and ${endedAtSql('s')} > clock_timestamp()`;

export interface Session {
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
    [hashSessionSecret(code), personId],
  );
  return code;
}

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
  em: Transaction,
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
    [personId, hashSessionSecret(secret), userAgent.slice(0, 255).toWellFormed()],
  );
  if (!session) return null;
  const endPrevious = 'update session set revoked_at = clock_timestamp() where hash = $1 and revoked_at is null';
  if (previous) await query(em, endPrevious, [hashSessionSecret(previous)]);
  em.pending.auditEntries.push({
    ...personOrigin(personId, operation, requestId),
    pageId: null,
    subject: 'Session',
    subjectId: String(session.id),
    publicationId: null,
    changes,
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
      [hashSessionSecret(code)],
    );
    return used?.isValid ? beginSession(em, used.personId, 'signInWithLink', browser) : null;
  });
}

/** The memberships of a person, as a list of HeldRole, in the order in which they were given. */
export const membershipsSql = (personId: string): string =>
  `(select coalesce(json_agg(json_build_object('pageId', m.page_id, 'role', m.role) order by m.id), '[]')
    from membership m where m.person_id = ${personId})`;

/** Finds the session with a hash, unless it has ended or its person is disabled. */
export async function findSession(database: Database, hash: string): Promise<Session | undefined> {
  const [row] = await database.query<Omit<Session, 'grants'> & { memberships: HeldRole[] }>(
    `select s.id, s.person_id as "personId",
       s.created_at > clock_timestamp() - interval '10 minutes' as "hasSignedInRecently",
       s.last_seen_at < clock_timestamp() - interval '5 minutes' as "isStale",
       ${membershipsSql('p.id')} as memberships
     from session s join person p on p.id = s.person_id where s.hash = $1 and ${isLiveSql}`,
    [hash],
  );
  if (!row) return undefined;
  const { memberships, ...session } = row;
  return { ...session, grants: toGrants(memberships) };
}

export async function recordRequest({ query: run, log }: Database, id: number): Promise<void> {
  try {
    await run('update session set last_seen_at = clock_timestamp() where id = $1', [id]);
  } catch (error) {
    // A database that is read-only or busy can still be read from.
    log.debug({ err: error }, 'the last use of a session was not recorded');
  }
}

export const hashSessionSecret = (secret: string): string => hash('sha256', secret);
