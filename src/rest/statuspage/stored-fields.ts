import { isDeepStrictEqual } from 'node:util';
import type { Metadata } from '../../pages/metadata.js';
import type { Fields } from './fields.js';

/** The key in the metadata of a record below which the fields are that All Clear has no field for. */
const key = 'statuspage';

/** A field that is stored and returned, and has no effect. */
interface StoredField {
  type: 'flag' | 'number' | 'shortText';
  /** What it is where it was not sent. */
  fallback: boolean | number | string | null;
  /** What holds instead, for the warning about another value. Undefined: nothing is lost. */
  instead?: string;
}

export type StoredFields = Readonly<Record<string, StoredField>>;

interface WithMetadata {
  metadata: Metadata | null;
}

/** What is stored for this API. */
export const readStored = (record: WithMetadata | null): Metadata => (record?.metadata?.[key] ?? {}) as Metadata;

/** The metadata of other programs. */
export function readMetadata({ metadata }: WithMetadata): Metadata {
  const { [key]: _, ...others } = metadata ?? {};
  return others;
}

/** The fields as the record has them. */
export function renderStored(known: StoredFields, record: WithMetadata): Metadata {
  const stored = readStored(record);
  return Object.fromEntries(Object.entries(known).map(([name, { fallback }]) => [name, stored[name] ?? fallback]));
}

/** The changes of what is stored by the fields that a request has. Null takes a value away. */
export function readChanges(fields: Fields, known: StoredFields, record: WithMetadata | null): Metadata {
  const stored = readStored(record);
  const changes: Metadata = {};
  for (const [name, { type, fallback, instead }] of Object.entries(known)) {
    if (!fields.has(name)) continue;
    const value = fields.isBlank(name) ? null : fields[type](name);
    if (value === undefined) continue;
    changes[name] = value;
    const isNew = value !== null && value !== fallback && value !== stored[name];
    if (isNew && instead) fields.warn(`${name} is stored and has no effect: ${instead}.`);
  }
  return changes;
}

/** The metadata after a change of what is stored, and of what other programs keep. Undefined: they stay. */
export function changeMetadata(
  record: WithMetadata | null,
  changes: Metadata,
  others = record ? readMetadata(record) : {},
): Metadata | undefined {
  const merged = Object.entries({ ...readStored(record), ...changes }).filter(([, value]) => value !== null);
  const after = { ...others, ...(merged.length && { [key]: Object.fromEntries(merged) }) };
  return isDeepStrictEqual(after, record?.metadata ?? {}) ? undefined : after;
}
