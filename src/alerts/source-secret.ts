import { EncryptedColumn } from '../notifications/page-channels/encrypted-column.js';
import { secretText } from '../notifications/page-channels/stored-formats.js';

/** Bound to the hash of its source: the id is not known before it is stored, and a rotation encrypts it again. */
export const sourceSecretColumn = new EncryptedColumn({
  table: 'alert_source',
  name: 'secret',
  format: secretText,
  keys: ['id', 'hash'],
  toContext: ({ hash }: { id?: number; hash: string }) => `alert source ${hash}`,
});
