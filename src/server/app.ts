import { createServer, type RequestListener, type Server } from 'node:http';
import Koa from 'koa';
import { openChannels } from '../notifications/channels/open-channels.js';
import type { Database } from '../db/connection.js';
import { graphEndpoint } from '../graphql/endpoint.js';
import type { GraphServer } from '../graphql/server.js';
import { health } from './health.js';
import { hostOf } from '../http/host-header.js';
import { log } from '../core/logger.js';
import { testChannelsWith } from '../notifications/page-channels/page-channel.service.js';
import { testThemesWith } from '../branding/theme.service.js';
import { restInterface } from '../rest/router.js';
import type { DynamicPages } from '../status-page/server/uncached-response.js';
import { previewPagesWith } from '../notifications/preview/preview.service.js';
import { previewPage } from '../status-page/server/preview-page.js';
import { servePages } from '../status-page/server/handler.js';
import type { PageCache } from '../status-page/server/page-cache.js';
import { testTheme } from '../status-page/themes/test-render.js';
import { serveWidget } from '../status-page/widget/script.js';

/** All that needs the database: the interfaces, and what tells how the service is. */
export function createApp(database: Database, graph: GraphServer, channels = openChannels()): RequestListener {
  testThemesWith(testTheme);
  testChannelsWith(channels.atOnce);
  previewPagesWith(previewPage);
  const app = new Koa();
  app.on('error', error => log.warn({ err: error }, 'a connection failed'));
  app.use(async (ctx, next) => {
    // Node keeps the first of several, a proxy before us may have gone by the last.
    const [only, ...more] = ctx.req.headersDistinct.host ?? [];
    const host = more.length ? undefined : hostOf(only);
    if (!host) return plain(ctx, 400, 'Bad request: the Host header is malformed.\n');
    await next();
    if (ctx.status === 404 && ctx.body === undefined) plain(ctx, 404, 'Not found.\n');
  });
  app.use(health(database));
  app.use(serveWidget);
  app.use(graphEndpoint(database, graph));
  app.use(restInterface(database));
  // `callback` copies the list of middlewares: nothing may be added after it.
  return app.callback();
}

/** The service over HTTP, the public pages ahead of everything else. What start calls, and tests call too. */
export function createFront(cache: PageCache, behind: RequestListener, people?: DynamicPages): Server {
  const isForPage = servePages(cache, behind, people);
  // Node's own defaults hold slow clients for minutes.
  return createServer(
    { headersTimeout: 5_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 },
    (request, response) => {
      if (!isForPage(request, response)) behind(request, response);
    },
  );
}

/** While the database has not been there yet: pages are shown from the disk, and the rest has to wait. */
export const unavailable: RequestListener = (request, response) => {
  response.writeHead(503, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Retry-After': '5',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : 'The database is away. Try again in a moment.\n');
};

function plain(ctx: Koa.Context, status: number, text: string): void {
  ctx.status = status;
  ctx.type = 'text/plain; charset=utf-8';
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.body = text;
}
