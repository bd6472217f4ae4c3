import type { Database } from '../db/connection.js';
import { createCredential } from '../core/ids.js';

/** By database: a process has one, the tests have several. */
const keys = new WeakMap<object, Promise<Buffer>>();

/** The key for signed links and keyed hashes. Cached in the process; the first process generates it. */
export function loadSigningKey(database: Pick<Database, 'query' | 'orm'>): Promise<Buffer> {
  let key = keys.get(database.orm);
  if (!key) {
    key = readOrCreate(database);
    keys.set(database.orm, key);
    // The next caller tries again.
    key.catch(() => keys.delete(database.orm));
  }
  return key;
}

async function readOrCreate(database: Pick<Database, 'query'>): Promise<Buffer> {
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
