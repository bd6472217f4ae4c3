import { hash, timingSafeEqual } from 'node:crypto';
import type { Database } from '../db/connection.js';
import { query } from '../db/prepared-statements.js';
import { inTransaction } from '../records/writer.js';
import { credential } from '../core/ids.js';
import type { Token } from './token.entity.js';

export type Scope = Token['scope'];
export type ListedToken = Pick<Token, 'id' | 'label' | 'scope' | 'createdAt' | 'revokedAt'>;

/** Made, the only time that it is seen. */
export async function createToken(database: Database, label: string, scope: Scope): Promise<string> {
  const token = credential();
  await database.query('insert into token (label, scope, hash, created_at) values ($1, $2, $3, clock_timestamp())', [
    label,
    scope,
    hashOf(token),
  ]);
  return token;
}

export const listTokens = (database: Database): Promise<ListedToken[]> =>
  database.query(
    'select id, label, scope, created_at as "createdAt", revoked_at as "revokedAt" from token order by id',
  );

/** False when there is no such token, or it was revoked before. */
export async function revokeToken(database: Database, id: number): Promise<boolean> {
  const revoked = await database.query(
    'update token set revoked_at = clock_timestamp() where id = $1 and revoked_at is null returning id',
    [id],
  );
  known.clear();
  return revoked.length > 0;
}

/** How long a process may go on believing in a token that another one revoked: milliseconds. */
export const belief = 1_000;

/** Tokens that were good a moment ago; only good ones, so that nobody can fill it. */
const known = new Map<string, { id: number; scope: Scope; until: number }>();

export async function findToken(database: Database, token: string): Promise<{ id: number; scope: Scope } | undefined> {
  const hash = hashOf(token);
  const held = known.get(hash);
  if (held && held.until > performance.now()) return held;
  known.delete(hash);
  const [found] = await database.query<{ id: number; scope: Scope }>(
    'select id, scope from token where hash = $1 and revoked_at is null',
    [hash],
  );
  if (found) known.set(hash, { ...found, until: performance.now() + belief });
  return found;
}

const hashOf = (token: string): string => hash('sha256', token);

/** Compares in a time that does not tell how much of it was right. */
export const same = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)));

/** On a database without any token, even a revoked one: makes one for all. Of processes that start at once one does, under the lock. */
export function createFirstToken(database: Database): Promise<string | undefined> {
  const token = credential();
  return inTransaction(database, async em => {
    await query(em, 'select pg_advisory_xact_lock($1)', [0x616c6c64]);
    const made = await query(
      em,
      `insert into token (label, scope, hash, created_at) select 'first', 'write', $1, clock_timestamp() where not exists (select 1 from token) returning id`,
      [hashOf(token)],
    );
    return made.length ? token : undefined;
  });
}
