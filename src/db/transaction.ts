import { insertPageChanges } from './change-feed/committed-changes.js';
import type { Database, EntityManager } from './connection.js';
import type { ParameterConnection } from './parameter-driver.js';
import { forgetUnread, query, readInTransaction, runUnread } from './prepared-statements.js';

/** Runs work in a transaction of its own and announces the changed pages after the commit. */
export async function inTransaction<Result>(
  database: Database,
  work: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  const em = database.orm.em.fork() as EntityManager;
  const transaction = await (em.getConnection() as unknown as ParameterConnection).openTransaction();
  em.setTransactionContext(transaction as never);
  const run = async () => {
    const result = await work(em);
    const [changes] = await Promise.all([insertPageChanges(em), transaction.commit()]);
    return { result, changes };
  };
  const { result, changes } = await run().catch(async error => {
    await transaction.rollback();
    throw error;
  });
  for (const change of changes) database.changes.emit('committed', change);
  return result;
}

/**
 * Runs work in a transaction that the database lets read only: it takes no locks and uses up no ids. Records that the
 * work creates or changes are discarded.
 */
export const inReadOnlyTransaction = <Result>(
  database: Database,
  work: (em: EntityManager) => Promise<Result>,
): Promise<Result> =>
  inTransaction(database, async em => {
    runUnread(em, 'set transaction isolation level repeatable read, read only');
    const result = await work(em);
    em.clear();
    return result;
  });

/** Runs work in an open transaction. If it fails, what it wrote is undone, and the transaction can go on. */
export async function inSavepoint<Result>(
  em: EntityManager,
  work: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  runUnread(em, 'savepoint work');
  try {
    const result = await work(em);
    runUnread(em, 'release savepoint work');
    return result;
  } catch (error) {
    forgetUnread(em);
    await query(em, 'rollback to savepoint work');
    em.clear();
    throw error;
  }
}

/** The database's clock, to the millisecond. */
export async function databaseNow(em: EntityManager): Promise<Date> {
  // A statement without a parameter is not prepared.
  const clock = `to_char(clock_timestamp() at time zone $1, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const row = await readInTransaction(em)(`select ${clock} as body`, ['UTC']);
  return new Date(String(row!.body));
}
