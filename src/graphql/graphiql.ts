import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Context as KoaContext } from 'koa';
import { matchesEtag } from '../http/etag.js';
import { type GraphiqlAssets, isAssetPath, loadGraphiqlAssets } from './graphiql-assets.js';

/** The editor adds style elements; its fonts and images are in the stylesheet as data: URLs. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const decompress = promisify(gunzip);

/** Serves GraphiQL to browsers at /graphql, with all assets from this origin. */
export class Graphiql {
  private assets?: Promise<GraphiqlAssets>;

  isAsset(path: string): boolean {
    return isAssetPath(path);
  }

  /** Whether a browser requests the page itself rather than the response to a query. */
  isPageRequest(ctx: KoaContext): boolean {
    return (
      (ctx.method === 'GET' || ctx.method === 'HEAD') &&
      !('query' in ctx.query) &&
      ctx.accepts('application/json', 'application/graphql-response+json', 'text/html') === 'text/html'
    );
  }

  async sendPage(ctx: KoaContext): Promise<void> {
    const { scripts, stylesheets } = await this.load();
    ctx.set({ 'Content-Security-Policy': contentSecurityPolicy, 'Referrer-Policy': 'no-referrer' });
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = renderPage(scripts, stylesheets);
  }

  async sendAsset(ctx: KoaContext): Promise<void> {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      ctx.status = 405;
      return;
    }
    const asset = (await this.load()).byPath.get(ctx.path);
    if (!asset) return;
    const isCompressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    const etag = isCompressed ? asset.etag.replace(/"$/, '-gzip"') : asset.etag;
    ctx.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      'X-Content-Type-Options': 'nosniff',
      ETag: etag,
    });
    if (matchesEtag(ctx.get('If-None-Match'), etag)) {
      ctx.status = 304;
      return;
    }
    if (isCompressed) ctx.set('Content-Encoding', 'gzip');
    ctx.type = asset.contentType;
    ctx.body = isCompressed ? Buffer.from(asset.compressed) : await decompress(asset.compressed);
  }

  /** Loads the assets once, when a browser first needs them. */
  private load(): Promise<GraphiqlAssets> {
    this.assets ??= loadGraphiqlAssets().catch(error => {
      this.assets = undefined;
      throw error;
    });
    return this.assets;
  }
}

const renderPage = (scripts: string[], stylesheets: string[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>All Clear: GraphQL</title>
<link rel="icon" href="data:,">
${stylesheets.map(path => `<link rel="stylesheet" href="${path}">`).join('\n')}
</head>
<body>
<div id="credentials">
<strong>All Clear</strong>
<label for="token">Token</label>
<input id="token" type="password" autocomplete="off" spellcheck="false">
<p>Needed unless you are signed in. This tab keeps it, with your queries, until you close it.</p>
</div>
<div id="root">Loading. This page requires JavaScript.</div>
${scripts.map(path => `<script src="${path}"></script>`).join('\n')}
</body>
</html>
`;
