import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Authenticator } from '../auth/authenticator.js';
import type { Settings } from '../core/config.js';
import { createLogger } from '../core/logger.js';
import type { Database } from '../db/database.js';
import { createDnsOptions } from './dns-options.js';
import { createFirstAccess, type FirstAccess } from './first-access.js';
import { openApi } from './open-api.js';
import { openMonitoringPort } from './monitoring-port.js';
import { openPages } from './open-pages.js';
import { openLocked } from './open-database.js';
import { openWhenAvailable } from './open-when-available.js';
import { Lifecycle } from './monitoring/lifecycle.js';
import { createComponentGauge } from './monitoring/component-gauge.js';
import { createReadinessChecks } from './monitoring/readiness.js';
import { removeAbandonedFolders } from '../transfer/archive/temporary-folder.js';
import { prepareDatabase } from './prepare-database.js';
import { createServiceParts, type ServiceOptions } from './service-parts.js';
import { Shutdown } from './shutdown.js';
import { startBackground } from './start-background.js';
import { version } from './version.js';
import { watchOutages } from './watch-outages.js';

export interface Service {
  settings: Settings;
  server: Server;
  port: number;
  database: Database;
  authenticator: Authenticator;
  /** Only where the database was empty. */
  firstAccess?: FirstAccess;
  /** Has load balancers send no more requests, and waits for DRAIN_SECONDS until they do. Requests are still served. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Builds and starts everything from the settings, in the order of its dependencies. `stop` stops it in the reverse
 * order. Nothing is shared with another service in the process.
 */
export async function createService(settings: Settings, options: ServiceOptions = {}): Promise<Service> {
  const log = options.database?.log ?? createLogger(settings.logLevel);
  log.info({ version }, 'starting');
  const shutdown = new Shutdown();
  const lifecycle = new Lifecycle();
  try {
    const parts = createServiceParts(settings, log, shutdown, options);
    const { monitoring, rateLimiter, admission, renderPool, broker } = parts;
    const pages = openPages(parts, lifecycle);
    // First, so that /healthz and /readyz answer while the process waits for the database or for a migration.
    await pages.listen();
    const port = await openMonitoringPort(settings, lifecycle, shutdown);
    const { server, connections, loader } = pages;
    const database =
      options.database ??
      (await openWhenAvailable({
        settings,
        log,
        lifecycle,
        open: () => openLocked(settings, log, options, shutdown),
        describeWait: async () =>
          (await pages.diskSnapshots?.pageIds())?.length ? 'serving pages from disk snapshots' : null,
      }));
    if (options.database) shutdown.addResource(() => database.close());
    await prepareDatabase(database, settings, lifecycle, options.report);
    parts.channels.useDatabase(database);
    await removeAbandonedFolders();
    const authenticator = new Authenticator(database, settings);
    const feed = await pages.open(database, authenticator);
    const dns = createDnsOptions(settings);
    watchOutages(feed, admission);
    startBackground(parts, database, dns);
    const readiness = createReadinessChecks(lifecycle, database, monitoring.heartbeats, admission);
    const serving = { feed, store: loader.store, renderPool, admission, rateLimiter, connections, broker };
    const metrics = monitoring.createMetrics(database, serving);
    if (settings.metricsComponents) metrics.register([createComponentGauge(database, loader)]);
    port.setReports({ readiness, metrics });
    pages.setFallback(await openApi(parts, { database, feed, authenticator, dns, lifecycle, readiness, metrics }));
    lifecycle.enter('serving');
    const drain = async () => {
      lifecycle.enter('stopping');
      pages.drain();
      await wait(settings.drainSeconds * 1_000, undefined, { ref: false });
    };
    const stop = () => shutdown.run();
    // Last, because it is printed only once, and a start that fails afterwards would not print it.
    const firstAccess = settings.bootstrapToken ? undefined : await createFirstAccess(database, settings);
    const address = server.address() as AddressInfo;
    return { settings, server, port: address.port, database, authenticator, firstAccess, drain, stop };
  } catch (error) {
    await shutdown.run().catch(() => {});
    throw error;
  }
}
