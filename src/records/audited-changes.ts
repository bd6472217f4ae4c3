import { type ChangeSet, EntityIdentifier } from '@mikro-orm/core';
import type { AuditedChange } from '../db/audit.js';
import type { EntityManager } from '../db/database.js';
import type { Meta } from './column-mapping.js';
import { getRules } from './record-rules.js';

/** What the audit log says of the changed records, before they are flushed. */
export interface RecordedChange {
  /** Its id is known after the flush. */
  entity: object;
  meta: Meta;
  /** A reference to a new record is an `EntityIdentifier`. */
  fields: { field: string; before: string | null; after: string | null | EntityIdentifier }[];
}

/** They follow from the change itself. */
const derivedFields: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  'editedAt',
  'version',
  'lastUpdateAt',
  'lastUpdateBy',
  'staleReminders',
]);
const maxLength = 10_000;

/** Collects the changed fields of the records that a flush is about to write. */
export function recordChanges(em: EntityManager): RecordedChange[] {
  const work = em.getUnitOfWork();
  const changes = (work.getChangeSets() as ChangeSet<object>[]).map(changeSet => recordChange(em, changeSet));
  for (const collection of work.getCollectionUpdates()) {
    const { owner, property } = collection;
    const list = (items: readonly object[]) => toText(items.map(item => (item as { id: unknown }).id));
    const before = list(collection.getSnapshot() ?? []);
    const after = list(collection.getItems(false));
    const meta = em.getMetadata().get(owner.constructor as never) as Meta;
    if (property.owner) changes.push({ entity: owner, meta, fields: [{ field: property.name, before, after }] });
  }
  return changes.filter(({ fields }) => fields.length > 0);
}

/** All fields of a record that a statement deletes. */
export const recordDeletion = (em: EntityManager, entity: object): RecordedChange =>
  recordChange(em, {
    entity,
    type: 'delete',
    payload: {},
    meta: em.getMetadata().get(entity.constructor as never),
  } as ChangeSet<object>);

function recordChange(
  em: EntityManager,
  { entity, type, payload, originalEntity, meta }: ChangeSet<object>,
): RecordedChange {
  const secrets: readonly string[] = getRules(meta as Meta).secrets ?? [];
  const isDeleted = type === 'delete' || type === 'delete_early';
  const before = (isDeleted ? em.getComparator().prepareEntity(entity) : (originalEntity ?? {})) as Record<
    string,
    unknown
  >;
  const after = (isDeleted ? {} : payload) as Record<string, unknown>;
  const keys = new Set<string>(meta.primaryKeys);
  const fields = Object.keys(isDeleted ? before : after)
    .filter(field => !derivedFields.has(field) && !keys.has(field))
    .map(field => {
      const show = (value: unknown) => (secrets.includes(field) && value != null ? '[redacted]' : toText(value));
      const value = after[field];
      return { field, before: show(before[field]), after: value instanceof EntityIdentifier ? value : show(value) };
    })
    .filter(({ before, after }) => before !== after || before === '[redacted]');
  return { entity, meta: meta as Meta, fields };
}

/** What the audit log says of records that statements change: the fields before and after. */
export const compareRecords = (
  record: string,
  rows: readonly { id: number; before: object; after: object }[],
): AuditedChange[] =>
  rows.flatMap(({ id, before, after }) =>
    [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(field => {
      const [old, present] = [before, after].map(values => toText((values as Record<string, unknown>)[field]));
      return old === present
        ? []
        : [{ record, recordId: String(id), field, before: old ?? null, after: present ?? null }];
    }),
  );

/** Returns a value as the log shows it. Of a long text the beginning, of bytes their number. */
export function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return `[${value.byteLength.toLocaleString('en')} bytes]`;
  if (value instanceof Date) return value.toISOString();
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}...` : text;
}

/** The changes with the ids of their records, after the flush. */
export const toAuditedChanges = (changes: readonly RecordedChange[]): AuditedChange[] =>
  changes.flatMap(({ entity, meta, fields }) =>
    fields.map(({ field, before, after }) => ({
      record: meta.className,
      recordId: identify(entity, meta),
      field,
      before,
      after: after instanceof EntityIdentifier ? toText(after.getValue()) : after,
    })),
  );

/** The id of a record; of one that exists once per parent, that of the parent. */
export function identify(entity: object, meta: Meta): string {
  const values = meta.primaryKeys.map(key => (entity as Record<string, unknown>)[key]);
  return values.map(value => String((value as { id?: unknown } | null)?.id ?? value)).join(' ');
}
