import { alertBrowserColumn } from '../alerts/browser.service.js';
import { sourceSecretColumn } from '../alerts/source-secret.js';
import type { Settings } from '../core/config.js';
import type { Database } from '../db/database.js';
import { refreshTokenColumn } from '../notifications/mail-tokens/stored-refresh-token.js';
import { channelTargetColumn } from '../notifications/page-channels/channel-target.js';
import {
  encryptColumn,
  type EncryptedColumn,
  type Reencryption,
} from '../notifications/page-channels/encrypted-column.js';
import { pushKeyColumn } from '../notifications/webhooks/push-key.js';
import { webhookKeyColumn, webhookTargetColumn } from '../notifications/webhooks/webhook-target.js';

/** Everything that SECRETS_KEY encrypts. */
const columns: readonly EncryptedColumn[] = [
  channelTargetColumn,
  sourceSecretColumn,
  alertBrowserColumn,
  pushKeyColumn,
  webhookTargetColumn,
  webhookKeyColumn,
  refreshTokenColumn,
];

/**
 * Encrypts the secrets that are in clear, or by an older key. Throws where SECRETS_KEY lacks the key of one; a refresh
 * token without its key is left as it is, and that of the settings is used.
 */
export async function encryptSecrets(
  database: Pick<Database, 'query'>,
  settings: Pick<Settings, 'secretsKey'>,
  options: { isDryRun?: boolean } = {},
): Promise<Reencryption> {
  const total: Reencryption = { changed: 0, unreadable: 0 };
  for (const column of columns) {
    const { changed, unreadable } = await encryptColumn(database, settings, column, options);
    total.changed += changed;
    total.unreadable += unreadable;
  }
  return total;
}
