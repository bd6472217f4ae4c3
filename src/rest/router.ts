import Router from '@koa/router';
import type { Context as KoaContext, Middleware } from 'koa';
import type { Database, EntityManager } from '../db/connection.js';
import { preflightHeaders } from '../http/cors.js';
import { badRequest } from '../core/errors.js';
import { check } from '../auth/access.js';
import { contextOf } from '../graphql/create-context.js';
import { log } from '../core/logger.js';
import { callerOf } from '../auth/authenticate.js';
import { answerOnce, type StoredAnswer } from '../http/idempotency.service.js';
import { throttle } from '../http/rate-limit.js';
import { run } from './run-operation.js';
import { bodyParameters } from './request/body-parameters.js';
import { errorAnswer, HttpError } from './errors.js';
import { openApiDocument } from './openapi/document.js';
import { type Prepared, prepare } from './operation.js';
import { emptyParameters, fingerprint, merge, type Parameters, queryParameters } from './request/parameters.js';
import { checkEncoding, isVersioned, plainPath } from './request/path.js';
import { routes } from './routes.js';

/** All of /v1, as one Koa middleware. It refuses in the order of the contract: path, method, token, scope, rate, size, syntax, and then what the operation refuses. */
export function restInterface(database: Database): Middleware {
  const router = new Router({ prefix: '/v1', sensitive: true, strict: true });
  const all = routes.map(prepare);
  for (const prepared of all) {
    const [method, path] = prepared.route;
    // PUT does what PATCH does, on every resource that has PATCH.
    router.register(path, method === 'PATCH' ? ['PATCH', 'PUT'] : [method], ctx =>
      answerRoute(database, prepared, ctx as unknown as KoaContext, ctx.params),
    );
  }
  const description = JSON.stringify(openApiDocument(all, database));
  router.register('/openapi.json', ['GET'], ctx => answerDescription(ctx as unknown as KoaContext, description));
  const dispatch = router.routes() as unknown as Middleware;

  return async (ctx, next) => {
    if (!isVersioned(ctx.path)) return next();
    ctx.set(commonHeaders);
    try {
      if (ctx.method === 'OPTIONS') return answerPreflight(ctx);
      ctx.method = methodOf(ctx);
      ctx.path = plainPath(ctx.path);
      await dispatch(ctx, async () => refuseUnknown(router, ctx));
    } catch (error) {
      answerError(ctx, error);
    }
  };
}

export const commonHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Location, Retry-After, Allow',
  'Cache-Control': 'private, no-cache',
  Vary: 'Authorization, Origin',
  'X-Content-Type-Options': 'nosniff',
};

const json = 'application/json; charset=utf-8';

function answerPreflight(ctx: KoaContext): void {
  ctx.set(preflightHeaders());
  ctx.status = 204;
}

/** "POST with X-HTTP-Method-Override: PATCH (or PUT, DELETE) is that method." */
function methodOf(ctx: KoaContext): string {
  const wanted = ctx.get('X-HTTP-Method-Override').trim().toUpperCase();
  return ctx.method === 'POST' && ['PATCH', 'PUT', 'DELETE'].includes(wanted) ? wanted : ctx.method;
}

/** What no route takes. */
function refuseUnknown(router: Router, ctx: KoaContext): never {
  const { path: here } = router.match(ctx.path, ctx.method);
  if (!here.length) throw new HttpError(404, 'not_found', 'The requested resource could not be found.');
  const allowed = [...new Set(here.flatMap(layer => layer.methods)), 'OPTIONS'].join(', ');
  throw new HttpError(405, 'method_not_allowed', `This resource answers to ${allowed}.`, { Allow: allowed });
}

