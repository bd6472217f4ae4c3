import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import compile from './compile.js';
import { startPostgresFromNpm } from './postgres-from-npm.js';

/**
 * Migrates one database, of which every test file gets a copy: TEST_DATABASE_TEMPLATE is its name on the server of
 * TEST_DATABASE_URL, and TEST_EMBEDDED_TEMPLATE the path of an archive of an embedded one. The server is that of
 * TEST_DATABASE_URL, or one from npm; there is none with TEST_DATABASE=embedded, and where npm has none.
 */
export default async function createDatabaseTemplate() {
  compile();
  const { env } = process;
  // Each project that uses a database calls this.
  if (env.TEST_DATABASE_TEMPLATE || env.TEST_EMBEDDED_TEMPLATE) return;
  if (env.TEST_DATABASE === 'embedded') delete env.TEST_DATABASE_URL;
  else if (!env.TEST_DATABASE_URL) await startServer();
  if (env.TEST_DATABASE_URL) env.TEST_DATABASE_TEMPLATE = await createOnServer(env.TEST_DATABASE_URL);
  else env.TEST_EMBEDDED_TEMPLATE = await createArchive();
}

/** The server of this run, which the global teardown stops. */
async function startServer() {
  const server = await startPostgresFromNpm();
  if (!server) {
    process.stderr.write('npm installed no PostgreSQL for this platform: the tests use the embedded database.\n');
    return;
  }
  process.env.TEST_DATABASE_URL = server.url;
  // For the tests that start another.
  process.env.PGBIN ??= server.programs;
  globalThis.testServer = server;
}

async function createOnServer(server) {
  const name = `test_template_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  await migrateDatabase({ DATABASE_URL: url.href });
  return name;
}

async function createArchive() {
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-test-'));
  await migrateDatabase({ DATA_DIR: folder });
  const native = await PGlite.create(join(folder, 'database'));
  await native.exec('checkpoint');
  const dump = await native.dumpDataDir('none');
  await native.close();
  rmSync(join(folder, 'database'), { recursive: true });
  const archive = join(folder, 'database.tar');
  writeFileSync(archive, Buffer.from(await dump.arrayBuffer()));
  return archive;
}

async function migrateDatabase(environment) {
  const { openServiceDatabase } = await import('../../dist/server/open-database.js');
  const { readSettings } = await import('../../dist/core/config.js');
  const { createLogger } = await import('../../dist/core/logger.js');
  const { migrate } = await import('../../dist/db/migrate.js');
  const database = await openServiceDatabase(readSettings(environment), createLogger('silent'));
  await migrate(database);
  await database.close();
}
