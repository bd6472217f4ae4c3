import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';
import { readBrowserScript } from '../../core/browser-script.js';
import { matchesEtag } from '../../http/etag.js';

const bytes = Buffer.from(readBrowserScript('widget'));
const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

/** Serves `/widget.js` on every host except those of pages. */
export const serveWidgetScript: Middleware = (ctx, next) => {
  if (ctx.path !== '/widget.js' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
  ctx.set({
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': 'public, max-age=3600',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
  });
  // Not with Koa's `fresh`, which treats "Cache-Control: no-cache" as a request for the body; it asks to revalidate.
  if (matchesEtag(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304;
    return;
  }
  ctx.type = 'text/javascript; charset=utf-8';
  ctx.body = bytes;
};
