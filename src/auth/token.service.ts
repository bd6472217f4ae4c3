import { hash, timingSafeEqual } from 'node:crypto';
import type { Database, EntityManager } from '../db/database.js';
import { query } from '../db/prepared-statements.js';
import { inTransaction } from '../db/transaction.js';
import type { Settings } from '../core/config.js';
import { createCredential } from '../core/ids.js';
import { grantEverywhere, type Grants, type HeldRole, intersectGrants, type Role, toGrants } from './roles.js';
import { membershipsSql } from './session.service.js';

export interface TokenRights {
  role: Role;
  /** Null: all pages. */
  pageIds?: readonly string[] | null;
  hasReadScope?: boolean;
  /** Null: never. */
  expiresAt?: Date | null;
  /** The person to whom it belongs, whose rights limit its own. Null: a service token. */
  personId?: number | null;
  /** The token that made it, with which it is revoked. Null: a person, or the command line. */
  makerId?: number | null;
}

/** The rights of tokens that were made before there were roles. */
export const scopes = {
  read: { role: 'viewer', hasReadScope: true },
  write: { role: 'owner' },
} as const satisfies Record<string, TokenRights>;

export interface ListedToken extends Required<Omit<TokenRights, 'personId' | 'makerId'>> {
  id: number;
  label: string;
  email: string | null;
  prefix: string | null;
  lastFour: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** Runs a statement in a transaction, or in one of its own. */
type RunStatement = <Row extends object>(sql: string, values: unknown[]) => Promise<Row[]>;

/** Inserts a token and returns its secret, the only time; the database stores only its hash. */
export async function insertToken(
  run: RunStatement,
  label: string,
  rights: TokenRights,
): Promise<{ id: number; secret: string }> {
  const { role, pageIds = null, hasReadScope = false, expiresAt = null, personId = null, makerId = null } = rights;
  const secret = createCredential();
  const [row] = await run<{ id: number }>(
    `insert into token (label, role, page_ids, reads_everything, expires_at, person_id, maker_id, prefix, last_four,
       hash, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp())
     returning id`,
    [
      label,
      role,
      pageIds,
      hasReadScope,
      expiresAt,
      personId,
      makerId,
      secret.slice(0, 4),
      secret.slice(-4),
      hashToken(secret),
    ],
  );
  return { id: row!.id, secret };
}

export const listTokens = (database: Database): Promise<ListedToken[]> =>
  database.query(
    `select t.id, label, role, page_ids as "pageIds", reads_everything as "hasReadScope", prefix,
       last_four as "lastFour", t.created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt",
       revoked_at as "revokedAt", email
     from token t left join person p on p.id = t.person_id order by t.id`,
  );

export interface Token {
  id: number;
  grants: Grants;
  /** Whether its use in this hour is recorded. */
  isUsed: boolean;
}

interface TokenRow extends Pick<ListedToken, 'id' | 'role' | 'pageIds' | 'hasReadScope'> {
  isUsed: boolean;
  /** Those of the person to whom it belongs. Null: a service token. */
  memberships: HeldRole[] | null;
}

const tokenSql = `
  select id, role, page_ids as "pageIds", reads_everything as "hasReadScope",
    coalesce(last_used_at >= date_trunc('hour', clock_timestamp()), false) as "isUsed",
    case when person_id is not null then ${membershipsSql('token.person_id')} end as memberships
  from token where revoked_at is null and coalesce(expires_at > clock_timestamp(), true)`;

/** Finds the token with a hash, unless it was revoked or has expired. */
export async function findToken(database: Database, hash: string): Promise<Token | undefined> {
  const [row] = await database.query<TokenRow>(`${tokenSql} and hash = $1`, [hash]);
  return row && { id: row.id, grants: grantsOf(row), isUsed: row.isUsed };
}

/** What the caller with this key is granted now, who is not connected. Null: nothing any more. */
export async function findGrants(
  em: EntityManager,
  { bootstrapToken }: Pick<Settings, 'bootstrapToken'>,
  key: string,
): Promise<Grants | null> {
  if (key === 'bootstrap') return bootstrapToken ? grantEverywhere('owner') : null;
  if (key.startsWith('person ')) {
    const [person] = await query<{ memberships: HeldRole[] }>(
      em,
      `select ${membershipsSql('p.id')} as memberships from person p
       where 'person ' || p.id = $1 and p.disabled_at is null`,
      [key],
    );
    return person ? toGrants(person.memberships) : null;
  }
  const [token] = await query<TokenRow>(em, `${tokenSql} and id::text = $1`, [key]);
  return token ? grantsOf(token) : null;
}

/** Records the hour of its use: more would cost a write for each request. */
export async function markUsed({ query: run, log }: Database, id: number): Promise<void> {
  try {
    await run(`update token set last_used_at = date_trunc('hour', clock_timestamp()) where id = $1`, [id]);
  } catch (error) {
    // A database that is read-only or busy can still be read from.
    log.debug({ err: error }, 'the last use of a token was not recorded');
  }
}

/** What the token grants, and where it belongs to a person, the person has at this time. */
function grantsOf({ role, pageIds, hasReadScope, memberships }: TokenRow): Grants {
  const own: Grants = { ...toGrants((pageIds ?? [null]).map(pageId => ({ pageId, role }))), hasReadScope };
  return memberships ? intersectGrants(own, toGrants(memberships)) : own;
}

export const hashToken = (token: string): string => hash('sha256', token);

/** Compares the hashes in constant time. */
export const isSameToken = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hashToken(one)), Buffer.from(hashToken(other)));

/**
 * Creates a token for everything on a database that has none, not even a revoked one.
 * The lock makes sure that only one of several processes that start at once does so.
 */
export function createFirstToken(database: Database): Promise<string | undefined> {
  const token = createCredential();
  return inTransaction(database, async em => {
    await query(em, 'select pg_advisory_xact_lock($1)', [0x616c6c64]);
    const created = await query(
      em,
      `insert into token (label, role, hash, created_at)
       select 'first', 'owner', $1, clock_timestamp() where not exists (select 1 from token)
       returning id`,
      [hashToken(token)],
    );
    return created.length ? token : undefined;
  });
}
