import { encryptAlertBrowsers } from '../alerts/browser.service.js';
import { encryptSourceSecrets } from '../alerts/source-secret.js';
import type { Settings } from '../core/config.js';
import type { Database } from '../db/database.js';
import { StoredRefreshToken } from '../notifications/mail-tokens/stored-refresh-token.js';
import { encryptTargets } from '../notifications/page-channels/channel-target.js';
import { encryptWebhooks } from '../notifications/webhooks/webhook-target.js';

/**
 * Encrypts the secrets that are in clear, or by an older key. Throws where SECRETS_KEY lacks the key of one; a refresh
 * token without its key is left as it is, and that of the settings is used.
 */
export async function encryptSecrets(database: Pick<Database, 'query'>, settings: Settings): Promise<void> {
  await encryptTargets(database, settings);
  await encryptSourceSecrets(database, settings);
  await encryptAlertBrowsers(database, settings);
  await encryptWebhooks(database, settings);
  await new StoredRefreshToken(settings).encrypt(database);
}
