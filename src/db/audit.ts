import type { EntityManager } from './database.js';
import { query } from './prepared-statements.js';

/** Who writes, and by which interface and operation. */
export interface AuditOrigin {
  actorKind: 'person' | 'token' | 'automation' | 'command';
  /** The id of a person or of a token. Null: the kind has no ids. */
  actorId: string | null;
  /** `console`: a browser, by the session of a person. */
  interface: 'console' | 'graphql' | 'v1' | 'cli' | 'automation';
  operation: string;
  requestId: string | null;
}

/**
 * The origin of what a person does. People have sessions, and a session counts for requests of a page of PUBLIC_URL
 * alone: the console, the page to sign in, or the editor of GraphQL. No header could say so reliably.
 */
export const personOrigin = (personId: number, operation: string, requestId: string | null): AuditOrigin => ({
  actorKind: 'person',
  actorId: String(personId),
  interface: 'console',
  operation,
  requestId,
});

/** The origin of what the service does by itself, or a command. */
export const serviceOrigin = (kind: 'automation' | 'command', operation: string): AuditOrigin => ({
  actorKind: kind,
  actorId: null,
  interface: kind === 'command' ? 'cli' : 'automation',
  operation,
  requestId: null,
});

/** The origin of what automation does in the name of the caller with this key. */
export function delegatedOrigin(key: string, operation: string): AuditOrigin {
  const personId = /^person (\d+)$/.exec(key)?.[1];
  const actor = personId
    ? ({ actorKind: 'person', actorId: personId } as const)
    : ({ actorKind: 'token', actorId: key } as const);
  return { ...actor, interface: 'automation', operation, requestId: null };
}

/** A field of a record that was written. Null: it had no value, or the record did not exist. */
export interface AuditedChange {
  record: string;
  recordId: string;
  field: string;
  before: string | null;
  after: string | null;
}

/** What one transaction wrote, for the audit log. */
export interface AuditedWrite extends AuditOrigin {
  pageId: string | null;
  subject: string | null;
  subjectId: string | null;
  publicationId: number | null;
  changes: AuditedChange[];
}

const actorSql = `coalesce(
  (select p.email from person p where given.actor_kind = 'person' and p.id::text = given.actor_id),
  (select t.label || ' (' || t.id || ')' from token t where given.actor_kind = 'token' and t.id::text = given.actor_id),
  given.actor_id, given.actor_kind)`;

/** Common table expressions that insert the entries of a parameter, which is JSON, without a statement of their own. */
export const auditCtes = (parameter: string): string => `
  given as materialized (
    select nextval('audit_entry_id_seq') as id, "pageId" as page_id, "actorKind" as actor_kind, "actorId" as actor_id,
      interface, operation, subject, "subjectId" as subject_id, "requestId" as request_id,
      "publicationId" as publication_id, changes
    from jsonb_to_recordset(${parameter}::jsonb) entry ("pageId" text, "actorKind" text, "actorId" text, interface text,
      operation text, subject text, "subjectId" text, "requestId" text, "publicationId" int, changes jsonb)
  ), audited as (
    insert into audit_entry (id, page_id, at, actor_kind, actor, interface, operation, subject, subject_id, request_id,
      publication_id)
    select id, page_id, clock_timestamp(), actor_kind, ${actorSql}, interface, operation, subject, subject_id,
      request_id, publication_id from given
  ), audited_changes as (
    insert into audit_change (entry_id, record, record_id, field, before, after)
    select given.id, change.record, change."recordId", change.field, change.before, change.after
    from given cross join jsonb_to_recordset(given.changes)
      change (record text, "recordId" text, field text, before text, after text)
  )`;

/** Inserts the entries of a transaction that changes no page. */
export const insertAuditEntries = (em: EntityManager, entries: string): Promise<unknown> =>
  query(em, `with ${auditCtes('$1')} select 1`, [entries]);
