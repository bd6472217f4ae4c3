import type { Context } from 'koa';

const exposedHeaders = [
  'ETag',
  'Location',
  'Retry-After',
  'Allow',
  'Idempotency-Replayed',
  'WWW-Authenticate',
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
].join(', ');

/** For every response of /v1 and /graphql: scripts of any origin may read it, and these headers of it. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders,
};

const allowedHeaders =
  'Authorization, Content-Type, X-HTTP-Method-Override, X-Plugin-Ping, Idempotency-Key, If-Match, If-None-Match';
const listed = new Set(allowedHeaders.toLowerCase().split(', '));

/** A header name (RFC 9110, 5.6.2): the only part of a request that the response repeats. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Answers a preflight request, which carries no token. It allows any header that the request asks for, such as
 * those of tracing and of client libraries. Credentials of the browser are never allowed, so this opens nothing.
 */
export function sendPreflight(ctx: Context): void {
  const requested = ctx
    .get('Access-Control-Request-Headers')
    .split(',')
    .map(name => name.trim())
    .filter(name => token.test(name) && !listed.has(name.toLowerCase()));
  ctx.set({
    'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
    'Access-Control-Allow-Headers': [allowedHeaders, ...requested].join(', '),
    'Access-Control-Max-Age': '600',
  });
  ctx.status = 204;
}
