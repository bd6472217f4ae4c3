import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import compile from './compile.js';

/**
 * Migrates one database, of which every test file gets a copy: TEST_DATABASE_TEMPLATE is the path of an archive of an
 * embedded one, and with TEST_DATABASE_URL the name of one on that server.
 */
export default async function createDatabaseTemplate() {
  compile();
  const { TEST_DATABASE_URL: server, TEST_DATABASE_TEMPLATE: existing } = process.env;
  if (!existing) process.env.TEST_DATABASE_TEMPLATE = await (server ? createOnServer(server) : createArchive());
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
