import { constants } from 'node:fs';
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandError } from '../../core/errors.js';
import type { Database } from '../database.js';
import { databaseFolder, incompleteCopy } from '../database-folder.js';
import { query } from '../prepared-statements.js';
import { inTransaction } from '../transaction.js';

/**
 * Copies the files of an embedded database that is in use. The database has one session and no background processes:
 * while a transaction is open and runs no statement, nothing writes to its files, and all other work waits. A copy that
 * is made beside running statements can have files from before a checkpoint and others from after it.
 */
export async function backUpWhileUsed(database: Database, dataDir: string, target: string): Promise<void> {
  // The copy then has little to recover at its first start.
  await database.withoutTimeLimit(() => database.query('checkpoint'));
  await inTransaction(database, async em => {
    await query(em, 'select 1');
    await copyDatabase(dataDir, target);
  });
}

/** Copies a database that nobody uses to a data directory that is new or empty. */
export async function copyDatabase(dataDir: string, target: string): Promise<void> {
  await requireEmptyFolder(target);
  await copyFolder(databaseFolder(dataDir), databaseFolder(target));
}

export async function requireEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length) throw new CommandError(`The folder ${resolve(folder)} is not empty.\n`);
}

/** The copy is complete, or does not exist. */
export async function copyFolder(source: string, target: string): Promise<void> {
  const incomplete = incompleteCopy(target);
  try {
    // Of a copy that was interrupted, perhaps of another database.
    await rm(incomplete, { recursive: true, force: true });
    // Copy-on-write where the file system has it.
    await cp(source, incomplete, { recursive: true, mode: constants.COPYFILE_FICLONE });
    await rename(incomplete, target);
  } catch (error) {
    await rm(incomplete, { recursive: true, force: true });
    throw new CommandError(`The copy failed: ${(error as Error).message}\n`);
  }
}
