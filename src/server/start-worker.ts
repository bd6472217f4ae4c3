import { InvalidSettings, type Settings } from '../core/config.js';
import { createLogger } from '../core/logger.js';
import { shareResult } from '../core/share-result.js';
import { createInputFormat } from '../notices/drafts/input-format.js';
import { migrate } from '../db/migrate.js';
import { startNoticeAutomation } from '../notices/automation/notice.automation.js';
import { Monitoring } from './monitoring/monitoring.js';
import { openMonitoringPort } from './monitoring-port.js';
import { openChannels } from './open-channels.js';
import { schema } from '../schema.js';
import { openServiceDatabase } from './open-database.js';
import { checkDatabase, checkDiskSpace, checkTasks } from './monitoring/readiness.js';
import { Shutdown } from './shutdown.js';
import { encryptAlertBrowsers } from '../alerts/browser.service.js';
import { encryptSourceSecrets } from '../alerts/source-secret.js';
import { encryptTargets } from '../notifications/page-channels/channel-target.js';
import { encryptWebhooks } from '../notifications/webhooks/webhook-target.js';
import { startRetention } from './retention/prune.js';
import { startNotifications } from './start-notifications.js';
import { version } from './version.js';

/** Starts notifications and automation beside a process that serves. Returns what stops it. */
export async function startWorkerProcess(settings: Settings): Promise<() => Promise<void>> {
  if (!settings.databaseUrl)
    throw new InvalidSettings(
      'A separate worker needs DATABASE_URL. With the embedded database the service sends notifications itself.',
    );
  const log = createLogger(settings.logLevel);
  log.info({ version }, 'starting');
  const shutdown = new Shutdown();
  const monitoring = new Monitoring(log);
  const { heartbeats } = monitoring;
  try {
    const channels = openChannels(settings, monitoring.onAttempt, monitoring.onFailing);
    shutdown.addResource(() => channels.close());
    const database = await openServiceDatabase(settings, log);
    shutdown.addResource(() => database.close());
    await migrate(database);
    await encryptTargets(database, settings);
    await encryptSourceSecrets(database, settings);
    await encryptAlertBrowsers(database, settings);
    await encryptWebhooks(database, settings);
    const readiness = [
      shareResult(() => checkDatabase(database)),
      () => checkDiskSpace(database),
      () => checkTasks(heartbeats),
    ];
    await openMonitoringPort(settings, { readiness, metrics: monitoring.createMetrics(database) }, shutdown);
    shutdown.addActivity(startNotifications(database, settings, channels, heartbeats));
    if (settings.automation)
      shutdown.addActivity(
        startNoticeAutomation(database, createInputFormat(schema), settings, heartbeats.expect('the automation')),
        startRetention(database, settings),
      );
    return () => shutdown.run();
  } catch (error) {
    await shutdown.run().catch(() => {});
    throw error;
  }
}
