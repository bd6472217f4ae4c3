import type { Database } from './connection.js';
import { migrations } from './migrations.js';

/** The advisory lock of all migrations: "allc" in ASCII. */
const lockKey = 0x616c6c63;

/**
 * Runs the pending migrations, and reports each; on an empty database only their number. Of several processes that
 * start at once one runs them, and the others wait.
 */
export async function migrate(database: Database, report?: (text: string) => void): Promise<void> {
  const { migrator } = database.orm;
  let isEmpty = false;
  migrator.on('migrating', ({ name }) => {
    const isFirst = name === migrations[0]!.name;
    if (isFirst) report?.(`Creating the tables: ${migrations.length} database migrations.\n`);
    else if (!isEmpty) report?.(`Running the database migration ${name}.\n`);
    isEmpty ||= isFirst;
  });
  // The data directory is locked already, and the migrator needs a second connection beside that of the lock.
  if (database.embedded) {
    await database.withoutTimeLimit(() => migrator.up());
    return;
  }
  // A transaction of the ORM, since each migration is a savepoint in it.
  await database.orm.em.transactional(async em => {
    const run = (statement: string) => em.getConnection().execute(statement, [], 'run', em.getTransactionContext());
    // The timeouts of requests do not apply: others wait for the lock, and an index on a large table takes its time.
    await run('set local lock_timeout = 0');
    await run('set local statement_timeout = 0');
    await run(`select pg_advisory_xact_lock(${lockKey})`);
    await migrator.up({ transaction: em.getTransactionContext() });
  });
}

/** The names of the migrations that the database lacks. */
export async function findPendingMigrations(database: Database): Promise<string[]> {
  const rows = await database.query<{ name: string }>('select name from migration');
  const executed = new Set(rows.map(({ name }) => name));
  return migrations.map(({ name }) => name).filter(name => !executed.has(name));
}
