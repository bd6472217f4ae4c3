import type { Caller } from '../auth/access.js';
import type { RecordName } from '../core/errors.js';
import type { Columns, Meta } from './column-mapping.js';

/** For whom rows are selected. */
export interface Viewer {
  caller: Caller;
  /** Adds a value to the statement, and returns its placeholder. */
  bind(value: unknown): string;
}

type PropertyName<Entity> = Extract<keyof Entity, string>;

/** The SQL expression of each property: `alias.column`, or its formula. */
type PropertyColumns<Entity> = Record<PropertyName<Entity>, string>;

/**
 * What an entity declares beside its columns, as `static readonly rules = defineRules<Entity>({...})`. The expressions
 * are trusted source text: values of clients reach them as parameters (`$n`) only.
 */
interface RecordRules<Entity = Record<string, unknown>> {
  /** The name of the record in a "not found" error. Required of every class that a record path can contain. */
  recordName?: RecordName;
  /** Whether a write to the record, or to one below it in a path, locks the record and is announced as its change. */
  isAggregateRoot?: boolean;
  /** Whether each write to its records counts as a change of their page: it takes the lock of the page. */
  isPageContent?: boolean;
  /** Properties that no client sees: a write to them alone moves neither the version nor `updatedAt`. */
  unversioned?: readonly PropertyName<Entity>[];
  /** Properties that the audit log does not show. */
  secrets?: readonly PropertyName<Entity>[];
  /** The property that identifies a record of an entity without a primary key (a view, a list in memory). */
  key?: PropertyName<Entity>;
  /** The property with the name of a row's GraphQL type (`PlannedNotice`). Required of an entity with several types. */
  discriminator?: PropertyName<Entity>;
  /** The default order of a list. The last property must be unique, else pages overlap. Default: by id. */
  order?: { field: PropertyName<Entity>; direction: 'asc' | 'desc' }[];
  /**
   * The condition that limits the rows a caller can see, wherever they are read: as a record, in a list, in a filter.
   * If it depends on more than the kind of the caller it binds a value: a condition without parameters is
   * cached by kind.
   */
  visibleWhere?(columns: PropertyColumns<Entity>, viewer: Viewer): string | undefined;
  /** A further condition where the row is reached by the id of a record below it alone: ids can be guessed. */
  guessableWhere?(columns: PropertyColumns<Entity>, viewer: Viewer): string | undefined;
  /** The condition that limits rows to those of some pages (`$n`), for an entity that has no relation to a page. */
  limitToPages?(columns: PropertyColumns<Entity>, pages: string): string;
  /** The condition that a row belongs to a page, for an entity that has no column for it. */
  belongsToPage?(columns: PropertyColumns<Entity>, page: string): string;
  /** The conditions of relations without a foreign key, by property: from the columns of the row and a related one. */
  relationConditions?: {
    [name in PropertyName<Entity>]?: (own: PropertyColumns<Entity>, related: Columns) => string;
  };
  /** The expression a filter compares in place of the column, by property. */
  filterExpressions?: { [name in PropertyName<Entity>]?: (columns: PropertyColumns<Entity>) => string };
  /** What `eq` and `in` compare in place of the expression, by property and value: conditions that an index serves. */
  valueConditions?: { [name in PropertyName<Entity>]?: (columns: PropertyColumns<Entity>) => Record<string, string> };
  /** Filters that belong to no property: from the columns and the parameter (`$n`) to a condition. */
  filterConditions?: Record<string, (columns: PropertyColumns<Entity>, parameter: string) => string>;
  /** The text properties that a filter compares without case. */
  caseInsensitive?: readonly PropertyName<Entity>[];
  /** Functions that bring a filter value into the stored format, by property; null where it has none. */
  normalizers?: { [name in PropertyName<Entity>]?: (text: string) => string | null };
}

/** The rules of a class that a record path can contain. */
type NamedRecordRules<Entity> = RecordRules<Entity> & { recordName: RecordName };

/** Checks at compile time that every property named by the rules exists. */
export function defineRules<Entity>(rules: NamedRecordRules<Entity>): NamedRecordRules<Entity>;
export function defineRules<Entity>(rules: RecordRules<Entity>): RecordRules<Entity>;
export function defineRules<Entity>(rules: RecordRules<Entity>): RecordRules<Entity> {
  return rules;
}

export const getRules = (meta: Meta): RecordRules => (meta.class as { rules?: RecordRules }).rules ?? {};
