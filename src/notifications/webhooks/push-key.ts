import { createECDH } from 'node:crypto';
import type { RunQuery } from '../../db/prepared-statements.js';
import type { SecretSettings } from '../page-channels/channel-target.js';
import type { EncryptedColumn } from '../page-channels/encrypted-column.js';
import { Keyring } from '../page-channels/keyring.js';

/** The key pair by which push services recognize the installation (VAPID). A subscription is bound to it. */
interface PushKey {
  /** base64url, as browsers take it. */
  publicKey: string;
  privateKey: string;
}

const name = 'web push';
const sealedPrefix = 'sealed ';

const findStored = async (run: RunQuery): Promise<string | undefined> =>
  (await run<{ secret: string }>('select secret from signing_key where name = $1', [name]))[0]?.secret;

/** The first process that needs it generates it. */
export async function loadPushKey(run: RunQuery, settings: SecretSettings): Promise<PushKey> {
  let stored = await findStored(run);
  if (!stored) {
    const pair = createECDH('prime256v1');
    pair.generateKeys();
    // Of several processes the first insert wins. It has 32 bytes, also where they begin with zeros.
    await run(
      `insert into signing_key (name, secret, created_at) values ($1, $2, clock_timestamp())
       on conflict (name) do nothing`,
      [name, seal(settings, Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'))],
    );
    stored = (await findStored(run))!;
  }
  return toPushKey(open(settings, stored));
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

function seal(settings: SecretSettings, privateKey: string): string {
  const keyring = new Keyring(settings);
  return keyring.currentId ? sealedPrefix + keyring.encrypt(privateKey, name) : privateKey;
}

const open = (settings: SecretSettings, stored: string): string =>
  stored.startsWith(sealedPrefix) ? new Keyring(settings).decrypt(stored.slice(sealedPrefix.length), name) : stored;

export const pushKeyColumn: EncryptedColumn = {
  table: 'signing_key',
  name: 'secret',
  type: 'text',
  keys: ['name'],
  where: `name = '${name}'`,
  keyId: `case when secret like '${sealedPrefix}%'
    then split_part(substr(secret, ${sealedPrefix.length + 1}), ':', 1) end`,
  encryptAgain: (settings, value) => seal(settings, open(settings, String(value))),
};
