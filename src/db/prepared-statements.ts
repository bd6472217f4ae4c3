import { CompiledQuery } from 'kysely';
import type pg from 'pg';
import type { EntityManager } from './connection.js';
import { createPreparedQuery } from './prepared-query.js';
import { StatementNames } from './statement-names.js';

/** The single row of a read: its JSON, and what HTTP headers need of a record. Null where no row was found. */
export interface ReadRow {
  body: string;
  /** Of a single stored record. */
  id?: string | null;
  version?: number | null;
  /** Of a list that may be truncated: whether it has as many records as it can show. */
  is_full?: boolean;
}

/** Runs a statement and returns its rows. */
export type RunQuery = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

export type RunRead = (text: string, values: unknown[]) => Promise<ReadRow | null>;

/**
 * Reads through the pool, so it sees committed rows only. Results come in text format: in binary format pg would decode
 * each value as text and encode it again, which is slower and corrupts numbers from 128 on.
 */
const readFromPool =
  (pool: pg.Pool, names: StatementNames): RunRead =>
  async (text, values) => {
    const statement = names.find(text);
    const query = statement ? createPreparedQuery(statement, values) : { text, values };
    // The types of pg do not say that the pool resolves a Query with its result, as it does a configuration.
    return (await pool.query<ReadRow>(query as pg.QueryConfig)).rows[0] ?? null;
  };

/** Anonymous callers get their own pool of statement names, so that they cannot evict those of operators. */
export const createPoolReaders = (pool: pg.Pool, anonymousPool: pg.Pool) => ({
  read: readFromPool(pool, new StatementNames('read', 400)),
  readAnonymous: readFromPool(anonymousPool, new StatementNames('anonymous', 100)),
});

/** Reads in a transaction, and so sees what it wrote. */
export const readInTransaction =
  (em: EntityManager): RunRead =>
  async (text, values) =>
    (await query<ReadRow>(em, text, values))[0] ?? null;

/** Runs statements in a transaction. */
export const queryInTransaction =
  (em: EntityManager): RunQuery =>
  (text, values) =>
    query(em, text, values);

/** Runs a statement in a transaction. */
export async function query<Row>(em: EntityManager, text: string, values: unknown[] = []): Promise<Row[]> {
  return (await em.getKysely().executeQuery<Row>(CompiledQuery.raw(text, values))).rows;
}
