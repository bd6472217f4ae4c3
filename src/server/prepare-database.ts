import { parsePublicUrl, type Settings } from '../core/config.js';
import type { Database } from '../db/database.js';
import { storeFact } from './monitoring/installation-facts.js';
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
  await comparePublicUrl(database, settings);
}

/** Links, the hosts of pages and sign-in follow the PUBLIC_URL of the process that makes them. */
async function comparePublicUrl(database: Database, settings: Settings): Promise<void> {
  // That of this machine has the port of the process.
  if (!settings.publicUrl) return;
  const { origin } = parsePublicUrl(settings);
  const before = await storeFact(database, 'public_url', origin);
  if (before !== null && before !== origin)
    database.log.warn(
      { publicUrl: origin, before },
      'PUBLIC_URL is not that of the process of this database that started last',
    );
}
