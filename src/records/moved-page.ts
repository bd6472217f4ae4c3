import { movedTo, Refusal } from '../core/errors.js';
import type { Database, EntityManager } from '../db/database.js';
import { isStorable } from '../core/validation.js';
import { query } from '../db/prepared-statements.js';

type Queryable = Pick<Database, 'query'>;

/**
 * Returns the error to send: GONE with the new address if `error` is about a page that has moved. Otherwise, or if the
 * look-up fails, `error` itself.
 */
export async function toMovedError(database: Queryable, pageId: unknown, error: unknown): Promise<unknown> {
  // A token that was of this page alone has no role any more.
  const isMissing = error instanceof Refusal && (error.details.record === 'page' || error.code === 'FORBIDDEN');
  const url = isMissing && typeof pageId === 'string' ? await findMovedPage(database, pageId).catch(() => null) : null;
  return url === null ? error : movedTo(url);
}

/** Remembers where a page is that is deleted here since another installation has it. `url` ends with a slash. */
export const rememberMove = (em: EntityManager, pageId: string, url: string): Promise<unknown> =>
  query(
    em,
    `insert into moved_page (page_id, url, domain, hook_hashes, moved_at)
     select page.id, $2, (select domain from custom_domain d where d.page_id = page.id and d.verified_at is not null),
       array(select hash from alert_source a where a.page_id = page.id), clock_timestamp()
     from page where page.id = $1`,
    [pageId, url],
  );

/** Forgets the moves of pages that are here again. */
export const forgetMoves = (em: EntityManager, pageIds: readonly string[]): Promise<unknown> =>
  query(em, 'delete from moved_page where page_id = any($1)', [pageIds]);

/** The address of a page at another installation, with a slash at its end. Null: it did not move. */
export async function findMovedPage(database: Queryable, pageId: string): Promise<string | null> {
  if (!isStorable(pageId)) return null;
  const [row] = await database.query<{ url: string }>('select url from moved_page where page_id = $1', [pageId]);
  return row?.url ?? null;
}

/** The origin of the installation that has the page of a source of alerts now. */
export async function findMovedSource(database: Queryable, hash: string): Promise<string | null> {
  const [row] = await database.query<{ url: string }>('select url from moved_page where $1 = any(hook_hashes)', [hash]);
  return row ? new URL(row.url).origin : null;
}
