import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createDataDirectory, emptyDatabase } from './empty-database.js';

/** A data directory that cannot be opened. The message tells the operator why, and what to do. */
export class UnusableDatabase extends Error {}

const remedy = 'Restore the data directory from a backup, or move that folder away to begin with an empty database.';

/**
 * Creates a data directory at the first start, unless a copy was interrupted, of which `incompleteCopy` is left.
 * One that has files is checked: without PG_VERSION, which a broken-off copy may lack, PGlite would run initdb over the
 * data.
 */
export async function prepareDataDirectory(folder: string, incompleteCopy: string): Promise<void> {
  const path = resolve(folder);
  if (!(await listFiles(folder)).length) {
    if (existsSync(incompleteCopy))
      throw new UnusableDatabase(
        `A copy of a database to ${path} was interrupted. Run allclear restore or allclear move again, or delete ` +
          `${resolve(incompleteCopy)} to begin with an empty database.`,
      );
    return createDataDirectory(folder);
  }
  const version = await readVersion(folder);
  if (!version) throw new UnusableDatabase(`The database in ${path} is incomplete: it has no PG_VERSION. ${remedy}`);
  const expected = await readVersion(emptyDatabase);
  if (version !== expected)
    throw new UnusableDatabase(
      `The database in ${path} has the format of PostgreSQL ${version.slice(0, 20)}, and this version of All Clear ` +
        `reads that of PostgreSQL ${expected}. Start the version that wrote it.`,
    );
}

/** `error` is that of the thread: what PostgreSQL logged last. */
export const describeDamage = (folder: string, error: Error): UnusableDatabase =>
  new UnusableDatabase(
    /no space left/i.test(error.message)
      ? `The database in ${resolve(folder)} cannot be opened: there is no space left on its disk.`
      : `The database in ${resolve(folder)} cannot be opened: ${error.message.replace(/\.$/, '')}. ${remedy}`,
    { cause: error },
  );

async function listFiles(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    if (code === 'ENOTDIR') throw new UnusableDatabase(`${resolve(folder)} is not a folder. ${remedy}`);
    throw error;
  }
}

/** Null where there is none, or it is empty. */
async function readVersion(folder: string): Promise<string | null> {
  try {
    return (await readFile(join(folder, 'PG_VERSION'), 'utf8')).trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
