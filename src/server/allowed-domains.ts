import type { Middleware } from 'koa';
import { parseHosts, type Settings } from '../core/config.js';
import { toDnsName } from '../core/dns-name.js';
import type { Database } from '../db/database.js';
import { toRefusal } from '../db/database-errors.js';
import { createProxyTest } from '../http/client-address.js';
import { createHostRules } from '../http/host-header.js';
import type { RateLimiter } from '../http/rate-limit.js';
import { refusalHeaders, refusalStatus } from '../http/status-codes.js';

/**
 * `GET /domains/allowed?domain=`: 200 for a custom domain that a page has verified, for `<page id>.<base host>` of a
 * page that exists, and for the hosts of the service itself; 404 for any other name. A proxy that obtains certificates
 * on demand asks first (`on_demand_tls { ask }` of Caddy).
 */
export function createAllowedDomainsMiddleware(
  database: Pick<Database, 'query'>,
  settings: Pick<Settings, 'publicUrl' | 'consoleUrl' | 'port' | 'trustedProxies'>,
  rateLimiter: Pick<RateLimiter, 'clientAddress' | 'throttleAddress'>,
): Middleware {
  const ownHosts = parseHosts(settings);
  const { pageIdFromHost } = createHostRules(ownHosts);
  const isProxy = createProxyTest(settings.trustedProxies);
  const isAllowedName = async (name: string) => {
    // It may have no dot, such as localhost.
    if (name === ownHosts.baseHost || name === ownHosts.consoleHost) return true;
    const domain = toDnsName(name);
    if (domain === null) return false;
    if (domain === ownHosts.baseHost || domain === ownHosts.consoleHost) return true;
    const pageId = pageIdFromHost(domain);
    return pageId === undefined ? isVerified(database, domain) : hasPage(database, pageId);
  };
  return async (ctx, next) => {
    if (ctx.path !== '/domains/allowed' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.set('Cache-Control', 'no-store');
    try {
      // What a proxy passes on for a client counts for that client.
      if (!isProxy(rateLimiter.clientAddress(ctx.req))) await rateLimiter.throttleAddress(ctx.req);
      const { domain } = ctx.query;
      const isAllowed = typeof domain === 'string' && (await isAllowedName(domain));
      ctx.status = isAllowed ? 200 : 404;
      ctx.body = isAllowed ? 'allowed\n' : 'No page has this domain.\n';
    } catch (error) {
      const refusal = toRefusal(error);
      if (!refusal) throw error;
      ctx.status = refusalStatus[refusal.code];
      ctx.set(refusalHeaders(refusal));
      ctx.body = `${refusal.message}\n`;
    }
  };
}

/** A page that has moved redirects from its domain until the DNS names the other installation. */
async function isVerified(database: Pick<Database, 'query'>, domain: string): Promise<boolean> {
  const rows = await database.query(
    `select 1 from custom_domain where domain = $1 and verified_at is not null
     union all select 1 from moved_page where domain = $1`,
    [domain],
  );
  return rows.length > 0;
}

/** The host of a page that has moved redirects, too. */
async function hasPage(database: Pick<Database, 'query'>, pageId: string): Promise<boolean> {
  const rows = await database.query(
    'select 1 from page where id = $1 union all select 1 from moved_page where page_id = $1',
    [pageId],
  );
  return rows.length > 0;
}
