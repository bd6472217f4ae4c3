import type { Settings } from '../core/config.js';
import type { Database } from '../db/database.js';
import { migrate } from '../db/migrate.js';
import { encryptSecrets } from './encrypt-secrets.js';
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
  await encryptSecrets(database, settings);
}
