import type { Settings } from '../core/config.js';
import type { Database } from '../db/database.js';
import { Keyring, readKeyId } from '../notifications/page-channels/keyring.js';

type SecretSettings = Pick<Settings, 'secretsKey'>;

/** Of a source, by its hash: its id is not known before it is stored, and a rotation seals the secret again. */
const toContext = (hash: string) => `alert source ${hash}`;

const clearPrefix = 'clear:';

/** As it is stored: encrypted where SECRETS_KEY is set. */
export function sealSecret(settings: SecretSettings, hash: string, secret: string): string {
  const keyring = new Keyring(settings);
  return keyring.currentId ? keyring.encrypt(secret, toContext(hash)) : `${clearPrefix}${secret}`;
}

export const openSecret = (settings: SecretSettings, hash: string, stored: string): string =>
  stored.startsWith(clearPrefix)
    ? stored.slice(clearPrefix.length)
    : new Keyring(settings).decrypt(stored, toContext(hash));

/** Encrypts the secrets that are in clear, or by an older key. Throws where a key is missing. */
export async function encryptSourceSecrets(database: Pick<Database, 'query'>, settings: SecretSettings): Promise<void> {
  const { currentId } = new Keyring(settings);
  const rows = await database.query<{ id: number; hash: string; secret: string }>(
    'select id, hash, secret from alert_source where secret is not null',
  );
  for (const { id, hash, secret } of rows) {
    const opened = openSecret(settings, hash, secret);
    if (!currentId || readKeyId(secret) === currentId) continue;
    await database.query('update alert_source set secret = $2 where id = $1 and secret = $3', [
      id,
      sealSecret(settings, hash, opened),
      secret,
    ]);
  }
}
