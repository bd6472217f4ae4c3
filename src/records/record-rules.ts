import type { Caller } from '../auth/access.js';
import type { RecordName } from '../core/errors.js';
import type { Columns, Meta, Order } from './select-sql.js';

/**
 * What an entity can declare beside its columns, as static members. The expressions are trusted source text: values of
 * clients reach them as parameters (`$n`) only.
 */
export interface RecordRules {
  /** The name of the record in a "not found" error. Required of every class that a record path can contain. */
  recordName?: RecordName;
  /** The property that identifies a record of an entity without a primary key (a view, a list in memory). */
  key?: string;
  /** The default order of a list. The last property must be unique, else pages overlap. Default: by id. */
  order?: Order;
  /**
   * The condition that limits the rows a caller can see, wherever they are read: as a record, in a list, in a filter.
   */
  visibleWhere?(columns: Columns, caller: Caller): string | undefined;
  /** The expression a filter compares in place of the column, by property. */
  filterExpressions?: Record<string, (columns: Columns) => string>;
  /** Filters that belong to no property: from the columns and the parameter (`$n`) to a condition. */
  filterConditions?: Record<string, (columns: Columns, parameter: string) => string>;
  /** The text properties that a filter compares without case. */
  caseInsensitive?: readonly string[];
  /** Functions that bring a filter value into the stored format, by property; null where it has none. */
  normalizers?: Record<string, (text: string) => string | null>;
}

export const getRules = (meta: Meta): RecordRules => meta.class as unknown as RecordRules;
