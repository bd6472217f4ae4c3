import type { Context, Middleware } from 'koa';
import { parseConsoleUrl, parseHosts } from '../../core/config.js';
import { Refusal } from '../../core/errors.js';
import { LinePerSecond } from '../../http/client-errors.js';
import type { ApiDependencies } from '../../graphql/context.js';
import { Browser } from '../../http/browser.js';
import { createHostRules, parseHost } from '../../http/host-header.js';
import { refusalHeaders, refusalStatus } from '../../http/status-codes.js';
import { callbackPath, IdentityProvider } from '../../people/sign-in/identity-provider.js';
import { readFormBody } from '../../status-page/subscribe/form-body.js';
import * as handlers from './handlers.js';
import { renderMessage, securityHeaders } from './page.js';

type Route = Partial<Record<'GET' | 'POST', handlers.Handler>>;

const routes: Record<string, Route> = {
  '/sign-in': { GET: handlers.showPage, POST: handlers.sendCode },
  '/sign-in/code': { POST: handlers.enterCode },
  '/sign-in/out': { POST: handlers.signOut },
  '/sign-in/openid-connect': { GET: handlers.beginAtProvider },
  [callbackPath]: { GET: handlers.finishAtProvider },
};
const linkRoute: Route = { GET: handlers.showLink, POST: handlers.useLink };
const linkPath = /^\/sign-in\/([\w-]{43})$/;

/** Serves the ways to sign in as pages that need no script, but for passkeys. */
export function createSignInMiddleware(api: ApiDependencies): Middleware {
  const { database, authenticator, settings, services, rateLimiter } = api;
  const { origin } = parseConsoleUrl(settings);
  const { baseHost, consoleHost } = parseHosts(settings);
  const hosts = createHostRules({ baseHost, consoleHost });
  const provider = settings.oidcIssuer ? new IdentityProvider(settings) : null;
  const failures = new LinePerSecond<{ reason?: string }>(line => database.log.warn(line, 'a sign-in failed'));
  return async (ctx, next) => {
    const link = linkPath.exec(ctx.path)?.[1];
    const route = link ? linkRoute : Object.hasOwn(routes, ctx.path) ? routes[ctx.path] : undefined;
    const host = parseHost(ctx.get('Host'))!;
    // A domain that no page has verified shows nothing.
    if (!route || hosts.canBeCustomDomain(host)) return next();
    ctx.set(securityHeaders);
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    // A session at the base host would not count.
    if (consoleHost && method === 'GET' && host === baseHost) return ctx.redirect(`${origin}${ctx.url}`);
    const handle = route[method as keyof Route];
    if (!handle) {
      ctx.set('Allow', Object.keys(route).join(', '));
      return send(ctx, 405, renderMessage('Open this page in a browser', 'This address does not support the method.'));
    }
    try {
      await rateLimiter.throttleAddress(ctx.req);
      checkOrigin(ctx, origin);
      const body = method === 'POST' ? await readFormBody(ctx.req) : { form: new URLSearchParams() };
      if ('status' in body) return send(ctx, body.status, renderMessage('The form cannot be read', body.message));
      const browser = new Browser(ctx.req, ctx.res, settings, rateLimiter);
      const request = { browser, query: ctx.search, form: body.form, link: link ?? '' };
      const response = await handle(request, { database, authenticator, settings, services, provider });
      if ('body' in response) return send(ctx, response.status, response.body);
      ctx.set('Location', response.location);
      ctx.status = 303;
      ctx.body = '';
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // What the provider answers may have codes in it.
      const { name, code } = (error.cause ?? {}) as { name?: string; code?: string };
      if (error instanceof handlers.ProviderError) failures.add({ reason: code ?? name });
      ctx.set(refusalHeaders(error));
      return send(ctx, refusalStatus[error.code], renderMessage('You are not signed in', error.message));
    }
  };
}

/** Another site must not sign its visitors in as somebody else, nor begin a sign-in; the provider leads back here. */
function checkOrigin(ctx: Context, origin: string): void {
  const site = ctx.get('Sec-Fetch-Site');
  const isForged =
    ctx.method === 'POST'
      ? ctx.get('Origin') !== origin
      : ctx.path === '/sign-in/openid-connect' && (site === 'cross-site' || site === 'same-site');
  if (isForged) throw new Refusal('FORBIDDEN', `Sign in from a page of ${origin}: this request comes from elsewhere.`);
}

function send(ctx: Context, status: number, body: string): void {
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = body;
}
