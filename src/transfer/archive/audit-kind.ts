import { z } from 'zod';
import { isPossibleKey } from '../../core/ids.js';
import { actorKinds } from '../../people/actor.fields.js';
import { AuditEntry, numberedSubjects } from '../../people/audit/audit-entry.entity.js';
import { describeEntity } from './entity-kind.js';
import { type Kind, pageId, text } from './kind.js';

const value = text.nullable();
const change = z.strictObject({ record: text, record_id: text, field: text, before: value, after: value });

/** Records whose ids are those of the installation, and of others here. */
const ownSubjects = "('Person', 'Token', 'Session', 'Passkey')";

/** Entries get new ids: the log of an installation is in the order of its ids. */
export const auditKind: Kind = describeEntity(AuditEntry, {
  description: 'The audit log of the pages. Written with `--audit` alone.',
  fields: {
    page_id: pageId,
    actor_kind: z.enum(actorKinds),
    changes: {
      schema: z.array(change),
      read: `(select coalesce(json_agg(json_build_object('record', c.record, 'record_id', c.record_id, 'field', c.field,
        'before', c.before, 'after', c.after) order by c.id), '[]') from audit_change c where c.entry_id = k.id)`,
      write: '',
    },
  },
  omitted: ['id', 'publication_id'],
  // Who lists the log reads the names of all of its records.
  check: ({ subject, subject_id }) =>
    subject_id === null || !numberedSubjects.includes(String(subject)) || isPossibleKey(String(subject_id)),
  isOptional: true,
  insert: `
    with records as materialized (
      select nextval('audit_entry_id_seq') as id, record from json_array_elements($1::json) record
    ), inserted as (
      insert into audit_entry
        (id, page_id, at, actor_kind, actor, interface, operation, subject, subject_id, request_id)
      select r.id, k.page_id, k.at, k.actor_kind, k.actor, k.interface, k.operation, k.subject,
        case when k.subject in ${ownSubjects} then null else k.subject_id end, k.request_id
      from records r cross join lateral json_populate_record(null::audit_entry, r.record) k
      where k.page_id = any($2::text[]) returning 1
    ), inserted_changes as (
      insert into audit_change (entry_id, record, record_id, field, before, after)
      select r.id, k.record, k.record_id, k.field, k.before, k.after
      from records r cross join lateral json_populate_recordset(null::audit_change, r.record -> 'changes') k
    )
    select count(*)::integer as rows from inserted`,
});
