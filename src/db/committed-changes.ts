import { EventEmitter } from 'node:events';
import type { EntityManager } from './database.js';
import { auditCtes, insertAuditEntries, takeAuditEntries } from './audit.js';
import { query } from './prepared-statements.js';

/** The pages that each open transaction has written to. */
const changedPages = new WeakMap<EntityManager, Set<string>>();

/** Declares that this transaction changes a page. A declaration without a change only costs a rendering of the page. */
export function markPageChanged(em: EntityManager, pageId: string): void {
  const pages = changedPages.get(em) ?? new Set();
  changedPages.set(em, pages.add(pageId));
}

/** The open transactions that have work for the delivery workers. */
const queueing = new WeakSet<EntityManager>();

/** Declares that this transaction inserts a publication or queues deliveries, for workers to find after its commit. */
export const markDeliveriesQueued = (em: EntityManager): void => void queueing.add(em);

/** A change of a page that a transaction committed. */
export interface PageChange {
  pageId: string;
  /** How many changes the page has had, this one included; null if the page was deleted. */
  changeCount: number | null;
}

/** A change with the key of its row, by which a process recognizes what it has seen. NOTIFY carries the key. */
export interface CommittedChange extends PageChange {
  key: string;
  queuesDeliveries: boolean;
}

export class CommittedChanges extends EventEmitter<{ committed: [CommittedChange] }> {}

export const changeKeySql = (row: string): string =>
  `${row}.id || ':' || ${row}.page_id || ':' || coalesce(${row}.change_count::text, '')`;

export function parseChangeKey(key: string): PageChange {
  const [, pageId, count] = key.split(':') as [string, string, string];
  return { pageId, changeCount: count ? Number(count) : null };
}

/**
 * Counts the changes of pages and inserts them before the commit, for the other processes to find. Returns them, to be
 * announced in this process after the commit. A page's count has the order of the commits, because each writer holds
 * the lock of the page until then. The entries of the audit log are inserted by the same statement.
 */
export async function insertPageChanges(em: EntityManager): Promise<CommittedChange[]> {
  const pages = changedPages.get(em);
  const entries = takeAuditEntries(em);
  if (!pages) {
    if (entries) await insertAuditEntries(em, entries);
    return [];
  }
  const rows = await query<{ key: string }>(
    em,
    `with ${entries ? `${auditCtes('$2')},` : ''} counted as (
       update page set change_count = change_count + 1 where id = any($1) returning id, change_count)
     insert into page_change (page_id, change_count, created_at)
     select id, change_count, clock_timestamp() from unnest($1::text[]) changed(id) left join counted using (id)
     returning ${changeKeySql('page_change')} as key`,
    entries ? [[...pages], entries] : [[...pages]],
  );
  return rows.map(({ key }) => ({ ...parseChangeKey(key), key, queuesDeliveries: queueing.has(em) }));
}
