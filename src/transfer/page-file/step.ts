import type { FileRecord, Value, Values } from './page-file.js';
import type { ListKind } from './record-lists.js';

export type RecordKind = 'page' | 'brand' | 'component' | 'channel' | ListKind;

export interface Change {
  field: string;
  /** Undefined: the record, or its field, is new. */
  before?: Value | string[];
  after: Value | string[];
}

/** One write of the API. */
export interface Step {
  action: 'create' | 'change' | 'delete';
  kind: RecordKind;
  /** That of the record, or a name that later steps use for a record that this one creates. Null: it has none. */
  id: string | null;
  /** What people call the record: the path of a component, the name of another. */
  name: string;
  changes: Change[];
  /** Where ids of records stand that are created before, these are their names. */
  input: Readonly<Record<string, unknown>>;
  /** The version that is changed or deleted; another one is refused. */
  version?: number;
  /** Where the file says it. */
  source: Pick<FileRecord, 'line' | 'lines'> | null;
}

/** The writes of one section. */
export interface SectionPlan {
  steps: Step[];
  /** The deletions of what the file does not list. */
  unlisted: Step[];
}

/** The fields of which the file has another value. */
export const compareValues = (stored: Values | undefined, { values }: FileRecord): Change[] =>
  Object.entries(values).flatMap(([field, after]) => {
    const before = stored?.[field];
    if (before === after || (stored === undefined && after === null)) return [];
    return [stored === undefined ? { field, after } : { field, before: before ?? null, after }];
  });

export const toInput = (changes: readonly Change[]): Record<string, unknown> =>
  Object.fromEntries(changes.map(({ field, after }) => [field, after]));

export const createDeletion = (kind: RecordKind, id: string, name: string, version?: number): Step => ({
  action: 'delete',
  kind,
  id,
  name,
  version,
  changes: [],
  input: {},
  source: null,
});
