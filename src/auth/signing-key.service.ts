import type { Database } from '../db/database.js';
import { createCredential } from '../core/ids.js';

/** Returns what loads the signing key once. After a failure the next caller tries again. */
export function cacheSigningKey(database: Pick<Database, 'query'>): () => Promise<Buffer> {
  let key: Promise<Buffer> | undefined;
  return () => {
    key ??= loadSigningKey(database).catch(error => {
      key = undefined;
      throw error;
    });
    return key;
  };
}

/** The key for signed links and keyed hashes. The first process generates it. */
export async function loadSigningKey(database: Pick<Database, 'query'>): Promise<Buffer> {
  const read = async () =>
    (await database.query<{ secret: string }>(`select secret from signing_key where name = 'subscriber links'`))[0]
      ?.secret;
  let secret = await read();
  if (!secret) {
    // If several processes start at once, the first insert wins, and the others read it.
    await database.query(
      `insert into signing_key (name, secret, created_at) values ('subscriber links', $1, clock_timestamp())
       on conflict (name) do nothing`,
      [createCredential()],
    );
    secret = await read();
  }
  return Buffer.from(secret!, 'base64url');
}
