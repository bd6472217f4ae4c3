/** What browsers on other origins may send to the interfaces, /v1 and the graph alike: the answer to their question beforehand, which asks for no token. */
export const preflightHeaders = (...ownHeaders: string[]): Record<string, string> => ({
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': [
    'Authorization, Content-Type, X-HTTP-Method-Override, X-Plugin-Ping, Idempotency-Key, If-Match, If-None-Match',
    ...ownHeaders,
  ].join(', '),
  'Access-Control-Max-Age': '600',
});
