import { koaMiddleware } from '@as-integrations/koa';
import type { Context as KoaContext, Middleware } from 'koa';
import { type HttpMethodEnum, koaBody } from 'koa-body';
import { refusalOf } from '../db/failures.js';
import type { Database } from '../db/orm.js';
import { badRequest, Refusal } from '../errors.js';
import { log } from '../log.js';
import { callerOf } from '../tokens/caller.js';
import { throttle } from '../tokens/rate-limit.js';
import type { Caller } from './access.js';
import type { Context } from './context.js';
import type { GraphServer } from './server.js';
import { contextOf } from './session.js';

const statuses: Partial<Record<Refusal['code'], number>> = { UNAUTHENTICATED: 401, THROTTLED: 429, PAYLOAD_TOO_LARGE: 413, BAD_REQUEST: 400, UNAVAILABLE: 503 };

/** /graphql: one rule with /v1 for who may call. A wrong token fails the whole request, before anything of it is read. */
export function graphEndpoint(database: Database, server: GraphServer): Middleware {
  const parseBody = koaBody({
    json: true,
    urlencoded: false,
    text: false,
    multipart: false,
    jsonLimit: '1mb',
    parsedMethods: ['POST' as HttpMethodEnum],
    onError: bodyError,
  });
  const serve = koaMiddleware(server, { context: async ({ ctx }) => contextsOf(database, ctx.state.caller as Caller) });

  return async (ctx, next) => {
    if (ctx.path !== '/graphql' && ctx.path !== '/graphql/') return next();
    ctx.set({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Retry-After',
      'Cache-Control': 'private, no-cache',
      Vary: 'Authorization, Origin',
      'X-Content-Type-Options': 'nosniff',
    });
    if (ctx.method === 'OPTIONS') return answerPreflight(ctx);
    try {
      ctx.state.caller = await callerOf(database, ctx.get('Authorization') || undefined);
      await throttle(ctx.req, ctx.state.caller);
      if (ctx.method === 'POST') await parseBody(ctx as never, async () => {});
      await serve(ctx as never, async () => {});
    } catch (error) {
      answerRefusal(ctx, error);
    }
  };
}

/** Two readers: one for finished answers, one for rows to execute; Apollo asks the first where it can. */
function contextsOf(database: Database, caller: Caller): Context & { graph: Context } {
  return { ...contextOf({ database, caller, purpose: 'execution' }), graph: contextOf({ database, caller, purpose: 'graph' }) };
}

function answerPreflight(ctx: KoaContext): void {
  ctx.set({
    'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, Apollo-Require-Preflight, X-Apollo-Operation-Name, X-Plugin-Ping, Idempotency-Key, If-Match, If-None-Match, X-HTTP-Method-Override',
    'Access-Control-Max-Age': '600',
  });
  ctx.status = 204;
}

function bodyError(error: Error): never {
  if ((error as { status?: number }).status === 413) throw new Refusal('PAYLOAD_TOO_LARGE', 'The body is larger than 1 MB.');
  throw badRequest('The body is not valid JSON.');
}

function answerRefusal(ctx: KoaContext, error: unknown): void {
  const refusal = error instanceof Refusal ? error : refusalOf(error);
  if (!refusal) log.error({ err: error }, 'a GraphQL request failed');
  ctx.status = (refusal && statuses[refusal.code]) ?? 500;
  if (ctx.status === 401) ctx.set('WWW-Authenticate', 'Bearer');
  if (refusal?.retryAfter) ctx.set('Retry-After', String(refusal.retryAfter));
  ctx.body = { errors: [{ message: refusal?.message ?? 'An unknown error has occurred.', extensions: { code: refusal?.code ?? 'SYSTEM' } }] };
}
