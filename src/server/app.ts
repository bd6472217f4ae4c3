import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import Koa from 'koa';
import { graphqlEndpoint } from '../graphql/endpoint.js';
import type { GraphqlServer } from '../graphql/server.js';
import type { EventDependencies } from '../graphql/subscriptions/event-responses.js';
import { createAllowedDomainsMiddleware } from './allowed-domains.js';
import { createHealthMiddleware, type HealthDependencies } from './health.js';
import { createBounceHookMiddleware } from './hooks/bounce-hook.js';
import { createHooksMiddleware } from './hooks/alert-hook.js';
import { createConsoleMiddleware } from './console.js';
import { createConsolePreviewMiddleware } from './console-preview.js';
import { mcpEndpoint } from '../graphql/mcp/endpoint.js';
import type { HttpMetrics, Interface } from './monitoring/http-metrics.js';
import { createRootMiddleware } from './root.js';
import { createSignInMiddleware } from './sign-in/sign-in.js';
import { createTransferMiddleware } from './transfer/transfer.js';
import type { AccessLog } from '../http/access-log.js';
import { ClientErrors, isConnectionError } from '../http/client-errors.js';
import type { ConnectionLimiter } from '../http/connection-limiter.js';
import { healthPaths } from '../http/close-server.js';
import { hasOneHostHeader, parseHost } from '../http/host-header.js';
import { getRequestId } from '../http/request-id.js';
import type { ApiDependencies } from '../graphql/context.js';
import { createOpenApiDocument } from '../rest/openapi/document.js';
import { createRestRouter } from '../rest/router.js';
import { prepareRoutes } from '../rest/routes.js';
import { createStatuspageRouter } from '../rest/statuspage/router.js';
import { schema } from '../schema.js';
import type { BodyLimits } from '../http/body-limits.js';
import type { RateLimiter } from '../http/rate-limit.js';
import { RequestTurns } from '../http/request-turns.js';
import { createPageHandler, type PageHandlerOptions } from '../status-page/server/handler.js';
import { serveWidgetScript } from '../status-page/widget/script.js';
import { version } from './version.js';

/** Everything that needs the database except the public pages: the APIs and the health checks. */
/** HTTP/1.0 has no Host header: load balancers such as HAProxy ask for the health of a process by it. */
const isHealthCheckWithoutHost = ({ req, method, path }: Koa.Context): boolean =>
  req.httpVersion === '1.0' &&
  req.headers.host === undefined &&
  (method === 'GET' || method === 'HEAD') &&
  ['/healthz', '/healthz/pages', '/readyz'].includes(path);

export function createApp(
  api: ApiDependencies,
  graphqlServer: GraphqlServer,
  eventDependencies: EventDependencies,
  health: Pick<HealthDependencies, 'lifecycle' | 'readiness' | 'metrics'>,
): RequestListener {
  const { database, settings } = api;
  const app = new Koa();
  app.on('error', (error: Error, ctx?: Koa.Context) => {
    // Koa repeats the errors of the connection, which the server reports, and the answers 4xx of `ctx.throw`.
    const isAnswer = 'expose' in error && error.expose === true;
    if (!isAnswer && !isConnectionError(error, ctx?.req)) database.log.error({ err: error }, 'request failed');
  });
  app.use(async (ctx, next) => {
    const host = hasOneHostHeader(ctx.req) ? parseHost(ctx.req.headers.host) : undefined;
    ctx.set('X-Request-Id', getRequestId(ctx.req));
    if (!hasValidTarget(ctx)) return respondPlain(ctx, 400, 'Bad request: the request target is malformed.\n');
    if (!host && !isHealthCheckWithoutHost(ctx))
      return respondPlain(ctx, 400, 'Bad request: the Host header is malformed.\n');
    if (!healthPaths.includes(ctx.path)) await api.rateLimiter.report(ctx.req, ctx.res);
    await next();
    if (ctx.status === 404 && ctx.body === undefined) respondPlain(ctx, 404, 'Not found.\n');
  });
  app.use(createHealthMiddleware({ ...api, ...health }));
  app.use(createAllowedDomainsMiddleware(database, settings, api.rateLimiter));
  app.use(createSignInMiddleware(api));
  app.use(createRootMiddleware(database, settings));
  app.use(createConsoleMiddleware(settings));
  app.use(createConsolePreviewMiddleware(api));
  app.use(createTransferMiddleware(api));
  app.use(serveWidgetScript);
  app.use(createHooksMiddleware(api));
  app.use(createBounceHookMiddleware(api));
  app.use(graphqlEndpoint(api, graphqlServer, eventDependencies));
  app.use(mcpEndpoint(api, graphqlServer, { schema, version }));
  const restRoutes = prepareRoutes(api.schema);
  app.use(createStatuspageRouter(api));
  app.use(createRestRouter(api, restRoutes, JSON.stringify(createOpenApiDocument(restRoutes, api))));
  // `callback` copies the list of middleware, so this must be last.
  const serve = app.callback();
  return (request, response) => void serve(request, response);
}

