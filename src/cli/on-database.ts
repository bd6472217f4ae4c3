import process from 'node:process';
import type { Settings } from '../core/config.js';
import { createLogger } from '../core/logger.js';
import { sendToOwner, lockDataDirectory } from '../db/data-directory-lock.js';
import { migrate } from '../db/migrate.js';
import { openServiceDatabase } from '../server/open-database.js';
import type { CommandResult } from './command.js';
import { runCommand } from './run-command.js';

/**
 * Runs a command on the configured database. The process that uses an embedded database runs it; if there is none, this
 * one opens the database and locks its directory for the time of the command.
 */
export async function runOnDatabase(settings: Settings, args: string[]): Promise<CommandResult> {
  const response = settings.databaseUrl ? undefined : await sendToOwner(settings.dataDir, JSON.stringify(args));
  // Printed because it is easy to run a command on the wrong database.
  const where = settings.databaseUrl
    ? 'the database of DATABASE_URL'
    : `the folder ${settings.dataDir}${response === undefined ? '' : ', through the process that uses it'}`;
  process.stderr.write(`On ${where}:\n`);
  if (response === '') return { text: 'The command failed in that process. See its log.\n', code: 1 };
  if (response !== undefined) return JSON.parse(response) as CommandResult;
  const unlock = settings.databaseUrl
    ? undefined
    : await lockDataDirectory(settings.dataDir, async () => JSON.stringify(busy), createLogger(settings.logLevel));
  try {
    return await runAlone(settings, args);
  } finally {
    await unlock?.();
  }
}

const busy: CommandResult = {
  text: 'Another command is running on this folder. Try again when it has ended.\n',
  code: 1,
};

async function runAlone(settings: Settings, args: string[]): Promise<CommandResult> {
  const database = await openServiceDatabase(settings, createLogger(settings.logLevel));
  try {
    await migrate(database);
    return await runCommand({ database, settings }, args);
  } finally {
    await database.close();
  }
}
