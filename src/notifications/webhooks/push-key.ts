import { createECDH } from 'node:crypto';
import type { RunQuery } from '../../db/prepared-statements.js';
import { EncryptedColumn, type SecretSettings } from '../page-channels/encrypted-column.js';
import { privateKeyText } from '../page-channels/stored-formats.js';

/** The key pair by which push services recognize the installation (VAPID). A subscription is bound to it. */
interface PushKey {
  /** base64url, as browsers take it. */
  publicKey: string;
  privateKey: string;
}

const name = 'web push';

export const pushKeyColumn = new EncryptedColumn({
  table: 'signing_key',
  name: 'secret',
  format: privateKeyText,
  keys: ['name'],
  where: `name = '${name}'`,
  toContext: (row: { name: string }) => row.name,
});

const findStored = async (run: RunQuery): Promise<string | undefined> =>
  (await run<{ secret: string }>('select secret from signing_key where name = $1', [name]))[0]?.secret;

/** The first process that needs it generates it. */
export async function loadPushKey(run: RunQuery, settings: SecretSettings): Promise<PushKey> {
  let stored = await findStored(run);
  if (!stored) {
    const pair = createECDH('prime256v1');
    pair.generateKeys();
    // It has 32 bytes, also where they begin with zeros.
    const privateKey = Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url');
    // Of several processes the first insert wins.
    await run(
      `insert into signing_key (name, secret, created_at) values ($1, $2, clock_timestamp())
       on conflict (name) do nothing`,
      [name, pushKeyColumn.seal(settings, { name }, privateKey)],
    );
    stored = (await findStored(run))!;
  }
  return toPushKey(pushKeyColumn.open(settings, { name }, stored));
}

/** Throws if it is not a private key. */
export function toPushKey(privateKey: string): PushKey {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  return { publicKey: pair.getPublicKey('base64url'), privateKey };
}

export function isPushKey(privateKey: string): boolean {
  if (Buffer.from(privateKey, 'base64url').length !== 32) return false;
  try {
    return Boolean(toPushKey(privateKey));
  } catch {
    return false;
  }
}
