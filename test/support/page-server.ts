import { Rasterizer } from '../../src/content/raster/rasterizer.js';
import { RenderPool } from '../../src/status-page/themes/render-pool.js';
import type { AddressInfo } from 'node:net';
import { createLogger } from '../../src/core/logger.js';
import { parsePublicUrl } from '../../src/core/config.js';
import { ChangeFeed } from '../../src/db/change-feed.js';
import type { Database } from '../../src/db/database.js';
import { AccessLog } from '../../src/http/access-log.js';
import { BodyLimits } from '../../src/http/body-limits.js';
import { ConnectionLimiter } from '../../src/http/connection-limiter.js';
import { EventBroker } from '../../src/http/event-broker.js';
import { EventStreams } from '../../src/http/event-stream.js';
import { createHostRules } from '../../src/http/host-header.js';
import { RateLimiter } from '../../src/http/rate-limit.js';
import { createHttpServer } from '../../src/server/app.js';
import { createStartingHandler } from '../../src/server/health.js';
import { HttpMetrics } from '../../src/server/monitoring/http-metrics.js';
import { Lifecycle } from '../../src/server/monitoring/lifecycle.js';
import { DiskSnapshots } from '../../src/status-page/server/disk-snapshots.js';
import type { PageHandlerOptions } from '../../src/status-page/server/handler.js';
import { PageLoader } from '../../src/status-page/server/page-loader.js';
import type { UncachedRoutes } from '../../src/status-page/server/uncached-response.js';
import { createTestSettings } from './settings.js';

const log = createLogger('silent');
export const publicUrl = parsePublicUrl(createTestSettings());

export const createDiskSnapshots = (directory: string) => new DiskSnapshots(directory, log);

/** What serves pages, without the rest of the service. */
export function createPageOptions(diskSnapshots: DiskSnapshots | null = null): Omit<PageHandlerOptions, 'next'> {
  const broker = new EventBroker(new EventStreams({ max: 100, maxPerAddress: 100, clientAddress: () => null }), log);
  return {
    pages: new PageLoader({
      publicUrl,
      rootPage: 'auto',
      log,
      diskSnapshots,
      renderPool: new RenderPool(),
      rasterize: new Rasterizer().render,
      broker,
    }),
    hosts: createHostRules(publicUrl),
    log,
    rateLimiter: new RateLimiter(createTestSettings()),
  };
}

export interface PageServer {
  url: string;
  pages: PageLoader;
  stop(): Promise<void>;
}

/** Starts a server of pages only, with a database or without one. */
export async function startPageServer({
  database,
  diskSnapshots = null,
  uncachedRoutes,
}: {
  database?: Database;
  diskSnapshots?: DiskSnapshots | null;
  uncachedRoutes?: UncachedRoutes;
} = {}): Promise<PageServer> {
  const options = createPageOptions(diskSnapshots);
  const feed = database && (await ChangeFeed.open(database));
  if (feed) await options.pages.open(database, feed);
  const connections = new ConnectionLimiter({ ...createTestSettings(), isProxy: () => true });
  const accessLog = new AccessLog(log);
  const metrics = new HttpMetrics();
  const bodyLimits = new BodyLimits();
  const lifecycle = new Lifecycle();
  lifecycle.enter('waiting for the database');
  const rateLimiter = new RateLimiter(createTestSettings());
  const server = createHttpServer(
    {
      ...options,
      uncachedRoutes,
      rateLimiter,
      connections,
      accessLog,
      metrics,
      bodyLimits,
      applyForwardedHost: () => {},
    },
    createStartingHandler(lifecycle),
  );
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pages: options.pages,
    stop: async () => {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
      await feed?.close();
      await options.pages.close();
    },
  };
}
