import pg from 'pg';
import type { Json } from '../core/json.js';
import type { EntityManager } from './connection.js';
import type { PipelinedTransaction } from './pipelined-transaction.js';
import { PreparedQuery, type QueryOptions } from './prepared-query.js';
import { StatementNames } from './statement-names.js';

/** The single row of a read: its JSON, and what HTTP headers need of a record. Null where no row was found. */
export interface ReadRow {
  body: Json;
  /** Of a single stored record. */
  id?: string | null;
  version?: number | null;
  /** Of a list that may be truncated: whether it has as many records as it can show. */
  is_full?: boolean;
}

/** Runs a statement and returns its rows. */
export type RunQuery = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

export type RunRead = (text: string, values: unknown[]) => Promise<ReadRow | null>;

/** Reads through the pool, so it sees committed rows only. */
const queryFromPool =
  (pool: pg.Pool, names: StatementNames, format: QueryOptions = {}): RunQuery =>
  async <Row>(text: string, values: unknown[] = []) => {
    const statement = names.find(text);
    const options = { ...format, values };
    const query = statement ? new PreparedQuery(statement, options) : { ...options, text };
    // The types of pg do not say that the pool resolves a Query with its result, as it does a configuration.
    return (await pool.query(query as pg.QueryConfig)).rows as Row[];
  };

/** Reads values in binary format, by the number of their type: the types that the columns of a `ReadRow` have. */
const valueReaders = new Map<number, (bytes: Buffer) => unknown>([
  [pg.types.builtins.BOOL, bytes => bytes[0] === 1],
  [pg.types.builtins.INT4, bytes => bytes.readInt32BE()],
  // JSON is passed on without decoding it.
  [pg.types.builtins.TEXT, bytes => bytes],
]);
const rejectType = (type: number) => () => {
  throw new Error(`A read has a column of the type ${type}, which is not boolean, integer or text.`);
};
const bytesFormat: QueryOptions = {
  binary: true,
  // The simple protocol has no binary format.
  queryMode: 'extended',
  types: { getTypeParser: (type: number) => valueReaders.get(type) ?? rejectType(type) },
};

/** Reads the single row of a statement through the pool. */
function readFromPool(pool: pg.Pool, names: StatementNames): RunRead {
  const read = toRead(queryFromPool(pool, names, bytesFormat));
  return async (text, values) => {
    const row = await read(text, values);
    return row?.id ? { ...row, id: String(row.id) } : row;
  };
}

/** Reads the single row of a statement. */
export const toRead =
  (run: RunQuery): RunRead =>
  async (text, values) =>
    (await run<ReadRow>(text, values))[0] ?? null;

/** Anonymous callers get their own pool of statement names, so that they cannot evict those of operators. */
export function createPoolReaders(pool: pg.Pool, anonymousPool: pg.Pool) {
  const names = new StatementNames('read', 400);
  return {
    queryPrepared: queryFromPool(pool, names),
    read: readFromPool(pool, names),
    readAnonymous: readFromPool(anonymousPool, new StatementNames('anonymous', 100)),
  };
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