interface HttpServerOptions extends Omit<PageHandlerOptions, 'next'> {
  rateLimiter: Pick<RateLimiter, 'throttleAddress' | 'clientAddress'>;
  connections: ConnectionLimiter;
  accessLog: AccessLog;
  metrics: HttpMetrics;
  bodyLimits: BodyLimits;
  applyForwardedHost(request: IncomingMessage): void;
}

/** Of a request. Node has 2,000 by default, and 16 kB of short ones take 100 kB of memory. */
const maxHeaders = 100;

function refuseHeaders(response: ServerResponse): void {
  response.writeHead(431, { Connection: 'close', 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`A request may have ${maxHeaders} headers.\n`);
}

/** Creates the HTTP server: public pages first, everything else goes to `fallback`. */
export function createHttpServer(
  { connections, accessLog, metrics, bodyLimits, applyForwardedHost, ...options }: HttpServerOptions,
  fallback: RequestListener,
): Server {
  const handlePage = createPageHandler({ ...options, next: fallback });
  const turns = new RequestTurns();
  const clientErrors = new ClientErrors(options.log);
  // Node's defaults keep slow clients connected for minutes.
  const server = createServer(
    { headersTimeout: 5_000, requestTimeout: 0, connectionsCheckingInterval: 1_000 },
    connections.handleInOrder((request, response) => {
      const startedAt = performance.now();
      applyForwardedHost(request);
      accessLog.add(request, response);
      bodyLimits.apply(request, response);
      const findAddress = () => options.rateLimiter.clientAddress(request);
      turns.add(findAddress, response, () => {
        if (request.rawHeaders.length > 2 * maxHeaders) return refuseHeaders(response);
        const isPage = handlePage(request, response);
        if (!isPage) fallback(request, response);
        metrics.add(isPage ? 'page' : classify(request.url!), response, startedAt);
      });
    }),
  );
  // Node leaves out what is beyond.
  server.maxHeadersCount = maxHeaders + 1;
  connections.attach(server);
  // Not 'clientError', whose listener would have to answer in place of Node.
  server.on('connection', socket => socket.on('error', error => clientErrors.report(error)));
  server.on('close', () => clientErrors.close());
  return server;
}

/** Null: not counted. */
function classify(url: string): Interface | null {
  if (url.startsWith('/graphql')) return 'graphql';
  if (/^\/(v?\d|api\/v1\/statuspage\/)/.test(url)) return 'rest';
  return healthPaths.includes(url) ? null : 'other';
}

/**
 * Of a target in absolute form the host may be malformed. Koa has it parsed by `url.parse`, which throws, or prints a
 * warning with the whole target: it is checked before anything reads the path.
 */
function hasValidTarget(ctx: Koa.Context): boolean {
  if (!ctx.url.startsWith('/') && ctx.url !== '*' && !URL.canParse(ctx.url)) return false;
  try {
    return ctx.path !== null;
  } catch {
    return false;
  }
}

function respondPlain(ctx: Koa.Context, status: number, text: string): void {
  ctx.status = status;
  ctx.type = 'text/plain; charset=utf-8';
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.body = text;
}
