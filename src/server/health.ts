import type { Middleware } from 'koa';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { Settings } from '../core/config.js';
import type { Database } from '../db/connection.js';

/** /healthz: the process runs. /readyz: it can query its database. /metrics: Prometheus. None requires a token. */
export function createHealthMiddleware(database: Database, settings: Pick<Settings, 'metrics'>): Middleware {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Completed requests.',
    labelNames: ['interface', 'status'],
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of a request until its response is complete.',
    labelNames: ['interface'],
    registers: [registry],
  });

  const routes: Record<string, Middleware> = {
    '/healthz': ctx => {
      ctx.body = 'ok\n';
    },
    '/readyz': async ctx => {
      const isReady = await database.query('select 1').then(
        () => true,
        () => false,
      );
      ctx.status = isReady ? 200 : 503;
      ctx.body = isReady ? 'ready\n' : 'database unavailable\n';
    },
    '/metrics': async (ctx, next) => {
      if (!settings.metrics) return next();
      ctx.type = registry.contentType;
      ctx.body = await registry.metrics();
    },
  };

  return async (ctx, next) => {
    const route = Object.hasOwn(routes, ctx.path) ? routes[ctx.path] : undefined;
    if (route && (ctx.method === 'GET' || ctx.method === 'HEAD')) return route(ctx, next);
    const label = ctx.path.startsWith('/graphql') ? 'graphql' : /^\/v?\d/.test(ctx.path) ? 'rest' : 'other';
    const stop = duration.startTimer({ interface: label });
    await next();
    stop();
    requests.inc({ interface: label, status: ctx.status });
  };
}
