import type { Client, ClientBase } from 'pg';
import type { Database } from './database.js';
import { UnusableDatabase } from './embedded/data-directory.js';
import { computeChecksum, migrations } from './migrations/migrations.js';
import { withOwnConnection } from './transaction.js';

/** The advisory lock of all migrations: "allc" in ASCII. */
const lockKey = 0x616c6c63;

export type MigrationPhase = 'waiting for the migration of another process' | 'migrating the database';
type ReportMigration = (text: string, phase: MigrationPhase) => void;

/**
 * Runs the pending migrations in one transaction, and reports each; on an empty database only that it creates the
 * tables. Of several processes that start at once one runs them, and the others wait.
 */
export async function migrate(database: Database, report: ReportMigration = () => {}): Promise<void> {
  // Beside the pool, whose timeouts are those of requests: an index on a large table takes its time.
  await withOwnConnection(database, async client => {
    await client.query('begin');
    await runPending(client, report);
    await client.query('commit');
  });
}

/** Runs the pending migrations in an open transaction. */
export async function runPending(
  client: Client,
  report: ReportMigration = () => {},
  onMigrated: (name: string) => void = () => {},
): Promise<void> {
  await lockMigrations(client, report);
  // A statement that waits for a table, such as while pg_dump reads it, holds up everybody who uses the table after it.
  await client.query(`set local lock_timeout = '3s'`);
  const executed = await readExecuted(client);
  refuseOthers(executed);
  if (!executed.size) {
    report('Creating the tables.\n', 'migrating the database');
    // As MikroORM's migrator creates it, whose command line may have done so; and what the statements were.
    await client.query(
      `create table if not exists migration (
         id serial primary key, name varchar(255) not null,
         executed_at timestamptz not null default current_timestamp)`,
    );
    await client.query('alter table migration add column if not exists checksum text');
  }
  for (const migration of migrations.filter(({ name }) => !executed.has(name))) {
    if (executed.size) report(`Running the database migration ${migration.name}.\n`, 'migrating the database');
    for (const statement of migration.statements) await client.query(statement);
    await client.query('insert into migration (name, checksum) values ($1, $2)', [
      migration.name,
      computeChecksum(migration),
    ]);
    onMigrated(migration.name);
  }
}

/** Of several processes that start at once one migrates; the others report that they wait for it. */
async function lockMigrations(client: Client, report: ReportMigration): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_xact_lock(${lockKey}) as locked`);
  if (rows[0]!.locked) return;
  report('Waiting for the migration of another process.\n', 'waiting for the migration of another process');
  await client.query(`select pg_advisory_xact_lock(${lockKey})`);
}

/** The migrations of the database: their checksums, by name. */
async function readExecuted(client: ClientBase): Promise<Map<string, string | undefined>> {
  const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('migration') is not null as exists`);
  if (!rows[0]!.exists) return new Map();
  // Versions before the first release stored no checksum.
  const migrations = await client.query<{ row: { name: string; checksum?: string } }>(
    'select to_jsonb(migration) as row from migration order by name',
  );
  return new Map(migrations.rows.map(({ row }) => [row.name, row.checksum]));
}

const remedy = 'start the version that wrote the database, or configure an empty one';

/** Refuses a database of another version, whose tables this version cannot read, before anything is written. */
function refuseOthers(executed: ReadonlyMap<string, string | undefined>): void {
  const names = new Set(migrations.map(({ name }) => name));
  const unknown = [...executed.keys()].filter(name => !names.has(name));
  if (unknown.length)
    throw new UnusableDatabase(
      `The database has migrations that this version of All Clear does not have (${listNames(unknown)}): ${remedy}.`,
    );
  const changed = migrations.filter(
    migration => executed.has(migration.name) && executed.get(migration.name) !== computeChecksum(migration),
  );
  if (changed.length)
    throw new UnusableDatabase(
      `The database was created by other statements than this version of All Clear has for the migration ` +
        `${listNames(changed.map(({ name }) => name))}: ${remedy}.`,
    );
}

const maxNames = 3;
const listNames = (names: readonly string[]): string =>
  names.length > maxNames
    ? `${names.slice(0, maxNames).join(', ')} and ${names.length - maxNames} more`
    : names.join(', ');

/** Whether the database is empty, and which migrations it lacks. Refuses a database of another version. */
export async function inspectMigrations(database: Database): Promise<{ isEmpty: boolean; pending: string[] }> {
  const client = await database.connect();
  try {
    const executed = await readExecuted(client);
    refuseOthers(executed);
    const pending = migrations.map(({ name }) => name).filter(name => !executed.has(name));
    return { isEmpty: !executed.size, pending };
  } finally {
    client.release();
  }
}

/** The names of the migrations that the database lacks. */
export async function findPendingMigrations(database: Database): Promise<string[]> {
  const rows = await database.query<{ name: string }>('select name from migration');
  const executed = new Set(rows.map(({ name }) => name));
  return migrations.map(({ name }) => name).filter(name => !executed.has(name));
}
