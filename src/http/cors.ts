/** For every response of /v1 and /graphql: scripts of any origin may read it, and these headers of it. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Location, Retry-After, Allow',
};

/** The response to a preflight request, which carries no token. `ownHeaders` are allowed beside the common ones. */
export const preflightHeaders = (...ownHeaders: string[]): Record<string, string> => ({
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': [
    'Authorization, Content-Type, X-HTTP-Method-Override, X-Plugin-Ping, Idempotency-Key, If-Match, If-None-Match',
    ...ownHeaders,
  ].join(', '),
  'Access-Control-Max-Age': '600',
});
