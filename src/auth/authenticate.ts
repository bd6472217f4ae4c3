import { settings } from '../core/config.js';
import type { Database } from '../db/connection.js';
import { unauthenticated } from '../core/errors.js';
import type { Caller } from './access.js';
import { findToken, same } from './token.service.js';

/** "Authorization: Bearer <ACCESS_TOKEN>"; the scheme in any case. A header that names no good token is refused, wherever it is sent. */
export async function callerOf(database: Database, authorization: string | undefined): Promise<Caller> {
  if (authorization === undefined) return { kind: 'anonymous' };
  const token = /^bearer +([\x21-\x7e]{1,512}) *$/i.exec(authorization)?.[1];
  if (!token) throw unauthenticated();
  if (settings.bootstrapToken && same(token, settings.bootstrapToken))
    return { kind: 'token', key: 'bootstrap', scope: 'write' };
  const found = await findToken(database, token);
  if (!found) throw unauthenticated();
  return { kind: 'token', key: String(found.id), scope: found.scope };
}
