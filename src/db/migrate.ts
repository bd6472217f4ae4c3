import type { Database } from './connection.js';
import { query } from './prepared-statements.js';
import { inTransaction } from '../records/writer.js';

/** One key for all of All Clear. */
const lock = 0x616c6c63;

/** Brings the database to the newest form. Of any number of processes that start at once one does it, and the others wait for it. */
export async function migrate(database: Database): Promise<void> {
  // The folder of an embedded database is locked already, and its one connection cannot hold a lock and migrate at once.
  if (database.embedded) {
    await database.orm.migrator.up();
    return;
  }
  await inTransaction(database, async em => {
    // The others wait for as long as it takes.
    await query(em, 'set local lock_timeout = 0');
    await query(em, 'set local statement_timeout = 0');
    await query(em, 'select pg_advisory_xact_lock($1)', [lock]);
    // On this connection, whose time is not limited: an index on a large table takes longer than a request may.
    await database.orm.migrator.up({ transaction: em.getTransactionContext() });
  });
}
