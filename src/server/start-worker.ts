import { openChannels } from '../notifications/channels/open-channels.js';
import { settings, WrongSettings } from '../core/config.js';
import { migrate } from '../db/migrate.js';
import { openDatabase } from '../db/connection.js';
import { automate } from '../notices/notice.automation.js';
import { startTelling } from './start-notifications.js';

/** Only what works behind the service: another process serves. Returns what stops it. */
export async function startWorkerAlone(): Promise<() => Promise<void>> {
  if (!settings.databaseUrl)
    throw new WrongSettings(
      'A worker of its own needs DATABASE_URL: the embedded database is that of one process, which tells people itself.',
    );
  const channels = openChannels();
  const database = await openDatabase(settings);
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  const stops = [startTelling(database, channels), ...(settings.automation ? [automate(database)] : [])];
  return async () => {
    await Promise.all(stops.map(stop => stop()));
    await channels.close();
    await database.close();
  };
}
