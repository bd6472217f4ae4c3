import Koa from 'koa';
import { createServer } from 'node:http';
import { InvalidSettings, type Settings } from '../core/config.js';
import { closeServer } from '../http/close-server.js';
import { createMonitoringMiddleware, type HealthReports } from './health.js';
import type { Shutdown } from './shutdown.js';

/** Listens on METRICS_PORT, where it is set, until everything else has stopped. */
export async function openMonitoringPort(
  { metricsPort, metricsHost }: Pick<Settings, 'metricsPort' | 'metricsHost'>,
  reports: HealthReports,
  shutdown: Shutdown,
): Promise<void> {
  if (!metricsPort) return;
  const server = createServer(new Koa().use(createMonitoringMiddleware(reports)).callback());
  await new Promise<void>((done, fail) => server.once('error', fail).listen(metricsPort, metricsHost, done)).catch(
    ({ code }: NodeJS.ErrnoException) => {
      throw new InvalidSettings(`METRICS_PORT: port ${metricsPort} of ${metricsHost} cannot be opened (${code}).`);
    },
  );
  shutdown.addResource(() => closeServer(server, false));
}
