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
  let key = await findSigningKey(database);
  if (!key) {
    // If several processes start at once, the first insert wins, and the others read it.
    await database.query(
      `insert into signing_key (name, secret, created_at) values ('subscriber links', $1, clock_timestamp())
       on conflict (name) do nothing`,
      [createCredential()],
    );
    key = await findSigningKey(database);
  }
  return key!;
}

/** Null where no process has needed it yet. */
export async function findSigningKey(database: Pick<Database, 'query'>): Promise<Buffer | null> {
  const [row] = await database.query<{ secret: string }>(
    `select secret from signing_key where name = 'subscriber links'`,
  );
  return row ? Buffer.from(row.secret, 'base64url') : null;
}
