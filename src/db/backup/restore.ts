import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Settings } from '../../core/config.js';
import { CommandError } from '../../core/errors.js';
import { databaseFolder, hasDatabase } from '../database-folder.js';
import type { Database } from '../database.js';
import { toProgramEnvironment } from '../server-connection.js';
import { dumpFolder, type OpenDatabase, readDigests } from './backup.js';
import { copyFolder } from './copy-embedded.js';
import { compareDigests } from './digest.js';
import { readManifest } from './manifest.js';
import { runProgram } from './programs.js';

/** Restores a backup into an empty data directory or database. Returns the moment of the backup. */
export async function restore(settings: Settings, backup: string, open: OpenDatabase): Promise<string> {
  const { createdAt } = await readManifest(backup);
  const isDump = existsSync(dumpFolder(backup));
  if (isDump !== Boolean(settings.databaseUrl))
    throw new CommandError(
      isDump
        ? 'This is a backup of PostgreSQL: set DATABASE_URL to an empty database. allclear move then copies it.\n'
        : 'This is a backup of an embedded database: restore it without DATABASE_URL. allclear move then copies it.\n',
    );
  if (isDump) await restoreDump(settings, backup, open);
  else await restoreFolder(settings.dataDir, backup);
  return createdAt;
}

/** Throws where the database does not have what the manifest of a backup says. */
export async function verifyRestored(settings: Settings, backup: string, open: OpenDatabase): Promise<number> {
  const { tables } = await readManifest(backup);
  const differences = compareDigests(tables, await readDigests(settings, open));
  if (differences.length)
    throw new CommandError(`The database differs from the backup:\n${differences.map(line => `  ${line}\n`).join('')}`);
  return Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);
}

async function restoreDump(settings: Settings, backup: string, open: OpenDatabase): Promise<void> {
  const database = await open(settings);
  try {
    await requireEmpty(database);
  } finally {
    await database.close();
  }
  const args = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges'];
  // Without a database pg_restore prints SQL.
  const { PGDATABASE = '' } = toProgramEnvironment(settings);
  await runProgram('pg_restore', [...args, `--dbname=${PGDATABASE}`, dumpFolder(backup)], settings);
}

export async function requireEmpty(database: Database): Promise<void> {
  const rows = await database.query('select 1 from pg_tables where schemaname = current_schema() limit 1');
  if (rows.length) throw new CommandError('The database has tables. Create an empty one, and try again.\n');
}

async function restoreFolder(dataDir: string, backup: string): Promise<void> {
  if (hasDatabase(dataDir))
    throw new CommandError(
      `There is a database in ${resolve(dataDir)}. Move ${resolve(databaseFolder(dataDir))} away, and try again.\n`,
    );
  await copyFolder(databaseFolder(backup), databaseFolder(dataDir));
}
