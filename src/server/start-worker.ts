import { createUpstreamReader } from '../components/upstream/read-upstream.js';
import { InvalidSettings, type Settings } from '../core/config.js';
import { createLogger } from '../core/logger.js';
import { createDnsOptions } from './dns-options.js';
import { Lifecycle } from './monitoring/lifecycle.js';
import { Monitoring } from './monitoring/monitoring.js';
import { createReadinessChecks } from './monitoring/readiness.js';
import { openMonitoringPort } from './monitoring-port.js';
import { openChannels } from './open-channels.js';
import { openServiceDatabase } from './open-database.js';
import { openWhenAvailable } from './open-when-available.js';
import { prepareDatabase } from './prepare-database.js';
import type { ServiceOptions } from './service-parts.js';
import { Shutdown } from './shutdown.js';
import { startBackground } from './start-background.js';
import { version } from './version.js';

/** Starts the background work of a service beside a process that serves. Returns what stops it. */
export async function startWorkerProcess(
  settings: Settings,
  { report }: Pick<ServiceOptions, 'report'> = {},
): Promise<() => Promise<void>> {
  if (!settings.databaseUrl)
    throw new InvalidSettings(
      'A separate worker needs DATABASE_URL. With the embedded database the service sends notifications itself.',
    );
  const log = createLogger(settings.logLevel);
  log.info({ version }, 'starting');
  const shutdown = new Shutdown();
  const lifecycle = new Lifecycle();
  const monitoring = new Monitoring(log);
  try {
    const port = await openMonitoringPort(settings, lifecycle, shutdown);
    const channels = openChannels(settings, monitoring.onAttempt, monitoring.onFailing);
    shutdown.addResource(() => channels.close());
    const database = await openWhenAvailable({
      settings,
      log,
      lifecycle,
      open: () => openServiceDatabase(settings, log),
      describeWait: () => 'the worker waits',
    });
    shutdown.addResource(() => database.close());
    await prepareDatabase(database, settings, lifecycle, report);
    channels.useDatabase(database);
    port.setReports({
      readiness: createReadinessChecks(lifecycle, database, monitoring.heartbeats),
      metrics: monitoring.createMetrics(database),
    });
    const upstreams = createUpstreamReader(settings);
    const parts = { settings: { ...settings, worker: true }, shutdown, monitoring, channels, upstreams };
    startBackground(parts, database, createDnsOptions(settings));
    lifecycle.enter('serving');
    return () => shutdown.run();
  } catch (error) {
    await shutdown.run().catch(() => {});
    throw error;
  }
}
