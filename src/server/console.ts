import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Context, Middleware } from 'koa';
import { parseConsoleUrl, parseHosts, type Settings } from '../core/config.js';
import { toBuiltUrl } from '../core/built-url.js';
import { matchesEtag } from '../http/etag.js';
import { createHostRules, parseHost } from '../http/host-header.js';

/** What `console/build.ts` writes. */
const folder = toBuiltUrl('../console/', import.meta.url);

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

const contentTypes: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

interface ConsoleFile {
  contentType: string;
  etag: string;
  body: Buffer;
  compressed: Buffer;
}

/**
 * Serves the console below /console/: its files, and for every other path its document, whose script reads the path. With
 * a host of its own it is there alone, and the base host leads there.
 */
export function createConsoleMiddleware(settings: Pick<Settings, 'publicUrl' | 'consoleUrl' | 'port'>): Middleware {
  const { baseHost, consoleHost } = parseHosts(settings);
  const hosts = createHostRules({ baseHost, consoleHost });
  const { origin } = parseConsoleUrl(settings);
  let files: Promise<Map<string, ConsoleFile>> | undefined;
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
    files ??= loadFiles().catch(error => {
      files = undefined;
      throw error;
    });
    const isAsset = path.startsWith('assets/');
    const file = (await files).get(isAsset ? path : 'index.html');
    if (!file) return next();
    sendFile(ctx, file, isAsset);
  };
}

function sendFile(ctx: Context, { contentType, etag, body, compressed }: ConsoleFile, isAsset: boolean): void {
  const isCompressed = ctx.acceptsEncodings('br', 'identity') === 'br';
  const encodedEtag = isCompressed ? etag.replace(/"$/, '-br"') : etag;
  ctx.set({
    // The name of an asset has a hash of its content.
    'Cache-Control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Content-Security-Policy': contentSecurityPolicy,
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    Vary: 'Accept-Encoding',
    ETag: encodedEtag,
  });
  if (matchesEtag(ctx.get('If-None-Match'), encodedEtag)) {
    ctx.status = 304;
    return;
  }
  if (isCompressed) ctx.set('Content-Encoding', 'br');
  ctx.type = contentType;
  ctx.body = isCompressed ? compressed : body;
}

/** Loads the files once, when a browser first asks for one. */
async function loadFiles(): Promise<Map<string, ConsoleFile>> {
  const names = (await readdir(folder, { recursive: true })).filter(name => name.endsWith('.br'));
  const entries = names.map(async (compressedName): Promise<[string, ConsoleFile]> => {
    const name = compressedName.slice(0, -'.br'.length);
    const [body, compressed] = await Promise.all([name, compressedName].map(path => readFile(new URL(path, folder))));
    const contentType = contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    const etag = `"${hash('sha256', body!, 'base64url').slice(0, 22)}"`;
    return [name, { contentType, etag, body: body!, compressed: compressed! }];
  });
  return new Map(await Promise.all(entries));
}
