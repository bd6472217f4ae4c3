import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { PGlite } from '@electric-sql/pglite';
import { emptyDatabase, emptyDatabaseArchive } from './empty-database.js';

/** Part of `npm run build`: creates the empty database that embedded ones start with, once for a version of PGlite. */
const versionFile = `${emptyDatabase}.version`;
const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.resolve('@electric-sql/pglite')), 'utf8'),
) as { version: string };

if (readVersion() !== version) {
  process.stderr.write('Preparing the embedded database: this takes a few seconds, the first time only.\n');
  const incomplete = `${emptyDatabase}.new`;
  for (const folder of [emptyDatabase, incomplete]) rmSync(folder, { recursive: true, force: true });
  const database = await PGlite.create(incomplete);
  // The templates of further databases are three fifths of the size.
  await database.exec('update pg_database set datistemplate = false');
  for (const template of ['template0', 'template1']) await database.exec(`drop database ${template}`);
  await database.exec('checkpoint');
  await writeFile(emptyDatabaseArchive, Buffer.from(await (await database.dumpDataDir('gzip')).arrayBuffer()));
  await database.close();
  // The service may run as another user than the build, and copies it.
  for (const entry of readdirSync(incomplete, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  renameSync(incomplete, emptyDatabase);
  writeFileSync(versionFile, version);
}

function readVersion(): string | undefined {
  try {
    return readFileSync(versionFile, 'utf8');
  } catch {
    return undefined;
  }
}
