import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Some tests start the service as its users do: from what is built. That the types hold is another check's to say. And one embedded database is made and
 * migrated for all: to copy it takes a tenth of the time.
 */
export default async function build() {
  spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']);
  if (process.env.TEST_DATABASE_URL) return;
  const { openDatabase } = await import('../../dist/db/connection.js');
  const { migrate } = await import('../../dist/db/migrate.js');
  const database = await openDatabase({ databaseUrl: '', dataDir: 'memory://', databaseConnections: 2 });
  await migrate(database);
  const native = await database.orm.em.getConnection().getNativeClient();
  // Two databases that nobody asks are two fifths of what each copy is made of.
  await native.exec(`update pg_database set datistemplate = false`);
  for (const template of ['template0', 'template1']) await native.exec(`drop database ${template}`);
  await native.exec('checkpoint');
  const dump = await native.dumpDataDir('none');
  await database.close();
  process.env.TEST_DATABASE_DUMP = join(mkdtempSync(join(tmpdir(), 'all-clear-test-')), 'database.tar');
  writeFileSync(process.env.TEST_DATABASE_DUMP, Buffer.from(await dump.arrayBuffer()));
}
