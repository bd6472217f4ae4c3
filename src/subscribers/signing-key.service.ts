import type { Database } from '../db/connection.js';
import { createCredential } from '../core/ids.js';

/** By database: a process has one, tests have several. */
const keys = new WeakMap<object, Promise<Buffer>>();

/** The key by which links to subscribers are signed, and what must not be guessed is hashed. Read once a process; the first of all processes makes it. */
export function signingKey(database: Pick<Database, 'query' | 'orm'>): Promise<Buffer> {
  let key = keys.get(database.orm);
  if (!key) {
    key = readOrMake(database);
    keys.set(database.orm, key);
    // What failed is tried again by whoever asks next.
    key.catch(() => keys.delete(database.orm));
  }
  return key;
}

async function readOrMake(database: Pick<Database, 'query'>): Promise<Buffer> {
  const read = async () =>
    (await database.query<{ secret: string }>(`select secret from signing_key where name = 'subscriber links'`))[0]
      ?.secret;
  let secret = await read();
  if (!secret) {
    // Of several processes one is first, and the others read what it made.
    await database.query(
      `insert into signing_key (name, secret, created_at) values ('subscriber links', $1, clock_timestamp()) on conflict (name) do nothing`,
      [createCredential()],
    );
    secret = await read();
  }
  return Buffer.from(secret!, 'base64url');
}
