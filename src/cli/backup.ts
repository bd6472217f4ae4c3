import type { Command } from 'commander';
import { backUp } from '../db/backup/backup.js';
import type { Settings } from '../core/config.js';
import { createLogger } from '../core/logger.js';
import type { Database } from '../db/database.js';
import { storeFact } from '../server/monitoring/installation-facts.js';
import { openServiceDatabase } from '../server/open-database.js';
import type { CommandEnvironment } from './command.js';

export function define(command: Command, { run, resolvePath }: CommandEnvironment): void {
  command
    .description(
      'Backs up the database to a folder, also while the service runs: a copy of the embedded database, for which ' +
        'writes wait, or a dump of PostgreSQL by pg_dump. docs/operations.md says what else there is.',
    )
    .argument('<folder>', 'a folder that does not exist, or is empty', resolvePath)
    .action((target: string) => {
      const backUpTo = async (database: Database | null, settings: Settings) => {
        await backUp(database, settings, target, openWithoutMigrating);
        // A role that may only read can make backups, too.
        if (database) await storeFact(database, 'backup', target).catch(() => null);
        return `The backup is in ${target}. allclear restore ${target} --verify restores it.\n`;
      };
      return run({
        createsDatabase: false,
        run: ({ database, settings }) => backUpTo(database, settings),
        runWithoutDatabase: ({ settings }) =>
          settings.databaseUrl ? backUpServer(settings) : backUpTo(null, settings),
      });

      async function backUpServer(settings: Settings): Promise<string> {
        const database = await openWithoutMigrating(settings);
        try {
          return await backUpTo(database, settings);
        } finally {
          await database.close();
        }
      }
    });
}

/** A backup is often made before an upgrade. */
export const openWithoutMigrating = (settings: Settings): Promise<Database> =>
  openServiceDatabase(settings, createLogger(settings.logLevel));
