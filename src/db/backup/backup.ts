import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../core/config.js';
import { CommandError } from '../../core/errors.js';
import type { Database } from '../database.js';
import { backUpWhileUsed, copyDatabase, requireEmptyFolder } from './copy-embedded.js';
import { type Digests, digestTables, inSnapshot } from './digest.js';
import { writeManifest } from './manifest.js';
import { runProgram } from './programs.js';

/** Opens the database of some settings, which may be others than those of the process. */
export type OpenDatabase = (settings: Settings) => Promise<Database>;

/** The database in settings whose embedded database is that of a folder. */
export const atFolder = (settings: Settings, dataDir: string): Settings => ({
  ...settings,
  databaseUrl: '',
  databaseDirectUrl: '',
  databaseReplicaUrls: [],
  dataDir,
});

export const dumpFolder = (backup: string): string => join(backup, 'dump');

/** Backs up to a folder that is new or empty. `database` is null where no process uses an embedded one. */
export async function backUp(
  database: Database | null,
  settings: Settings,
  target: string,
  open: OpenDatabase,
): Promise<void> {
  const { databaseUrl, dataDir } = settings;
  if (!databaseUrl && dataDir.startsWith('memory:')) throw new CommandError('A database in memory has no files.\n');
  if (databaseUrl) await writeManifest(target, await dump(database!, settings, target));
  else {
    await (database ? backUpWhileUsed(database, dataDir, target) : copyDatabase(dataDir, target));
    // Also shows that the copy can be opened.
    await writeManifest(target, await readDigests(atFolder(settings, target), open));
  }
}

/** Dumps PostgreSQL, and counts and hashes the rows of the same moment. */
async function dump(database: Database, settings: Settings, target: string): Promise<Digests> {
  await requireEmptyFolder(target);
  try {
    return await inSnapshot(database, async run => {
      const [row] = await run<{ snapshot: string }>('select pg_export_snapshot() as snapshot');
      const args = ['--format=directory', `--file=${dumpFolder(target)}`, `--snapshot=${row!.snapshot}`];
      await runProgram('pg_dump', [...args, '--no-owner', '--exclude-table-data=page_change'], settings);
      return digestTables(run);
    });
  } catch (error) {
    await rm(dumpFolder(target), { recursive: true, force: true });
    throw error;
  }
}

/** The counts and hashes of all tables of a database, which is opened for that. */
export async function readDigests(settings: Settings, open: OpenDatabase): Promise<Digests> {
  const database = await open(settings);
  try {
    return await inSnapshot(database, digestTables);
  } finally {
    await database.close();
  }
}
