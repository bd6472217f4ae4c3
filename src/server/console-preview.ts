import type { Middleware } from 'koa';
import { parseConsoleUrl, type Settings } from '../core/config.js';
import { Refusal } from '../core/errors.js';
import type { Admission } from '../http/admission/admission.js';
import { createBodyReader, decodeUtf8 } from '../http/body.js';
import type { RateLimiter } from '../http/rate-limit.js';
import { refusalHeaders, refusalStatus } from '../http/status-codes.js';

const maxBytes = 2 * 1024 * 1024;

/** No scripts, no origin, nothing from elsewhere: a browser has sent back what the service has rendered. */
const contentSecurityPolicy = [
  'sandbox',
  "default-src 'none'",
  // The assets of a theme that is not stored are in its document.
  "style-src 'unsafe-inline' data:",
  "img-src 'self' data:",
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ');

/**
 * Answers with the document that a form of the console sends, so that a frame shows a preview under a policy of its
 * own. Nothing is stored, so it works whichever process answers. Only a frame of this origin gets it: elsewhere a
 * document that somebody else wrote would seem to be ours (docs/decisions/previews-are-posted.md).
 */
export function createConsolePreviewMiddleware({
  settings,
  rateLimiter,
  admission,
}: {
  settings: Pick<Settings, 'publicUrl' | 'consoleUrl' | 'port'>;
  rateLimiter: Pick<RateLimiter, 'throttleAddress'>;
  admission: Pick<Admission, 'beginParsing'>;
}): Middleware {
  const { origin } = parseConsoleUrl(settings);
  const readBody = createBodyReader(['text/plain'], maxBytes);
  return async (ctx, next) => {
    if (ctx.path !== '/console/preview' || ctx.method !== 'POST') return next();
    ctx.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': contentSecurityPolicy,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
    const destination = ctx.get('Sec-Fetch-Dest');
    if (ctx.get('Origin') !== origin || (destination && destination !== 'iframe')) {
      ctx.status = 403;
      ctx.body = 'This address is for the previews of the console.\n';
      return;
    }
    try {
      await rateLimiter.throttleAddress(ctx.req);
      const body = await readBody(ctx);
      await admission.beginParsing(body.length, { key: 'previews of the console' });
      const text = decodeUtf8(body);
      ctx.type = 'text/html; charset=utf-8';
      // A form of type text/plain sends `name=value` and a line break.
      ctx.body = text.replace(/^html=/, '').trimEnd();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      ctx.status = refusalStatus[error.code];
      ctx.set(refusalHeaders(error));
      ctx.body = `${error.message}\n`;
    }
  };
}
