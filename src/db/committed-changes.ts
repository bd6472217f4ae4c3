import { EventEmitter } from 'node:events';
import type { EntityManager } from './database.js';
import { type AuditedWrite, auditCtes, insertAuditEntries } from './audit.js';
import { query } from './prepared-statements.js';

/** What a transaction has done that its commit records and announces. */
export class PendingChanges {
  /** The pages that it changes. One that it does not change after all only costs a rendering of the page. */
  readonly pageIds = new Set<string>();
  /** What it writes to the audit log. */
  readonly auditEntries: AuditedWrite[] = [];
  /** Whether it inserts a publication or queues deliveries, for workers to find after the commit. */
  queuesDeliveries = false;
}

/** The records of an open transaction. */
export interface Transaction extends EntityManager {
  readonly pending: PendingChanges;
}

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
export async function insertPageChanges(em: Transaction): Promise<CommittedChange[]> {
  const { pageIds, auditEntries, queuesDeliveries } = em.pending;
  const entries = auditEntries.length ? JSON.stringify(auditEntries) : null;
  if (!pageIds.size) {
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
    entries ? [[...pageIds], entries] : [[...pageIds]],
  );
  return rows.map(({ key }) => ({ ...parseChangeKey(key), key, queuesDeliveries }));
}
