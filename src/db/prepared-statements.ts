import { CompiledQuery } from 'kysely';
import type pg from 'pg';
import type { EntityManager } from './database.js';
import { anonymousLimits, pageYieldMs, type PooledBegins } from './pool-options.js';
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
  (pool: pg.Pool, begin: string | undefined, names?: StatementNames): RunQuery =>
  async <Row>(text: string, values: unknown[] = []) => {
    const statement = { name: names?.find(text), text, values };
    const result = begin ? queryPooled(pool, begin, statement) : pool.query(statement);
    return (await result).rows as Row[];
  };

/** Runs a statement in a transaction of its own. All three are sent at once, and so take one round trip. */
async function queryPooled(pool: pg.Pool, begin: string, statement: pg.QueryConfig) {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    const sent = [client.query(begin), client.query(statement), client.query('commit')] as const;
    await Promise.allSettled(sent);
    return (await Promise.all(sent))[1];
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}

const toRead =
  (run: RunQuery): RunRead =>
  async (text, values) =>
    (await run<ReadRow>(text, values))[0] ?? null;

/** Of PostgreSQL for a statement that was ended before its result. */
const canceled = '57014';

/** Runs a statement for its rows where reads run: in the transaction of a request, if it has one. */
export const createRowQuery =
  (read: RunRead): RunQuery =>
  async (text, values = []) =>
    JSON.parse((await read(`select coalesce(json_agg(found), '[]')::text as body from (${text}) found`, values))!.body);

/** How long reads of callers with roles on some pages are repeated. Others of their page wait meanwhile. */
const pageRepeatMs = 2_000;

/**
 * Repeats a read that was ended before its time was over: on the embedded database, reads of callers without a token,
 * or with roles on some pages, yield to the requests of others. These run while it rests.
 */
const repeatYielded =
  (read: RunRead, repeatMs: number, restMs = 0): RunRead =>
  async (text, values) => {
    const end = performance.now() + repeatMs;
    for (;;)
      try {
        return await read(text, values);
      } catch (error) {
        if ((error as { code?: unknown }).code !== canceled || performance.now() >= end) throw error;
        if (restMs) await new Promise(done => setTimeout(done, restMs));
      }
  };

/**
 * Anonymous callers get their own statement names, so that they cannot take those of operators. `pagePool`: for callers
 * with roles on some pages, on the embedded database.
 */
export function createPoolReaders(
  pool: pg.Pool,
  anonymousPool: pg.Pool,
  begins: PooledBegins | null = null,
  pagePool: pg.Pool | null = null,
) {
  // A prepared statement belongs to a session.
  const createNames = (prefix: string, max: number) => new StatementNames(prefix, begins ? 0 : max);
  const statementNames = createNames('service', 500);
  const queryPrepared = queryFromPool(pool, begins?.service, statementNames);
  return {
    statementNames,
    query: queryFromPool(pool, begins?.service),
    queryPrepared,
    read: toRead(queryPrepared),
    readOfPages: pagePool
      ? repeatYielded(toRead(queryFromPool(pagePool, undefined, createNames('page', 300))), pageRepeatMs, pageYieldMs)
      : toRead(queryPrepared),
    readAnonymous: repeatYielded(
      toRead(queryFromPool(anonymousPool, begins?.anonymous, createNames('anonymous', 100))),
      anonymousLimits.statementMs,
    ),
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
