import { CompiledQuery } from 'kysely';
import type pg from 'pg';
import type { EntityManager } from './database.js';
import { StatementNames } from './statement-names.js';

/** The single row of a read: its JSON, which is not parsed, and what HTTP headers need of a record. Null: not found. */
export interface ReadRow {
  body: string;
  /** Of a single stored record. */
  id?: string | null;
  version?: number | null;
  /** Of a list that may be truncated: whether it has as many records as it can show. */
  is_full?: boolean;
}

export type RunQuery = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

export type RunRead = (text: string, values: unknown[]) => Promise<ReadRow | null>;

/** Reads through the pool, so it sees committed rows only. */
const queryFromPool =
  (pool: pg.Pool, names: StatementNames): RunQuery =>
  async <Row>(text: string, values: unknown[] = []) =>
    (await pool.query({ name: names.find(text), text, values })).rows as Row[];

const toRead =
  (run: RunQuery): RunRead =>
  async (text, values) =>
    (await run<ReadRow>(text, values))[0] ?? null;

/** Anonymous callers get their own statement names, so that they cannot take those of operators. */
export function createPoolReaders(pool: pg.Pool, anonymousPool: pg.Pool) {
  const statementNames = new StatementNames('service', 500);
  const queryPrepared = queryFromPool(pool, statementNames);
  return {
    statementNames,
    queryPrepared,
    read: toRead(queryPrepared),
    readAnonymous: toRead(queryFromPool(anonymousPool, new StatementNames('anonymous', 100))),
  };
}

/** Reads in a transaction, and so sees what it wrote. */
export const readInTransaction = (em: EntityManager): RunRead => toRead(queryInTransaction(em));

export const queryInTransaction =
  (em: EntityManager): RunQuery =>
  (text, values) =>
    query(em, text, values);

export const query = async <Row>(em: EntityManager, text: string, values: unknown[] = []): Promise<Row[]> =>
  (await em.getKysely().executeQuery(CompiledQuery.raw(text, values))).rows as Row[];
