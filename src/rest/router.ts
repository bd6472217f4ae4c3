import Router, { type RouterMiddleware } from '@koa/router';
import type { Context as KoaContext, Middleware } from 'koa';
import { corsHeaders, sendPreflight } from '../http/cors.js';
import type { ApiDependencies } from '../graphql/context.js';
import type { Logger } from '../core/logger.js';
import { toMovedError } from '../records/moved-page.js';
import { toErrorResponse } from './errors.js';
import type { PreparedRoute } from './operation.js';
import { parseQueryParameters } from './request/parameters.js';
import { isVersioned, normalizePath } from './request/path.js';
import { RoutingError } from './request/routing-error.js';
import { jsonType, sendJson } from './send-json.js';
import { createSteps } from './steps.js';

/**
 * All of /v1 as one Koa middleware. It refuses in the order of docs/rest-api.md: path, method, token, scope, rate,
 * size, syntax, and then whatever the operation refuses. `openApi` is the OpenAPI document as JSON.
 */
export function createRestRouter(api: ApiDependencies, preparedRoutes: PreparedRoute[], openApi: string): Middleware {
  const router = new Router({ prefix: '/v1', sensitive: true, strict: true });
  for (const prepared of preparedRoutes) {
    const [method, path] = prepared.route;
    // PUT does what PATCH does, on every resource that has PATCH.
    const methods = method === 'PATCH' ? ['PATCH', 'PUT'] : [method];
    router.register(path, methods, createSteps(api, prepared) as unknown as RouterMiddleware[]);
  }
  router.register('/openapi.json', ['GET'], ctx => sendOpenApi(api, ctx as unknown as KoaContext, openApi));
  const dispatch = router.routes() as unknown as Middleware;

  return async (ctx, next) => {
    if (!isVersioned(ctx.path)) return next();
    ctx.set(commonHeaders);
    try {
      if (ctx.method === 'OPTIONS') return sendPreflight(ctx);
      ctx.method = effectiveMethod(ctx);
      ctx.path = normalizePath(ctx.path);
      await dispatch(ctx, async () => refuseUnmatched(router, ctx));
    } catch (error) {
      sendError(ctx, await toMovedError(api.database, ctx.params?.page_id, error), api.database.log);
    }
  };
}

const commonHeaders = {
  ...corsHeaders,
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Origin',
  'X-Content-Type-Options': 'nosniff',
};

/** "POST with X-HTTP-Method-Override: PATCH (or PUT, DELETE) is that method." */
function effectiveMethod(ctx: KoaContext): string {
  const override = ctx.get('X-HTTP-Method-Override').trim().toUpperCase();
  return ctx.method === 'POST' && ['PATCH', 'PUT', 'DELETE'].includes(override) ? override : ctx.method;
}

function refuseUnmatched(router: Router, ctx: KoaContext): never {
  const { path: layers } = router.match(ctx.path, ctx.method);
  if (!layers.length) throw new RoutingError(404, 'not_found', 'The requested resource could not be found.');
  const allowed = [...new Set(layers.flatMap(layer => layer.methods)), 'OPTIONS'].join(', ');
  throw new RoutingError(405, 'method_not_allowed', `This resource supports ${allowed}.`, { Allow: allowed });
}

async function sendOpenApi({ rateLimiter }: ApiDependencies, ctx: KoaContext, openApi: string): Promise<void> {
  await rateLimiter.throttleAddress(ctx.req);
  parseQueryParameters(ctx.querystring);
  sendJson(ctx, { status: 200, headers: {}, body: openApi });
}

function sendError(ctx: KoaContext, error: unknown, log: Logger): void {
  const { status, headers, body, isUnexpected } = toErrorResponse(error);
  if (isUnexpected) log.error({ err: error, method: ctx.method, path: ctx.path }, 'request failed');
  ctx.set(headers);
  ctx.status = status;
  ctx.type = jsonType;
  ctx.body = JSON.stringify(body);
}
