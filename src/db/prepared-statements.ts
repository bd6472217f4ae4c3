import type pg from 'pg';
import type { EntityManager } from './connection.js';
import type { PipelinedTransaction } from './pipelined-transaction.js';
import { PreparedQuery } from './prepared-query.js';
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
const queryFromPool =
  (pool: pg.Pool, names: StatementNames): RunQuery =>
  async <Row>(text: string, values: unknown[] = []) => {
    const statement = names.find(text);
    const query = statement ? new PreparedQuery(statement, values) : { text, values };
    // The types of pg do not say that the pool resolves a Query with its result, as it does a configuration.
    return (await pool.query(query as pg.QueryConfig)).rows as Row[];
  };

/** Reads the single row of a statement. */
export const toRead =
  (run: RunQuery): RunRead =>
  async (text, values) =>
    (await run<ReadRow>(text, values))[0] ?? null;

/** Anonymous callers get their own pool of statement names, so that they cannot evict those of operators. */
export function createPoolReaders(pool: pg.Pool, anonymousPool: pg.Pool) {
  const queryPrepared = queryFromPool(pool, new StatementNames('read', 400));
  const queryAnonymous = queryFromPool(anonymousPool, new StatementNames('anonymous', 100));
  return { queryPrepared, read: toRead(queryPrepared), readAnonymous: toRead(queryAnonymous) };
}

/** Reads in a transaction, and so sees what it wrote. */
export const readInTransaction = (em: EntityManager): RunRead => toRead(queryInTransaction(em));

/** Runs statements in a transaction. */
export const queryInTransaction =
  (em: EntityManager): RunQuery =>
  (text, values) =>
    query(em, text, values);

const transactionOf = (em: EntityManager) => em.getTransactionContext() as unknown as PipelinedTransaction;

/** Runs a statement in a transaction. */
export const query = <Row>(em: EntityManager, text: string, values: unknown[] = []): Promise<Row[]> =>
  transactionOf(em).run(text, values);

/** Runs a statement in a transaction together with the next one, which fails if it does. */
export const runUnread = (em: EntityManager, text: string, values: unknown[] = []): void =>
  transactionOf(em).runUnread(text, values);

/** Before a savepoint undoes what failed. */
export const forgetUnread = (em: EntityManager): void => transactionOf(em).forgetUnread();
