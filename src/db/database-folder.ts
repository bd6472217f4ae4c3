import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the embedded database in a data directory. */
export const databaseFolder = (dataDir: string): string => join(dataDir, 'database');

/** A copy of a database that has not ended, beside the folder that it becomes at the end. */
export const incompleteCopy = (folder: string): string => `${folder}.incomplete`;

/** Whether a data directory has a database, whole or not. */
export function hasDatabase(dataDir: string): boolean {
  const folder = databaseFolder(dataDir);
  return existsSync(folder) && !(statSync(folder).isDirectory() && readdirSync(folder).length === 0);
}