async function answerRoute(
  database: Database,
  prepared: Prepared,
  ctx: KoaContext,
  path: Record<string, string>,
): Promise<void> {
  const caller = await callerOf(database, ctx.get('Authorization') || undefined);
  check(caller, prepared.access);
  await throttle(ctx.req, caller);
  const parameters = await parametersOf(ctx, prepared);
  checkEncoding(ctx.path);
  const key = keyOf(ctx);
  const { variables, refused } = prepared.variables({
    path,
    parameters: merge(parameters.query, parameters.body, emptyParameters()),
    versions: versionsOf(ctx),
  });

  const answer = async (within?: EntityManager): Promise<StoredAnswer> => {
    const { body, etag, id } = await run(
      prepared,
      variables,
      contextOf({ database, caller, purpose: 'rest', refused, within }),
    );
    const headers: Record<string, string> = {};
    if (etag) headers.ETag = etag;
    if (ctx.method === 'POST')
      headers.Location = `${ctx.path}${prepared.hasItems ? `/${encodeURIComponent(id!)}` : ''}`;
    return { status: { POST: 201, DELETE: 204 }[ctx.method] ?? 200, headers, body };
  };

  if (key === undefined || caller.kind === 'anonymous') {
    const { status, headers, body } = await answer();
    return send(ctx, status, headers, body);
  }
  const place = {
    caller: caller.key,
    path: ctx.path,
    key,
    fingerprint: fingerprint(merge(parameters.query, parameters.body, path)),
  };
  const { answer: once, replayed } = await answerOnce(database, place, answer);
  send(ctx, once.status, replayed ? { ...once.headers, 'Idempotency-Replayed': 'true' } : once.headers, once.body);
}

/** Tells of no record, and asks for no token. */
async function answerDescription(ctx: KoaContext, description: string): Promise<void> {
  await throttle(ctx.req, { kind: 'anonymous' });
  queryParameters(ctx.querystring);
  send(ctx, 200, {}, description);
}

/** Of a read, too: `curl -X GET -d "filter[...]"` is how clients in the field ask, and to ignore a filter is to show wrong data. */
async function parametersOf(
  ctx: KoaContext,
  { takesFile }: Prepared,
): Promise<{ query: Parameters; body: Parameters }> {
  const body = await bodyParameters(ctx, takesFile);
  return { query: queryParameters(ctx.querystring), body };
}

function keyOf(ctx: KoaContext): string | undefined {
  const key = ctx.headers['idempotency-key'];
  if (ctx.method !== 'POST' || key === undefined) return undefined;
  if (typeof key !== 'string' || key.length < 1 || key.length > 255)
    throw badRequest('An Idempotency-Key has 1 to 255 characters.');
  return key;
}

/** Of If-Match: the parts before the dot. `*` is any existing record, and what is no tag of ours is no version. */
function versionsOf(ctx: KoaContext): number[] | undefined {
  const given = ctx.get('If-Match').trim();
  if (given === '' || given === '*') return undefined;
  return given.split(',').map(tag => Number(/^\s*(?:W\/)?"(\d{1,9})\./.exec(tag)?.[1] ?? -1));
}

function send(ctx: KoaContext, status: number, headers: Record<string, string>, body: string): void {
  ctx.set(headers);
  if (status === 204) {
    ctx.status = 204;
    return;
  }
  if (
    status === 200 &&
    headers.ETag &&
    (ctx.method === 'GET' || ctx.method === 'HEAD') &&
    matches(ctx.get('If-None-Match'), headers.ETag)
  ) {
    ctx.status = 304;
    return;
  }
  ctx.status = status;
  ctx.type = json;
  // As a text it would be put together with the headers, which is one more copy of all of it.
  ctx.body = Buffer.from(body);
}

const matches = (given: string, etag: string) =>
  given.trim() === '*' || given.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag);

export function answerError(ctx: KoaContext, error: unknown): void {
  if (error instanceof HttpError) {
    ctx.set(error.headers);
    ctx.status = error.status;
    ctx.type = json;
    ctx.body = JSON.stringify({ error: error.error, error_description: error.message });
    return;
  }
  const { status, headers, body, unexpected } = errorAnswer(error);
  if (unexpected) log.error({ err: error, method: ctx.method, path: ctx.path }, 'a request failed');
  ctx.set(headers);
  ctx.status = status;
  ctx.type = json;
  ctx.body = JSON.stringify(body);
}
