import type { Settings } from '../core/config.js';
import { CommandError } from '../core/errors.js';
import { backUpWhileUsed, copyDatabase } from '../db/backup.js';
import type { Command } from './command.js';
import { usages } from './usage.js';

export function parseBackupCommand(args: string[]): Command {
  const [target] = args;
  if (!target || args.length > 1) throw new CommandError(usages.backup);
  return {
    createsDatabase: false,
    run: async ({ database, settings }) => {
      checkDatabase(settings);
      await backUpWhileUsed(database, settings.dataDir, target);
      return describe(target);
    },
    runWithoutDatabase: async settings => {
      checkDatabase(settings);
      await copyDatabase(settings.dataDir, target);
      return describe(target);
    },
  };
}

function checkDatabase({ databaseUrl, dataDir }: Settings): void {
  if (databaseUrl)
    throw new CommandError('The database of DATABASE_URL is backed up by pg_dump: docs/operations.md says how.\n');
  if (dataDir.startsWith('memory:')) throw new CommandError('A database in memory has no files.\n');
}

const describe = (target: string): string =>
  `The database is in ${target}, a complete DATA_DIR. To restore it, start the service with a copy of that folder.\n`;
