import type { Middleware } from 'koa';
import { escapeHtml } from '../core/escape-html.js';
import { parseHosts, type Settings } from '../core/config.js';
import { createHostRules, parseHost } from '../http/host-header.js';
import { plainDocumentHeaders, renderPlainDocument } from '../http/plain-document.js';
import { shareResult } from '../core/share-result.js';
import type { Database } from '../db/database.js';

/** Bounds the response: the list is for visitors who look for their page. */
const maxPages = 200;

/** The root of the service while no single page is shown there: a list of the pages that search engines may index. */
export function createRootMiddleware(
  database: Database,
  settings: Pick<Settings, 'rootPage' | 'publicUrl' | 'consoleUrl' | 'port'>,
): Middleware {
  const hosts = createHostRules(parseHosts(settings));
  // RATE_LIMIT does not count it: that no single page is at the root is known without a look-up.
  const listPages = shareResult(() =>
    database.query<{ id: string; name: string }>(
      `select id, name from page where visible_to_search and visibility = 'public'
       order by lower(name), id limit ${maxPages}`,
    ),
  );
  return async (ctx, next) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (ctx.path !== '/' || !isRead || settings.rootPage !== 'auto') return next();
    // A domain that no page has verified shows nothing.
    const host = parseHost(ctx.get('Host'))!;
    if (hosts.canBeCustomDomain(host) || hosts.isConsoleHost(host)) return next();
    const pages = await listPages();
    const items = pages.map(({ id, name }) => `<li><a href="/status/${id}/">${escapeHtml(name)}</a></li>`);
    ctx.set(plainDocumentHeaders);
    ctx.body = renderPlainDocument(
      'Status pages',
      items.length ? `<ul>\n${items.join('\n')}\n</ul>` : '<p>There is no public page yet.</p>',
    );
  };
}
