import type { Middleware } from 'koa';
import { parseConsoleUrl, parseHosts, type Settings } from '../core/config.js';
import { readBrowserScript } from '../core/browser-script.js';
import { BuiltFiles } from '../http/built-files.js';
import { createHostRules, parseHost } from '../http/host-header.js';

/** The service worker that shows push messages. Its scope is the console. */
const pushWorker = readBrowserScript('push-worker');

/** The console has no inline script or style, and frames nothing but its previews, which have a policy of their own. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves the console below /console/: its files, and for every other path its document, whose script reads the path.
 * With a host of its own it is there alone, and the base host leads there.
 */
export function createConsoleMiddleware(settings: Pick<Settings, 'publicUrl' | 'consoleUrl' | 'port'>): Middleware {
  const { baseHost, consoleHost } = parseHosts(settings);
  const hosts = createHostRules({ baseHost, consoleHost });
  const { origin } = parseConsoleUrl(settings);
  const files = new BuiltFiles(new URL('../console/', import.meta.url), {
    'Content-Security-Policy': contentSecurityPolicy,
    'Referrer-Policy': 'same-origin',
  });
  return async (ctx, next) => {
    const [, path] = /^\/console(?:\/(.*))?$/.exec(ctx.path) ?? [];
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    const host = parseHost(ctx.get('Host'))!;
    if (ctx.path === '/' && isRead && hosts.isConsoleHost(host)) return ctx.redirect('/console/');
    if ((path === undefined && ctx.path !== '/console') || !isRead) return next();
    // A domain that no page has verified shows nothing.
    if (hosts.canBeCustomDomain(host)) return next();
    if (consoleHost && host === baseHost) return ctx.redirect(`${origin}${ctx.url}`);
    if (path === undefined) return ctx.redirect('/console/');
    if (path === 'push-worker.js') {
      ctx.type = 'text/javascript';
      ctx.body = pushWorker;
      return;
    }
    if (!(await files.send(ctx, path.startsWith('assets/') ? path : 'index.html'))) return next();
  };
}
