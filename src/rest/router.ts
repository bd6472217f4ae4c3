import Router from '@koa/router';
import type { Context as KoaContext, Middleware } from 'koa';
import type { Transaction } from '../db/committed-changes.js';
import { corsHeaders, sendPreflight } from '../http/cors.js';
import { matchesEtag } from '../http/etag.js';
import { requireAccess } from '../auth/access.js';
import type { ApiDependencies } from '../graphql/context.js';
import { createContext } from '../graphql/create-context.js';
import type { Logger } from '../core/logger.js';
import { fingerprint } from '../http/fingerprint.js';
import { getRequestId } from '../http/request-id.js';
import { readIdempotencyKey, type StoredResponse } from '../http/idempotency.service.js';
import type { PageReads } from '../records/page-reads.js';
import { toMovedError } from '../records/moved-page.js';
import { runOperation } from './run-operation.js';
import { readBodyParameters } from './request/body-parameters.js';
import { toErrorResponse } from './errors.js';
import type { PreparedRoute } from './operation.js';
import { emptyParameters, mergeParameters, type Parameters, parseQueryParameters } from './request/parameters.js';
import { wireFilterNames } from './wire-names.js';
import { checkPathEncoding, isVersioned, normalizePath } from './request/path.js';
import { RoutingError } from './request/routing-error.js';

/**
 * All of /v1 as one Koa middleware. It refuses in the order of docs/rest-api.md: path, method, token, scope, rate,
 * size, syntax, and then whatever the operation refuses. `openApi` is the OpenAPI document as JSON.
 */
export function createRestRouter(api: ApiDependencies, preparedRoutes: PreparedRoute[], openApi: string): Middleware {
  const router = new Router({ prefix: '/v1', sensitive: true, strict: true });
  for (const prepared of preparedRoutes) {
    const [method, path] = prepared.route;
    // PUT does what PATCH does, on every resource that has PATCH.
    router.register(path, method === 'PATCH' ? ['PATCH', 'PUT'] : [method], ctx =>
      handleRoute(api, prepared, ctx as unknown as KoaContext, ctx.params),
    );
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

const jsonType = 'application/json; charset=utf-8';

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

async function handleRoute(
  api: ApiDependencies,
  prepared: PreparedRoute,
  ctx: KoaContext,
  path: Record<string, string>,
): Promise<void> {
  const { rateLimiter, admission, identifyCaller } = api;
  const { priority } = prepared;
  const caller = await identifyCaller(ctx.req, priority);
  requireAccess(caller, prepared.access, { pageId: path.page_id, isWrite: prepared.isWrite });
  await rateLimiter.throttle(ctx.req, caller);
  const parameters = await readParameters(ctx, prepared);
  checkPathEncoding(ctx.path);
  const key = readIdempotencyKey(ctx);
  const { variables, refused } = prepared.variables({
    path,
    parameters: mergeParameters(parameters.query, parameters.body, emptyParameters()),
    versions: parseIfMatch(ctx),
  });

  // What the response depends on, but for the caller.
  const request = JSON.stringify([prepared.route[1], variables, api.settings.anonymousReads]);
  const respond = async (within?: Transaction): Promise<Sent> => {
    const more = { filterNames: wireFilterNames, requestId: getRequestId(ctx.req) };
    const context = createContext({ api, caller, outputMode: 'rest', refused, within, ...more });
    const { body, etag, id } = await runOperation(prepared, variables, context);
    const headers: Record<string, string> = {};
    if (etag) headers.ETag = etag;
    if (ctx.method === 'POST')
      headers.Location = `${ctx.path}${prepared.hasItems ? `/${encodeURIComponent(id!)}` : ''}`;
    const status = { POST: 201, DELETE: 204 }[ctx.method] ?? 200;
    return { status, headers, body, reads: context.read.pageReads };
  };

  if (caller.kind === 'anonymous' && !prepared.isWrite) {
    const anonymous = await api.anonymousResponses.begin(ctx, request);
    if (!anonymous) return;
    try {
      const sent = await admission.run(priority, respond);
      send(ctx, sent);
      if (sent.reads) anonymous.keep(ctx, Buffer.from(sent.body), sent.reads);
    } finally {
      anonymous.end();
    }
    return;
  }
  if (key === undefined || caller.kind === 'anonymous') return send(ctx, await admission.run(priority, respond));
  const scope = {
    caller: caller.key,
    path: ctx.path,
    key,
    fingerprint: fingerprint(mergeParameters(parameters.query, parameters.body, path)),
  };
  const { response, isReplayed } = await admission.run(priority, () =>
    api.idempotentRequests.runOnce(scope, async within => {
      const sent = await respond(within);
      return { ...sent, body: String(sent.body) };
    }),
  );
  const { headers } = response;
  send(ctx, { ...response, headers: isReplayed ? { ...headers, 'Idempotency-Replayed': 'true' } : headers });
}

async function sendOpenApi({ rateLimiter }: ApiDependencies, ctx: KoaContext, openApi: string): Promise<void> {
  await rateLimiter.throttleAddress(ctx.req);
  parseQueryParameters(ctx.querystring);
  send(ctx, { status: 200, headers: {}, body: openApi });
}

/** Reads the body of a GET, too: existing clients filter with `curl -X GET -d "filter[...]"`. */
async function readParameters(
  ctx: KoaContext,
  { takesFile }: PreparedRoute,
): Promise<{ query: Parameters; body: Parameters }> {
  const body = await readBodyParameters(ctx, takesFile);
  return { query: parseQueryParameters(ctx.querystring), body };
}

/** The versions in If-Match: the part of each ETag before the dot. `*` accepts any version, a foreign tag none. */
function parseIfMatch(ctx: KoaContext): number[] | undefined {
  const header = ctx.get('If-Match').trim();
  if (header === '' || header === '*') return undefined;
  return header.split(',').map(tag => Number(/^\s*(?:W\/)?"(\d{1,9})\./.exec(tag)?.[1] ?? -1));
}

interface Sent extends Omit<StoredResponse, 'body'> {
  body: string;
  reads?: PageReads;
}

function send(ctx: KoaContext, { status, headers, body }: Sent): void {
  ctx.set(headers);
  ctx.status = status;
  if (status === 204) return;
  ctx.type = jsonType;
  // Node would concatenate a string with the headers, which copies all of it once more.
  ctx.body = Buffer.from(body);
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (isRead && status === 200 && headers.ETag && matchesEtag(ctx.get('If-None-Match'), headers.ETag)) ctx.status = 304;
}

function sendError(ctx: KoaContext, error: unknown, log: Logger): void {
  const { status, headers, body, isUnexpected } = toErrorResponse(error);
  if (isUnexpected) log.error({ err: error, method: ctx.method, path: ctx.path }, 'request failed');
  ctx.set(headers);
  ctx.status = status;
  ctx.type = jsonType;
  ctx.body = JSON.stringify(body);
}
