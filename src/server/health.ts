import type { IncomingMessage, RequestListener } from 'node:http';
import type { Context, Middleware } from 'koa';
import type { Settings } from '../core/config.js';
import { forbidden, Refusal } from '../core/errors.js';
import type { Database } from '../db/database.js';
import { toRefusal } from '../db/database-errors.js';
import { isLoopback } from '../http/client-address.js';
import { parseHost } from '../http/host-header.js';
import type { IdentifyCaller } from '../http/identify-caller.js';
import type { RateLimiter } from '../http/rate-limit.js';
import { refusalHeaders, refusalStatus } from '../http/status-codes.js';
import { healthText } from './version.js';
import { createInstallationRoute, installationPath } from './installation.js';
import type { Lifecycle } from './monitoring/lifecycle.js';
import { findProblems, type ReadinessCheck } from './monitoring/readiness.js';

/** What a process reports of itself. */
export interface HealthReports {
  readiness: readonly ReadinessCheck[];
  metrics: { contentType: string; render(): Promise<string> };
}

export interface HealthDependencies extends HealthReports {
  lifecycle: Pick<Lifecycle, 'findPagesProblem'>;
  settings: Pick<Settings, 'metrics' | 'metricsPort'>;
  rateLimiter: Pick<RateLimiter, 'clientAddress' | 'isFromTrustedProxy'>;
  identifyCaller: IdentifyCaller;
  database: Pick<Database, 'query'>;
}

type Routes = Record<string, Middleware>;

/** /healthz: the process runs. /readyz: no check has found a problem. /metrics: Prometheus. */
const createRoutes = ({ readiness, metrics }: HealthReports): Routes => ({
  '/healthz': ctx => {
    ctx.body = healthText;
  },
  '/readyz': async ctx => {
    respond(ctx, await findProblems(readiness), 'ready');
  },
  '/metrics': async ctx => {
    ctx.set('Cache-Control', 'no-store');
    ctx.type = metrics.contentType;
    ctx.body = await metrics.render();
  },
});

function respond(ctx: Context, problem: string | null, text: string): void {
  ctx.status = problem ? 503 : 200;
  ctx.body = `${problem ?? text}\n`;
}

/** On the port of METRICS_PORT, for everybody who can reach it. */
export const createMonitoringMiddleware = (reports: HealthReports): Middleware => serve(createRoutes(reports));

/** On the port of the service: metrics are for this machine, and for tokens with a role on all pages. */
export function createHealthMiddleware(dependencies: HealthDependencies): Middleware {
  const { settings, identifyCaller, rateLimiter, database, lifecycle } = dependencies;
  const routes = createRoutes(dependencies);
  return serve({
    ...routes,
    // For load balancers: not /readyz, which is 503 in all processes at once while their database is away.
    '/healthz/pages': ctx => respond(ctx, lifecycle.findPagesProblem(), 'ok'),
    [installationPath]: createInstallationRoute(database, rateLimiter),
    // Only operators may see the reasons; a load balancer needs the status alone.
    '/readyz': async ctx => {
      const problem = await findProblems(dependencies.readiness);
      respond(ctx, problem && (isLocal(ctx.req, rateLimiter) ? problem : 'not ready'), 'ready');
    },
    '/metrics': async (ctx, next) => {
      if (!settings.metrics || settings.metricsPort) return next();
      if (isLocal(ctx.req, rateLimiter) || (await hasToken(ctx, identifyCaller))) return routes['/metrics']!(ctx, next);
      ctx.set('Cache-Control', 'no-store');
    },
  });
}

const startingChecks: Record<string, (lifecycle: Lifecycle) => string | null> = {
  '/healthz': () => null,
  '/healthz/pages': lifecycle => lifecycle.findPagesProblem(),
  '/readyz': lifecycle => lifecycle.findProblem(),
};

/** Handles what is not a page until the database is first open: answers health checks, and refuses the rest. */
export function createStartingHandler(lifecycle: Lifecycle): RequestListener {
  return (request, response) => {
    const path = request.url!.split('?', 1)[0]!;
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const check = isRead && Object.hasOwn(startingChecks, path) ? startingChecks[path] : undefined;
    const phase = lifecycle.findProblem();
    const cause =
      phase === 'waiting for the database' ? 'The database is unavailable' : `The service is not ready: ${phase}`;
    const problem = check ? check(lifecycle) : `${cause}. Try again in a moment.`;
    response.writeHead(problem === null ? 200 : 503, {
      'Content-Type': 'text/plain; charset=utf-8',
      ...(!check && { 'Retry-After': '5' }),
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(request.method === 'HEAD' ? undefined : problem === null ? healthText : `${problem}\n`);
  };
}

function serve(routes: Routes): Middleware {
  return async (ctx, next) => {
    const route = Object.hasOwn(routes, ctx.path) ? routes[ctx.path] : undefined;
    if (route && (ctx.method === 'GET' || ctx.method === 'HEAD')) return route(ctx, next);
    await next();
  };
}

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];
const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Whether a program on this machine asks, by the name of this machine. A proxy on it connects from the same address,
 * also one that TRUSTED_PROXIES does not name: its header, or the host that the client asked for, gives it away.
 */
function isLocal(request: IncomingMessage, rateLimiter: HealthDependencies['rateLimiter']): boolean {
  if (!isLoopback(rateLimiter.clientAddress(request))) return false;
  const isForwarded = forwardingHeaders.some(name => request.headers[name] !== undefined);
  if (isForwarded && !rateLimiter.isFromTrustedProxy(request)) return false;
  return localHosts.includes(parseHost(request.headers.host) ?? '');
}

/** Refuses a caller without such a token. */
async function hasToken(ctx: Context, identifyCaller: IdentifyCaller): Promise<boolean> {
  try {
    const caller = await identifyCaller(ctx.req, 'noticeWrite');
    // They count what all pages do.
    if (caller.kind === 'token' && caller.grants.everywhere) return true;
    throw caller.kind === 'token'
      ? forbidden()
      : new Refusal('UNAUTHENTICATED', 'Metrics are for this machine, and for requests with a token.');
  } catch (error) {
    const refusal = toRefusal(error);
    if (!refusal) throw error;
    ctx.status = refusalStatus[refusal.code];
    ctx.set(refusalHeaders(refusal));
    ctx.body = `${refusal.message}\n`;
    return false;
  }
}
