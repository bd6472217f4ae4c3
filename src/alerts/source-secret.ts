import type { Settings } from '../core/config.js';
import type { EncryptedColumn } from '../notifications/page-channels/encrypted-column.js';
import { Keyring, textKeyId } from '../notifications/page-channels/keyring.js';

type SecretSettings = Pick<Settings, 'secretsKey'>;

/** Of a source, by its hash: its id is not known before it is stored, and a rotation encrypts the secret again. */
const toContext = (hash: unknown) => `alert source ${hash}`;

/** As it is stored: encrypted where SECRETS_KEY is set. */
export const encryptSecret = (settings: SecretSettings, hash: string, secret: string): string =>
  new Keyring(settings).encryptText(secret, toContext(hash));

export const decryptSecret = (settings: SecretSettings, hash: string, stored: string): string =>
  new Keyring(settings).decryptText(stored, toContext(hash));

export const sourceSecretColumn: EncryptedColumn = {
  table: 'alert_source',
  name: 'secret',
  type: 'text',
  keys: ['id', 'hash'],
  keyId: textKeyId('secret'),
  encryptAgain: (settings, value, { hash }) =>
    encryptSecret(settings, String(hash), decryptSecret(settings, String(hash), String(value))),
};
