import type { RequestListener, Server } from 'node:http';
import { join } from 'node:path';
import type { Authenticator } from '../auth/authenticator.js';
import { parseHosts } from '../core/config.js';
import { ChangeFeed } from '../db/change-feed.js';
import type { Database } from '../db/database.js';
import { createProxyTest } from '../http/client-address.js';
import { closeServer } from '../http/close-server.js';
import { ConnectionLimiter } from '../http/connection-limiter.js';
import { createForwardedHost, createHostRules } from '../http/host-header.js';
import { createPasswordCheck } from '../pages/page-access.service.js';
import { PrivatePageGate } from '../status-page/private/gate.js';
import { DiskSnapshots } from '../status-page/server/disk-snapshots.js';
import { PageLoader } from '../status-page/server/page-loader.js';
import { SubscribeHandler } from '../status-page/subscribe/subscribe-handler.js';
import { createHttpServer } from './app.js';
import { createStartingHandler } from './health.js';
import type { Lifecycle } from './monitoring/lifecycle.js';
import type { ServiceParts } from './service-parts.js';

interface PublicPages {
  server: Server;
  connections: ConnectionLimiter;
  loader: PageLoader;
  /** Null with the embedded database. */
  diskSnapshots: DiskSnapshots | null;
  /** Accepts connections. */
  listen(): Promise<void>;
  /** Reads pages from the database in place of disk snapshots. Returns the feed of their changes. */
  open(database: Database, authenticator: Authenticator): Promise<ChangeFeed>;
  /** Has a handler answer what is not a page; until then it is refused as unavailable. */
  setFallback(handler: RequestListener): void;
  /** Ends each connection with its next response, so that a client that keeps it alive does not stay. */
  drain(): void;
}

/** Builds the HTTP server and the public pages, which are served without the database. */
export function openPages(parts: ServiceParts, lifecycle: Lifecycle): PublicPages {
  const { settings, log, shutdown, publicUrl, consoleUrl, monitoring, channels, rateLimiter, broker } = parts;
  const { renderPool, rasterizer, bodyLimits, passwords } = parts;
  const diskSnapshots = settings.databaseUrl ? new DiskSnapshots(join(settings.dataDir, 'pages'), log) : null;
  const loader = new PageLoader({
    publicUrl,
    rootPage: settings.rootPage,
    log,
    diskSnapshots,
    renderPool,
    rasterize: rasterizer.render,
    broker,
  });
  const sender = channels.confirmationSender;
  const subscribeHandler = new SubscribeHandler({ sender, rateLimiter, settings, log });
  const checkPassword = createPasswordCheck(passwords);
  const gate = new PrivatePageGate({ sender, rateLimiter, checkPassword, settings, consoleUrl, log });
  const connections = new ConnectionLimiter({ ...settings, isProxy: createProxyTest(settings.trustedProxies) });
  let fallback = createStartingHandler(lifecycle);
  let isDraining = false;
  const server = createHttpServer(
    {
      pages: loader,
      hosts: createHostRules(parseHosts(settings)),
      log,
      uncachedRoutes: subscribeHandler,
      gate,
      connections,
      rateLimiter,
      accessLog: monitoring.accessLog,
      metrics: monitoring.http,
      bodyLimits,
      applyForwardedHost: createForwardedHost(settings, request => rateLimiter.isFromTrustedProxy(request)),
    },
    (request, response) => fallback(request, response),
  );
  server.prependListener('request', (_request, response) => {
    if (isDraining) response.shouldKeepAlive = false;
  });
  return {
    server,
    connections,
    loader,
    diskSnapshots,
    async listen() {
      await new Promise<void>((done, fail) => server.once('error', fail).listen(settings.port, settings.host, done));
      shutdown.addActivity(() => {
        broker.close();
        return closeServer(server, isDraining);
      });
    },
    async open(database, authenticator) {
      shutdown.addResource(() => loader.close());
      await diskSnapshots?.checkDirectory();
      const feed = await ChangeFeed.open(database);
      shutdown.addResource(() => feed.close());
      await loader.open(database, feed);
      subscribeHandler.open(database);
      shutdown.addResource(() => subscribeHandler.close());
      gate.open(database, authenticator);
      shutdown.addResource(() => gate.close());
      return feed;
    },
    setFallback(handler) {
      fallback = handler;
    },
    drain() {
      isDraining = true;
    },
  };
}
