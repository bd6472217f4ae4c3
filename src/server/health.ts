import type { Middleware } from 'koa';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { settings } from '../core/config.js';
import type { Database } from '../db/connection.js';

/** /healthz: the process runs. /readyz: it reaches its database. /metrics: for Prometheus. None asks for a token. */
export function health(database: Database): Middleware {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const answered = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered.',
    labelNames: ['face', 'status'],
    registers: [registry],
  });
  const took = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the first byte asked to the answer.',
    labelNames: ['face'],
    registers: [registry],
  });

  const pages: Record<string, Middleware> = {
    '/healthz': ctx => {
      ctx.body = 'ok\n';
    },
    '/readyz': async ctx => {
      const ready = await database.query('select 1').then(
        () => true,
        () => false,
      );
      ctx.status = ready ? 200 : 503;
      ctx.body = ready ? 'ready\n' : 'the database is away\n';
    },
    '/metrics': async (ctx, next) => {
      if (!settings.metrics) return next();
      ctx.type = registry.contentType;
      ctx.body = await registry.metrics();
    },
  };

  return async (ctx, next) => {
    const page = Object.hasOwn(pages, ctx.path) ? pages[ctx.path] : undefined;
    if (page && (ctx.method === 'GET' || ctx.method === 'HEAD')) return page(ctx, next);
    const face = ctx.path.startsWith('/graphql') ? 'graphql' : /^\/v?\d/.test(ctx.path) ? 'rest' : 'other';
    const stop = took.startTimer({ face });
    await next();
    stop();
    answered.inc({ face, status: ctx.status });
  };
}
