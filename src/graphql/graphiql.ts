import type { Context as KoaContext } from 'koa';
import { BuiltFiles } from '../http/built-files.js';

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

const root = '/graphql/';

/** Serves GraphiQL to browsers at /graphql, with all assets from this origin. */
export class Graphiql {
  private readonly files = new BuiltFiles(new URL('../browser/graphiql/', import.meta.url), {
    'Content-Security-Policy': contentSecurityPolicy,
    'Referrer-Policy': 'no-referrer',
  });

  isAsset(path: string): boolean {
    return path.startsWith(`${root}assets/`);
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
    await this.files.send(ctx, 'index.html');
  }

  async sendAsset(ctx: KoaContext): Promise<void> {
    if (ctx.method === 'GET' || ctx.method === 'HEAD') {
      await this.files.send(ctx, ctx.path.slice(root.length));
    } else {
      ctx.set('Allow', 'GET, HEAD');
      ctx.status = 405;
    }
  }
}
