import { encryptAlertBrowsers } from '../alerts/browser.service.js';
import { encryptSourceSecrets } from '../alerts/source-secret.js';
import type { Settings } from '../core/config.js';
import type { Database } from '../db/database.js';
import { migrate } from '../db/migrate.js';
import { encryptTargets } from '../notifications/page-channels/channel-target.js';
import { encryptWebhooks } from '../notifications/webhooks/webhook-target.js';
import type { Lifecycle } from './monitoring/lifecycle.js';

/** Runs the pending migrations, and encrypts what was stored before the installation had SECRETS_KEY. */
export async function prepareDatabase(
  database: Database,
  settings: Settings,
  lifecycle: Lifecycle,
  report: (text: string) => void = () => {},
): Promise<void> {
  await migrate(database, (text, phase) => {
    lifecycle.enter(phase);
    database.log.info(phase);
    report(text);
  });
  await encryptTargets(database, settings);
  await encryptSourceSecrets(database, settings);
  await encryptAlertBrowsers(database, settings);
  await encryptWebhooks(database, settings);
}
