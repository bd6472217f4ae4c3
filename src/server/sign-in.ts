import type { Context, Middleware } from 'koa';
import { redeemSignInCode } from '../auth/session.service.js';
import { parsePublicUrl, type Settings } from '../core/config.js';
import { Refusal } from '../core/errors.js';
import type { Database } from '../db/connection.js';
import { Browser } from '../http/browser.js';
import type { RateLimiter } from '../http/rate-limit.js';

const linkPath = /^\/sign-in\/([\w-]{43})$/;

/**
 * Serves the links that sign a person in. To open one uses nothing up, since mail servers and chats open links, too: its
 * form signs in. The target of the redirect is constant.
 */
export function createSignInMiddleware(
  database: Database,
  settings: Pick<Settings, 'publicUrl' | 'port'>,
  rateLimiter: RateLimiter,
): Middleware {
  const { origin } = parsePublicUrl(settings);
  return async (ctx, next) => {
    const code = linkPath.exec(ctx.path)?.[1];
    if (!code) return next();
    ctx.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    });
    if (ctx.method === 'GET' || ctx.method === 'HEAD') return sendPage(ctx, 200, form);
    if (ctx.method !== 'POST') {
      ctx.set('Allow', 'GET, HEAD, POST');
      return sendPage(ctx, 405, 'Open this link in a browser.');
    }
    try {
      await rateLimiter.throttleAddress(ctx.req);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return sendPage(ctx, 429, 'Too many requests. Try again in a minute.');
    }
    // Another site must not sign its visitors in as somebody else.
    if (ctx.get('Origin') !== origin) return sendPage(ctx, 403, 'Open this link in a browser, and press its button.');
    const browser = new Browser(ctx.req, ctx.res, settings, rateLimiter);
    const signedIn = await redeemSignInCode(database, code, browser);
    if (!signedIn) return sendPage(ctx, 410, 'This link was used, or is older than 15 minutes. Ask for another.');
    browser.setSession(signedIn.secret);
    ctx.set('Location', '/console/');
    ctx.status = 303;
    ctx.body = '';
  };
}

const form = '<form method="post"><button>Sign in</button></form>';

function sendPage(ctx: Context, status: number, content: string): void {
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sign in</title>
<h1>Sign in to All Clear</h1>
${content.startsWith('<') ? content : `<p>${content}</p>`}
`;
}
