import type { Middleware } from 'koa';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { Settings } from '../core/config.js';
import { findProblems, type ReadinessCheck } from './readiness.js';

/**
 * /healthz: the process runs. /readyz: no check has a reason against sending it requests. /metrics: Prometheus. None
 * requires a token.
 */
export function createHealthMiddleware(settings: Pick<Settings, 'metrics'>, readiness: ReadinessCheck[]): Middleware {
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
      const problems = await findProblems(readiness);
      ctx.status = problems ? 503 : 200;
      ctx.body = `${problems ?? 'ready'}\n`;
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
