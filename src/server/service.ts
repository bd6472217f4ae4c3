import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Authenticator } from '../auth/authenticator.js';
import type { Settings } from '../core/config.js';
import { createLogger } from '../core/logger.js';
import { shareResult } from '../core/share-result.js';
import { createDnsClient } from '../pages/custom-domain/dns-query.js';
import type { Database } from '../db/database.js';
import { migrate } from '../db/migrate.js';
import { encryptAlertBrowsers } from '../alerts/browser.service.js';
import { encryptSourceSecrets } from '../alerts/source-secret.js';
import { encryptTargets } from '../notifications/page-channels/channel-target.js';
import { encryptWebhooks } from '../notifications/webhooks/webhook-target.js';
import { createFirstAccess, type FirstAccess } from './first-access.js';
import { openApi } from './open-api.js';
import { openMonitoringPort } from './monitoring-port.js';
import { openPages } from './open-pages.js';
import { openWhenAvailable } from './open-when-available.js';
import { checkDatabase, checkDiskSpace, checkTasks } from './monitoring/readiness.js';
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
  let isDraining = false;
  try {
    const parts = createServiceParts(settings, log, shutdown, options);
    const { monitoring, rateLimiter, admission, renderPool, publicUrl } = parts;
    const pages = openPages(parts);
    const { server, connections, loader } = pages;
    const database =
      options.database ??
      (await openWhenAvailable(settings, log, options, shutdown, pages.diskSnapshots, pages.listen));
    if (options.database) shutdown.addResource(() => database.close());
    await migrate(database, options.report);
    await encryptTargets(database, settings);
    await encryptSourceSecrets(database, settings);
    await encryptAlertBrowsers(database, settings);
    await encryptWebhooks(database, settings);
    const authenticator = new Authenticator(database, settings);
    const feed = await pages.open(database, authenticator);
    const dns = { queryDns: createDnsClient(settings), baseHost: publicUrl.baseHost };
    watchOutages(feed, admission);
    startBackground(parts, database, dns);
    const readiness = [
      () => (isDraining ? 'stopping' : null),
      shareResult(() => admission.whileAvailable(() => checkDatabase(database)).catch(() => 'database unavailable')),
      () => checkDiskSpace(database),
      () => checkTasks(monitoring.heartbeats),
    ];
    const serving = { feed, store: loader.store, renderPool, admission, rateLimiter, connections };
    const metrics = monitoring.createMetrics(database, serving);
    await openMonitoringPort(settings, { readiness, metrics }, shutdown);
    pages.setFallback(await openApi(parts, { database, feed, authenticator, dns, readiness, metrics }));
    await pages.listen();
    const drain = async () => {
      isDraining = true;
      pages.drain();
      await wait(settings.drainSeconds * 1_000, undefined, { ref: false });
    };
    const stop = () => shutdown.run();
    const { port } = server.address() as AddressInfo;
    // Last, because it is printed only once, and a start that fails afterwards would not print it.
    const firstAccess = settings.bootstrapToken ? undefined : await createFirstAccess(database, settings);
    return { settings, server, port, database, authenticator, firstAccess, drain, stop };
  } catch (error) {
    await shutdown.run().catch(() => {});
    throw error;
  }
}
