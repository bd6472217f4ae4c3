import type { RunQuery } from './prepared-statements.js';

/** The rows of one table as a change would leave them: stored rows with one of the keys give way to `rows`. */
export interface ChangedRows {
  table: string;
  /** A column of integers. */
  key: string;
  keys: readonly number[];
  /** By column. A column that is absent keeps the value of the stored row with this key. */
  rows: readonly object[];
}

/** Without conditions, since the planner flattens only such members of a union: then joins can use the indexes. */
const exclude = (key: string, keys: string | null) => (keys ? `where stored.${key} <> all(${keys}::integer[])` : '');

/**
 * Runs queries as if changes were stored: a common table expression hides each table behind its changed rows. Nothing
 * is written and nothing is locked. Only the changed rows are materialized, so that the planner still finds the indexes
 * of the tables.
 */
export const overlay =
  (run: RunQuery, changes: readonly ChangedRows[]): RunQuery =>
  (text, values = []) => {
    if (!changes.length) return run(text, values);
    const parameters = [...values];
    const bind = (value: unknown) => `$${parameters.push(value)}`;
    // Without `recursive`, an expression that is named as a table refers to the table.
    const tables = changes.map(
      ({ table, key, keys, rows }) => `changed_${table} as materialized (
        select changed.* from jsonb_array_elements(${bind(JSON.stringify(rows))}::text::jsonb) given (row),
          jsonb_populate_record(
            (select stored from ${table} stored where stored.${key} = (given.row->>'${key}')::integer limit 1),
            given.row) changed
      ), ${table} as not materialized (
        select stored.* from ${table} stored ${exclude(key, keys.length ? bind(keys) : null)}
        union all select * from changed_${table})`,
    );
    return run(`with ${tables.join(', ')} select * from (${text}) overlaid`, parameters);
  };
