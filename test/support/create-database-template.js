import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import compile from './compile.js';

/** Migrates one embedded database and dumps it: a test file starts from a copy, which takes a tenth of the time. */
export default async function createDatabaseTemplate() {
  compile();
  if (process.env.TEST_DATABASE_URL || process.env.TEST_DATABASE_TEMPLATE) return;
  const { openServiceDatabase } = await import('../../dist/server/open-database.js');
  const { readSettings } = await import('../../dist/core/config.js');
  const { createLogger } = await import('../../dist/core/logger.js');
  const { migrate } = await import('../../dist/db/migrate.js');
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-test-'));
  const database = await openServiceDatabase(readSettings({ DATA_DIR: folder }), createLogger('silent'));
  await migrate(database);
  await database.close();
  const native = await PGlite.create(join(folder, 'database'));
  await native.exec('checkpoint');
  const dump = await native.dumpDataDir('none');
  await native.close();
  rmSync(join(folder, 'database'), { recursive: true });
  process.env.TEST_DATABASE_TEMPLATE = join(folder, 'database.tar');
  writeFileSync(process.env.TEST_DATABASE_TEMPLATE, Buffer.from(await dump.arrayBuffer()));
}
