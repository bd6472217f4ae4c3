import type { Database, EntityManager } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { compileTimestamp } from '../../records/table-sql.js';
import { subjectLabelSql } from './audit-entry.entity.js';

interface AuditExport {
  /** Null: of all. */
  pageId?: string | null;
  since?: Date | null;
  /** The id of the entry after which to begin. */
  after?: number;
}

const exportedAtOnce = 1_000;

/** The entries as lines of JSON, oldest first, and the id of the last one if there may be more. */
export async function exportAuditLog(
  database: Database,
  { pageId = null, since = null, after = 0 }: AuditExport,
  limit = exportedAtOnce,
): Promise<{ text: string; last: number | null }> {
  const rows = await database.query<{ id: number; line: string }>(
    `select e.id, json_build_object(
       'id', e.id::text, 'at', ${compileTimestamp('e.at')}, 'page_id', e.page_id, 'actor_kind', e.actor_kind,
       'actor', e.actor, 'interface', e.interface, 'operation', e.operation, 'subject', e.subject,
       'subject_id', e.subject_id, 'subject_label', ${subjectLabelSql('e.subject', 'e.subject_id', 'e.page_id')},
       'request_id', e.request_id, 'publication_id', e.publication_id,
       'changes', coalesce((
         select json_agg(json_build_object(
           'record', c.record, 'record_id', c.record_id, 'field', c.field, 'before', c.before, 'after', c.after
         ) order by c.id) from audit_change c where c.entry_id = e.id), '[]'))::text as line
     from audit_entry e
     where ($1::text is null or e.page_id = $1) and ($2::timestamptz is null or e.at >= $2) and e.id > $3
     order by e.id limit $4`,
    [pageId, since, after, limit],
  );
  const last = rows.length === limit ? Number(rows.at(-1)!.id) : null;
  return { text: rows.map(({ line }) => `${line}\n`).join(''), last };
}

/** The entries that are older than `$1` days. */
export const oldEntriesSql = `select id from audit_entry where at < clock_timestamp() - $1::integer * interval '1 day'`;

/** Of changes that a statement deletes; an entry with more is deleted alone. */
const maxDeletedChanges = 2_000;

/** Deletes some of them with their changes, of which an entry can have thousands. Returns how many. */
export async function deleteOldEntries(em: EntityManager, days: number, limit: number): Promise<number> {
  const rows = await query(
    em,
    `with entries as materialized (${oldEntriesSql} limit ${limit}), counted as (
         select e.id, row_number() over oldest as place, sum(c.count) over oldest as changes
         from entries e cross join lateral (
           select count(*) from (select from audit_change where entry_id = e.id limit ${maxDeletedChanges}) one) c
         window oldest as (order by e.id)
       ), old as materialized (select id from counted where place = 1 or changes <= ${maxDeletedChanges}),
       changes as (delete from audit_change where entry_id in (select id from old))
     delete from audit_entry where id in (select id from old) returning 1`,
    [days],
  );
  return rows.length;
}
