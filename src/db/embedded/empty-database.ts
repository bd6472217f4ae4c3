import { cp, rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The data directory of an empty database. The build creates it, since initdb takes seconds, and 550 MB of memory. */
export const emptyDatabase = fileURLToPath(new URL('./empty-database', import.meta.url));
/** The same, for a database in memory. */
export const emptyDatabaseArchive = `${emptyDatabase}.tar.gz`;

/** Copies the empty database to a new or empty folder. If the process dies, the folder is complete or unchanged. */
export async function createDataDirectory(folder: string): Promise<void> {
  const incomplete = `${folder}.new`;
  await rm(incomplete, { recursive: true, force: true });
  await cp(emptyDatabase, incomplete, { recursive: true });
  await rename(incomplete, folder);
}
