import { koaMiddleware } from '@as-integrations/koa';
import type { Context as KoaContext, Middleware } from 'koa';
import { refusalOf } from '../db/database-errors.js';
import { preflightHeaders } from '../http/cors.js';
import type { Database } from '../db/connection.js';
import { Refusal, type RefusalCode } from '../core/errors.js';
import { log } from '../core/logger.js';
import { callerOf } from '../auth/authenticate.js';
import { throttle } from '../http/rate-limit.js';
import type { Caller } from '../auth/access.js';
import { answerAsset, answerExplorer, isAsset, wantsExplorer } from './graphiql.js';
import { checkQueryText, jsonBody } from './request-body.js';
import type { GraphContext, GraphServer } from './server.js';
import { contextOf } from './create-context.js';

const statuses: Partial<Record<RefusalCode, number>> = {
  UNAUTHENTICATED: 401,
  THROTTLED: 429,
  PAYLOAD_TOO_LARGE: 413,
  BAD_REQUEST: 400,
  UNAVAILABLE: 503,
};
const methods = ['GET', 'HEAD', 'POST', 'OPTIONS'];
const allowed = methods.join(', ');

/** /graphql: one rule with /v1 for who may call. A wrong token fails the whole request, before anything of it is read. */
export function graphEndpoint(database: Database, server: GraphServer): Middleware {
  const serve = koaMiddleware(server, {
    context: async ({ ctx }) => contextsOf(database, ctx as unknown as KoaContext),
  });

  return async (ctx, next) => {
    if (isAsset(ctx.path)) return answerAsset(ctx);
    if (ctx.path !== '/graphql' && ctx.path !== '/graphql/') return next();
    ctx.set({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'ETag, Location, Retry-After, Allow',
      'Cache-Control': 'private, no-cache',
      Vary: 'Accept, Authorization, Origin',
      'X-Content-Type-Options': 'nosniff',
    });
    if (ctx.method === 'OPTIONS') return answerPreflight(ctx);
    if (!methods.includes(ctx.method))
      return answerError(ctx, 405, 'METHOD_NOT_ALLOWED', `This resource answers to ${allowed}.`, { Allow: allowed });
    if (wantsExplorer(ctx)) return answerExplorer(ctx);
    try {
      const caller = await callerOf(database, ctx.get('Authorization') || undefined);
      await throttle(ctx.req, caller);
      Object.assign(ctx.state, { caller, progress: { understood: false } });
      if (ctx.method === 'POST' && !ctx.request.is('application/json'))
        return answerError(ctx, 415, 'BAD_REQUEST', 'A POST of a query has the content type application/json.');
      await answer(ctx, serve as unknown as Middleware);
    } catch (error) {
      answerRefusal(ctx, error);
    }
  };
}

/** HEAD is GET without a body; Koa leaves the body out by the method of the request, which Apollo would refuse. */
async function answer(ctx: KoaContext, serve: Middleware): Promise<void> {
  const { method } = ctx;
  const request = ctx.request as { body?: unknown };
  if (method === 'POST') request.body = (await jsonBody(ctx)) || [];
  checkQueryText(method === 'POST' ? (request.body as { query?: unknown }).query : ctx.query.query);
  if (method === 'HEAD') ctx.method = 'GET';
  await serve(ctx, async () => {});
  ctx.method = method;
  // As a text it would be put together with the headers, which is one more copy of all of it.
  if (typeof ctx.body === 'string') ctx.body = Buffer.from(ctx.body);
  // GraphQL over HTTP: to clients that take application/json alone the status speaks of the request, and this one was understood.
  if (ctx.status === 400 && ctx.state.progress.understood && ctx.response.is('application/json')) ctx.status = 200;
}

/** Two readers: one for finished answers, one for rows to execute; Apollo asks the first where it can. */
function contextsOf(database: Database, { state }: KoaContext): GraphContext {
  const { caller, progress } = state as { caller: Caller; progress: GraphContext['progress'] };
  return {
    ...contextOf({ database, caller, purpose: 'execution' }),
    graph: contextOf({ database, caller, purpose: 'graph' }),
    progress,
  };
}

/** With what Apollo asks of requests that need no preflight. */
function answerPreflight(ctx: KoaContext): void {
  ctx.set(preflightHeaders('Apollo-Require-Preflight', 'X-Apollo-Operation-Name'));
  ctx.status = 204;
}

function answerRefusal(ctx: KoaContext, error: unknown): void {
  const refusal = error instanceof Refusal ? error : refusalOf(error);
  if (!refusal) log.error({ err: error }, 'a GraphQL request failed');
  const status = (refusal && statuses[refusal.code]) ?? 500;
  const headers: Record<string, string> = {};
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  // The rest of a body that was too large is not read.
  if (status === 413) headers.Connection = 'close';
  if (refusal?.retryAfter) headers['Retry-After'] = String(refusal.retryAfter);
  answerError(ctx, status, refusal?.code ?? 'SYSTEM', refusal?.message ?? 'An unknown error has occurred.', headers);
}

function answerError(
  ctx: KoaContext,
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): void {
  ctx.status = status;
  ctx.set(headers);
  ctx.body = JSON.stringify({ errors: [{ message, extensions: { code } }] });
  const media = ctx.accepts('application/json', 'application/graphql-response+json') || 'application/json';
  ctx.type = `${media}; charset=utf-8`;
}
