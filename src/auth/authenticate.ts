import type { Settings } from '../core/config.js';
import type { Database } from '../db/connection.js';
import { unauthenticated } from '../core/errors.js';
import type { Caller } from './access.js';
import { grantEverywhere } from './roles.js';
import { findToken, isKnownToken, isSameToken } from './token.service.js';

/**
 * Reads "Authorization: Bearer <ACCESS_TOKEN>"; the scheme in any case. A header without a valid token is refused even
 * where no token is required. `isFresh`: a token that was just revoked is refused, too; else it may be accepted for a
 * second.
 */
export async function authenticate(
  database: Database,
  { anonymousReads, bootstrapToken }: Pick<Settings, 'anonymousReads' | 'bootstrapToken'>,
  authorization: string | undefined,
  isFresh = false,
): Promise<Caller> {
  if (authorization === undefined) return { kind: 'anonymous', reads: anonymousReads };
  const token = parseToken(authorization);
  if (!token) throw unauthenticated();
  if (bootstrapToken && isSameToken(token, bootstrapToken))
    return { kind: 'token', key: 'bootstrap', grants: grantEverywhere('owner') };
  const found = await findToken(database, token, isFresh);
  if (!found) throw unauthenticated();
  return { kind: 'token', key: String(found.id), grants: found.grants };
}

/** Whether a header has a token that this process knows: it was valid, and can have been revoked since. */
export function hasKnownToken(
  database: Database,
  { bootstrapToken }: Pick<Settings, 'bootstrapToken'>,
  authorization: string,
): boolean {
  const token = parseToken(authorization);
  if (!token) return false;
  return isKnownToken(database, token) || (bootstrapToken !== '' && isSameToken(token, bootstrapToken));
}

const parseToken = (authorization: string): string | undefined =>
  /^bearer +([\x21-\x7e]{1,512}) *$/i.exec(authorization)?.[1];
