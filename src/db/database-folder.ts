import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the embedded database in a data directory. */
export const databaseFolder = (dataDir: string): string => join(dataDir, 'database');

/** Whether a data directory has a database: PostgreSQL writes the version of its files first. */
export const hasDatabase = (dataDir: string): boolean => existsSync(join(databaseFolder(dataDir), 'PG_VERSION'));
