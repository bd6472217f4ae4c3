import type { Database } from '../../db/database.js';
import type { BackgroundTask } from '../../db/poll.js';

/** As by the defaults of autovacuum: a fifth of the rows that a table had at its last vacuum, and 50 more. */
const isManySql = (count: string, table: string) => `${count} > 50 + 0.2 * greatest(${table}.reltuples, 0)`;

/** Long before PostgreSQL refuses to write because its transaction ids are used up. */
const maxAge = 200_000_000;

/** The counters of a session reach its views when it is idle for a second, which a busy one never is. */
const flushSql = 'select pg_stat_force_next_flush()';

/**
 * Tables of which many rows, or many parts of their long values (in TOAST tables), were deleted or changed since the
 * last vacuum, or to which many were added; and those that have been without one for too many transactions.
 */
const dueSql = `
  select c.oid::regclass::text as name
  from pg_class c left join pg_class long on long.oid = c.reltoastrelid
    left join pg_stat_all_tables rows on rows.relid = c.oid
    left join pg_stat_all_tables parts on parts.relid = long.oid
  where c.relkind = 'r' and c.relpersistence = 'p' and (
    ${isManySql('rows.n_dead_tup', 'c')} or ${isManySql('rows.n_mod_since_analyze', 'c')}
    or ${isManySql('parts.n_dead_tup', 'long')} or age(c.relfrozenxid) > ${maxAge})
  order by c.oid`;

/**
 * Gives the room of deleted and changed rows to new ones, and collects the statistics of the planner: PostgreSQL does
 * both in a process of its own, which the embedded database does not have. Without it each table has room for all rows
 * that were ever written to it, and a statement for thousands of subscribers takes several times as long. Other
 * statements wait for the vacuum of a table.
 */
export async function vacuumTables(
  database: Pick<Database, 'query' | 'withoutTimeLimit'>,
  stop?: AbortSignal,
): Promise<string[]> {
  const vacuumed: string[] = [];
  let failure: unknown;
  await database.query(flushSql);
  for (const { name } of await database.query<{ name: string }>(dueSql)) {
    if (stop?.aborted) break;
    try {
      await database.withoutTimeLimit(() => database.query(`vacuum (analyze) ${name}`));
      vacuumed.push(name);
    } catch (error) {
      // Of one table, after which the others get their turn.
      failure ??= error;
    }
  }
  if (failure) throw failure;
  return vacuumed;
}

export const createVacuumTask = (database: Database): BackgroundTask => ({
  name: 'the vacuum of the embedded database',
  intervalMs: 10_000,
  roundSeconds: 300,
  failureMessage: 'the embedded database could not be vacuumed',
  run: stop => vacuumTables(database, stop),
});
