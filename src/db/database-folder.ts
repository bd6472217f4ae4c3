import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the embedded database in a data directory. */
export const databaseFolder = (dataDir: string): string => join(dataDir, 'database');

/** Whether a data directory has a database, whole or not. */
export function hasDatabase(dataDir: string): boolean {
  const folder = databaseFolder(dataDir);
  return existsSync(folder) && !(statSync(folder).isDirectory() && readdirSync(folder).length === 0);
}
