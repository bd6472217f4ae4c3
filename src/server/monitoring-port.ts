import Koa from 'koa';
import { createServer, type RequestListener } from 'node:http';
import { InvalidSettings, type Settings } from '../core/config.js';
import { closeServer } from '../http/close-server.js';
import { createMonitoringMiddleware, createStartingHandler, type HealthReports } from './health.js';
import type { Lifecycle } from './monitoring/lifecycle.js';
import type { Shutdown } from './shutdown.js';

interface MonitoringPort {
  /** Until then the port has what a process knows of itself without its database. */
  setReports(reports: HealthReports): void;
}

/** Listens on METRICS_PORT, where it is set, from the beginning of the start until everything else has stopped. */
export async function openMonitoringPort(
  { metricsPort, metricsHost }: Pick<Settings, 'metricsPort' | 'metricsHost'>,
  lifecycle: Lifecycle,
  shutdown: Shutdown,
): Promise<MonitoringPort> {
  if (!metricsPort) return { setReports() {} };
  let handle: RequestListener = createStartingHandler(lifecycle);
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((done, fail) => server.once('error', fail).listen(metricsPort, metricsHost, done)).catch(
    ({ code }: NodeJS.ErrnoException) => {
      throw new InvalidSettings(`METRICS_PORT: port ${metricsPort} of ${metricsHost} cannot be opened (${code}).`);
    },
  );
  shutdown.addResource(() => closeServer(server, false));
  return {
    setReports(reports) {
      const serve = new Koa().use(createMonitoringMiddleware(reports)).callback();
      // Koa has an absolute target parsed by `url.parse`, which throws where its host is malformed.
      handle = (request, response) =>
        request.url!.startsWith('/') ? void serve(request, response) : response.writeHead(400).end();
    },
  };
}
