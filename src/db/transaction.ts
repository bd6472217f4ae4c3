import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import type { Client, PoolClient } from 'pg';
import { insertPageChanges, PendingChanges, type Transaction } from './committed-changes.js';
import type { Database, EntityManager } from './database.js';
import { query, readInTransaction } from './prepared-statements.js';
import type { StatementNames } from './statement-names.js';

/** Begins a transaction for work that ends it. It is rolled back if the work fails. */
async function withTransaction<Result>(
  database: Database,
  work: (em: Transaction, client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await database.connect();
  let failure: Error | undefined;
  const causes: unknown[] = [];
  try {
    await client.query(database.begin);
    const em = Object.assign(database.orm.em.fork() as EntityManager, { pending: new PendingChanges() });
    em.setTransactionContext(createKysely(client, database.statementNames, causes) as never);
    return await work(em, client);
  } catch (caught) {
    const error = isAborted(caught) ? (causes.at(-1) ?? caught) : caught;
    database.diskSpace.report(error);
    await client.query('rollback').catch(reason => {
      failure = reason;
    });
    throw error;
  } finally {
    client.release(failure);
  }
}

/** Runs work in a transaction of its own and announces the changed pages after the commit. */
export const inTransaction = <Result>(
  database: Database,
  work: (em: Transaction) => Promise<Result>,
): Promise<Result> =>
  withTransaction(database, async (em, client) => {
    const result = await work(em);
    const changes = await insertPageChanges(em);
    const { command } = await client.query('commit');
    // After a statement that failed PostgreSQL answers a commit with ROLLBACK, which is not an error.
    if (command !== 'COMMIT') throw new Error('A statement of the transaction has failed: nothing was committed.');
    for (const change of changes) database.changes.emit('committed', change);
    return result;
  });

/** For which a dry run waits for each lock, so that it holds its connection no longer. */
const dryRunLockTimeoutMs = 1_000;

/** Runs work in a transaction that is rolled back, and so announces nothing. */
export const inDryRun = <Result>(database: Database, work: (em: Transaction) => Promise<Result>): Promise<Result> =>
  withTransaction(database, async (em, client) => {
    await client.query(`set local lock_timeout = ${dryRunLockTimeoutMs}`);
    const result = await work(em);
    await client.query('rollback');
    return result;
  });

/**
 * After a statement fails, PostgreSQL refuses all others of the transaction. Of statements that were sent together,
 * such a refusal can be seen before the error that caused it.
 */
const isAborted = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === '25P02';

/**
 * The query builder whose statements, those of the ORM among them, run on one client. Kysely's own transactions keep
 * the place in the pool of a connection that is lost. Errors of statements are added to `causes`.
 */
function createKysely(client: PoolClient, names: StatementNames, causes: unknown[]): Kysely<unknown> {
  const query = (text: string, values: unknown[]) =>
    client.query({ name: findName(names, text, values), text, values }).catch((error: unknown) => {
      if (!isAborted(error)) causes.push(error);
      throw error;
    });
  const borrowed = { query, release: () => {} } as unknown as PostgresPoolClient;
  return new Kysely({
    dialect: new PostgresDialect({ pool: { connect: async () => borrowed, end: async () => {} } as never }),
  });
}

/**
 * None for a statement of the ORM, whose values are in its text, nor for all columns of a table: once a migration adds
 * one, PostgreSQL refuses to run what was prepared before.
 */
const findName = (names: StatementNames, text: string, values: readonly unknown[]): string | undefined =>
  values.length && !text.includes('.*') ? names.find(text) : undefined;

/** Runs work in a read-only transaction. Records that the work creates or changes are discarded. */
export const inReadOnlyTransaction = <Result>(
  database: Database,
  work: (em: Transaction) => Promise<Result>,
): Promise<Result> =>
  inTransaction(database, async em => {
    await query(em, 'set transaction isolation level repeatable read, read only');
    const result = await work(em);
    em.clear();
    return result;
  });

/** Runs work in an open transaction. If it fails, what it wrote is undone, and the transaction can go on. */
export async function inSavepoint<Result>(
  em: Transaction,
  work: (em: Transaction) => Promise<Result>,
): Promise<Result> {
  await query(em, 'savepoint work');
  try {
    const result = await work(em);
    await query(em, 'release savepoint work');
    return result;
  } catch (error) {
    await query(em, 'rollback to savepoint work');
    em.clear();
    throw error;
  }
}

/** The database's clock, to the millisecond. */
export async function databaseNow(em: EntityManager): Promise<Date> {
  const clock = `to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const row = await readInTransaction(em)(`select ${clock} as body`, []);
  return new Date(String(row!.body));
}

/** Runs work on a connection beside the pools, without the timeouts of requests. */
export async function withOwnConnection<Result>(
  database: Database,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = database.createClient();
  client.on('error', () => {});
  try {
    await client.connect();
    return await database.withoutTimeLimit(() => work(client));
  } finally {
    // Also rolls back what has failed.
    await client.end();
  }
}
