import { inspectMigrations } from '../../db/migrate.js';
import { describeStartupError } from '../startup-errors.js';
import { type Check, describeError, failed, ok, onDatabase, skipped, warning } from './check.js';

/** The versions on which the tests run. */
const oldestVersion = 15;
const newestVersion = 18;

export const checkDatabaseServer: Check = async ({ settings, database: opening }) => {
  try {
    const database = await opening;
    if (!database) return skipped(`There is no database in ${settings.dataDir} yet: the first start creates it.`);
    const [row] = await database.query<{ version: string; size: string }>(
      `select current_setting('server_version') as version,
         pg_size_pretty(pg_database_size(current_database())) as size`,
    );
    const name = database.embedded ? 'The embedded database' : 'The database of DATABASE_URL';
    const found = `${name} answers: PostgreSQL ${row!.version}, ${row!.size}.`;
    const major = Number.parseInt(row!.version, 10);
    if (major < oldestVersion) return failed(found, `Upgrade it to PostgreSQL ${oldestVersion} or newer.`);
    return database.embedded || major <= newestVersion
      ? ok(found)
      : warning(found, `This version of All Clear is tested with PostgreSQL ${oldestVersion} to ${newestVersion}.`);
  } catch (error) {
    const found = describeStartupError(error, settings) ?? `The database cannot be opened: ${describeError(error)}.`;
    return failed(found, 'Correct DATABASE_URL or DATA_DIR, or what the sentence says about the server.');
  }
};

export const checkMigrations = onDatabase(async database => {
  const { pending, isEmpty } = await inspectMigrations(database);
  if (isEmpty) return ok('The database is empty: the first start creates the tables.');
  return pending.length
    ? warning(
        `Migrations are pending: ${pending.join(', ')}.`,
        'Take a backup, then start this version, or run `allclear migrate`.',
      )
    : ok('The database has the tables of this version.');
});

/** docs/access.md makes them append-only by another owner. */
const auditTables = ['audit_entry', 'audit_change'];

interface Rights {
  user: string;
  mayCreate: boolean;
  mayUseTemporary: boolean;
  others: string[];
  owner: string | null;
  isLogAppendOnly: boolean;
  mayReadSequences: boolean;
}

export const checkRights = onDatabase(async database => {
  if (database.embedded) return skipped('The embedded database has one user.');
  const [row] = await database.query<Rights>(
    `select current_user as "user",
       has_schema_privilege(current_schema(), 'CREATE') as "mayCreate",
       has_database_privilege(current_database(), 'TEMPORARY') as "mayUseTemporary",
       array(select tablename::text from pg_tables where schemaname = current_schema()
         and not pg_has_role(tableowner, 'USAGE') and tablename <> all($1) order by tablename limit 3) as others,
       (select min(tableowner::text) from pg_tables where schemaname = current_schema()
         and not pg_has_role(tableowner, 'USAGE') and tablename <> all($1)) as owner,
       exists (select from pg_tables where schemaname = current_schema() and tablename = any($1)
         and not pg_has_role(tableowner, 'USAGE')) as "isLogAppendOnly",
       (select coalesce(bool_and(has_sequence_privilege(c.oid, 'SELECT')), true) from pg_class c
         where c.relkind = 'S' and c.relnamespace = current_schema()::regnamespace) as "mayReadSequences"`,
    [auditTables],
  );
  const { user, mayCreate, mayUseTemporary, others, owner, isLogAppendOnly, mayReadSequences } = row!;
  if (!mayCreate)
    return failed(`${user} may not create tables.`, `GRANT CREATE ON SCHEMA public TO ${user}: migrations need it.`);
  if (others.length)
    return failed(
      `${user} does not own ${others.join(', ')}, and so cannot migrate them.`,
      `REASSIGN OWNED BY ${owner} TO ${user}, in this database.`,
    );
  if (!mayReadSequences)
    return failed(
      `${user} may not read all sequences, so that pg_dump and \`allclear backup\` fail.`,
      `GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO ${user}, as their owner.`,
    );
  return mayUseTemporary
    ? ok(`${user} may create and change tables.${isLogAppendOnly ? ' The audit log is append-only.' : ''}`)
    : warning(`${user} may not create temporary tables.`, `GRANT TEMPORARY ON DATABASE of All Clear TO ${user}.`);
});

const noticeableSeconds = 1;
const harmfulSeconds = 30;

export const checkClock = onDatabase(async database => {
  if (database.embedded) return skipped('The embedded database has the clock of this machine.');
  const startedAt = Date.now();
  const [row] = await database.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  // Half of the time passed before the statement ran.
  const seconds = Math.abs(row!.ms - (startedAt + Date.now()) / 2) / 1_000;
  const found = `The clocks of this machine and of the database differ by ${seconds.toFixed(1)} seconds.`;
  if (seconds < noticeableSeconds) return ok(found);
  return (seconds < harmfulSeconds ? warning : failed)(
    found,
    'Synchronize both by NTP: sessions and codes expire by them.',
  );
});

export const checkDatabaseTls = onDatabase(async database => {
  if (database.embedded) return skipped('The embedded database is in this process.');
  const [row] = await database.query<{ version: string | null; isLocal: boolean }>(
    `select (select version from pg_stat_ssl where pid = pg_backend_pid() and ssl) as version,
       coalesce(inet_server_addr() <<= any(array['127.0.0.0/8', '::1/128']::inet[]), true) as "isLocal"`,
  );
  if (row!.version) return ok(`Connections are encrypted by ${row!.version}.`);
  return row!.isLocal
    ? ok('Connections are not encrypted, and stay on this machine.')
    : warning(
        'Connections are not encrypted.',
        'Add ?sslmode=verify-full to DATABASE_URL, or use a network of your own.',
      );
});
