import { createServer, type Server } from 'node:http';
import Koa from 'koa';
import type { Database } from './db/orm.js';
import { graphEndpoint } from './graphql/endpoint.js';
import type { GraphServer } from './graphql/server.js';
import { health } from './health.js';
import { hostOf, isPageHost } from './hosts.js';
import { log } from './log.js';
import { restInterface } from './rest/router.js';

/** The service over HTTP. What start calls, and tests call too. */
export function createApp(database: Database, graph: GraphServer): Server {
  const app = new Koa();
  app.on('error', error => log.warn({ err: error }, 'a connection failed'));
  app.use(async (ctx, next) => {
    // Node keeps the first of several, a proxy before us may have gone by the last.
    const [only, ...more] = ctx.req.headersDistinct.host ?? [];
    const host = more.length ? undefined : hostOf(only);
    if (!host) return plain(ctx, 400, 'Bad request: the Host header is malformed.\n');
    if (isPageHost(host)) return plain(ctx, 404, 'Not found.\n');
    await next();
    if (ctx.status === 404 && ctx.body === undefined) plain(ctx, 404, 'Not found.\n');
  });
  app.use(health(database));
  app.use(graphEndpoint(database, graph));
  app.use(restInterface(database));
  // `callback` copies the list of middlewares: nothing may be added after it. Node's own defaults hold slow clients for minutes.
  return createServer({ headersTimeout: 5_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 }, app.callback());
}

function plain(ctx: Koa.Context, status: number, text: string): void {
  ctx.status = status;
  ctx.type = 'text/plain; charset=utf-8';
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.body = text;
}
