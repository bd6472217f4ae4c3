import type { Command } from 'commander';
import type { Settings } from '../core/config.js';
import { CommandError } from '../core/errors.js';
import { backUpWhileUsed, copyDatabase } from '../db/backup.js';
import type { CommandEnvironment } from './command.js';

export function define(command: Command, { run, resolvePath }: CommandEnvironment): void {
  command
    .description(
      'Copies the embedded database, also while the service runs: writes wait meanwhile. ' +
        'A PostgreSQL database is backed up by pg_dump. docs/operations.md says how to restore both.',
    )
    .argument('<folder>', 'a folder that does not exist, or is empty', resolvePath)
    .action((target: string) =>
      run({
        createsDatabase: false,
        run: async ({ database, settings }) => {
          checkDatabase(settings);
          await backUpWhileUsed(database, settings.dataDir, target);
          return describe(target);
        },
        runWithoutDatabase: async ({ settings }) => {
          checkDatabase(settings);
          await copyDatabase(settings.dataDir, target);
          return describe(target);
        },
      }),
    );
}

function checkDatabase({ databaseUrl, dataDir }: Settings): void {
  if (databaseUrl)
    throw new CommandError('The database of DATABASE_URL is backed up by pg_dump: docs/operations.md says how.\n');
  if (dataDir.startsWith('memory:')) throw new CommandError('A database in memory has no files.\n');
}

const describe = (target: string): string =>
  `The database is in ${target}, a complete DATA_DIR. To restore it, start the service with a copy of that folder.\n`;
