import { insertToken, type TokenRights } from '../../src/auth/token.service.js';
import type { Database } from '../../src/db/database.js';
import type { TestService } from './service.js';

/** Creates a token with any rights, and returns its secret. */
export const createToken = async (database: Database, label: string, rights: TokenRights): Promise<string> =>
  (await insertToken((sql, values) => database.query(sql, values), label, rights)).secret;

/** Revokes a token with effect at once. Returns false when there is none, or it is revoked already. */
export async function revokeToken({ database, authenticator }: TestService, id: number): Promise<boolean> {
  const revoked = await database.query(
    'update token set revoked_at = clock_timestamp() where id = $1 and revoked_at is null returning id',
    [id],
  );
  authenticator.forget();
  return revoked.length > 0;
}
