import { EventEmitter } from 'node:events';
import type { EntityManager } from '../connection.js';
import { query } from '../prepared-statements.js';

/** The pages that each open transaction has written to. */
const changedPages = new WeakMap<EntityManager, Set<string>>();

/** Declares that this transaction changes a page. A declaration without a change only costs a rendering of the page. */
export function markPageChanged(em: EntityManager, pageId: string): void {
  const pages = changedPages.get(em) ?? new Set();
  changedPages.set(em, pages.add(pageId));
}

/** A page that a committed transaction changed. */
export interface CommittedChange {
  /** `<transaction id>:<page id>` */
  key: string;
  pageId: string;
}

export class CommittedChanges extends EventEmitter<{ committed: [CommittedChange] }> {}

/**
 * Inserts the changed pages before the commit, for the other processes to find. Returns them, to be announced in this
 * process after the commit.
 */
export async function insertPageChanges(em: EntityManager): Promise<CommittedChange[]> {
  const pages = changedPages.get(em);
  if (!pages) return [];
  const rows = await query<{ transaction: string; page: string }>(
    em,
    `insert into page_change (page_id, created_at) select unnest($1::text[]), clock_timestamp()
     returning transaction::text, page_id as page`,
    [[...pages]],
  );
  return rows.map(({ transaction, page }) => ({ key: `${transaction}:${page}`, pageId: page }));
}
