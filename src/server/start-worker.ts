import { openChannels } from './open-channels.js';
import { InvalidSettings, type Settings } from '../core/config.js';
import { createLogger } from '../core/logger.js';
import { migrate } from '../db/migrate.js';
import { ChannelHealth } from '../notifications/channels/channel-health.js';
import { startNoticeAutomation } from '../notices/automation/notice.automation.js';
import { startRetention } from '../retention/prune.js';
import { openServiceDatabase } from './open-database.js';
import { startNotifications } from './start-notifications.js';
import { version } from './version.js';

/** Starts notifications and automation without a server; another process serves. Returns what stops it. */
export async function startWorkerProcess(settings: Settings): Promise<() => Promise<void>> {
  if (!settings.databaseUrl)
    throw new InvalidSettings(
      'A separate worker needs DATABASE_URL. With the embedded database the service sends notifications itself.',
    );
  const log = createLogger(settings.logLevel);
  log.info({ version }, 'starting');
  const channels = openChannels(settings, new ChannelHealth(log).report);
  const database = await openServiceDatabase(settings, log);
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  const stops = [
    startNotifications(database, settings, channels),
    ...(settings.automation ? [startNoticeAutomation(database), startRetention(database, settings)] : []),
  ];
  return async () => {
    await Promise.all(stops.map(stop => stop()));
    await channels.close();
    await database.close();
  };
}
