import { EventEmitter } from 'node:events';
import type { EntityManager } from '../connection.js';
import { query } from '../prepared-statements.js';

/** The pages that a transaction wrote something of. */
const changedIn = new WeakMap<EntityManager, Set<string>>();

/** Says that this transaction changes what a page shows. Saying it for one that in the end changes nothing costs a drawing, and is no harm. */
export function changes(em: EntityManager, pageId: string): void {
  const pages = changedIn.get(em) ?? new Set();
  changedIn.set(em, pages.add(pageId));
}

/** A page that a transaction changed, and both as one word. */
export interface Change {
  /** `<number of the transaction>:<page id>` */
  key: string;
  pageId: string;
}

export class CommittedChanges extends EventEmitter<{ committed: [Change] }> {}

/** Before the commit: leaves the mark by which the other processes hear. Returns what is to be told in this one after it. */
export async function markChanges(em: EntityManager): Promise<Change[]> {
  const pages = changedIn.get(em);
  if (!pages) return [];
  const rows = await query<{ transaction: string; page: string }>(
    em,
    'insert into page_change (page_id, created_at) select unnest($1::text[]), clock_timestamp() returning transaction::text, page_id as page',
    [[...pages]],
  );
  return rows.map(({ transaction, page }) => ({ key: `${transaction}:${page}`, pageId: page }));
}
