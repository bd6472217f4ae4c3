import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database } from '../db/database.js';

type LinkKey = (pageId: string) => Promise<Buffer>;

/**
 * The key for signed links of a page, and for hashes of its addresses. Each page has its own: it moves to another
 * installation with the page, whose links stay valid, and says nothing about other pages.
 */
export async function loadLinkKey({ query }: Pick<Database, 'query'>, pageId: string): Promise<Buffer> {
  const [page] = await query<{ key: string }>('select link_key as key from page where id = $1', [pageId]);
  // No link of a page that was deleted is valid.
  return page ? Buffer.from(page.key, 'hex') : randomBytes(32);
}

/** Returns what loads the keys, each once a minute. */
export function cacheLinkKeys(database: Pick<Database, 'query'>): LinkKey {
  const keys = new LRUCache<string, Buffer>({
    max: 10_000,
    ttl: 60_000,
    fetchMethod: pageId => loadLinkKey(database, pageId),
  });
  return async pageId => (await keys.fetch(pageId))!;
}
