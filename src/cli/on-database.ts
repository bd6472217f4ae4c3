import { resolve } from 'node:path';
import process from 'node:process';
import type { Settings } from '../core/config.js';
import { CommandError } from '../core/errors.js';
import { createLogger } from '../core/logger.js';
import { sendToOwner, lockDataDirectory } from '../db/data-directory-lock.js';
import { hasDatabase } from '../db/database-folder.js';
import { migrate } from '../db/migrate.js';
import { openServiceDatabase } from '../server/open-database.js';
import type { Command, CommandResult } from './command.js';
import { parseCommand, toResult } from './run-command.js';

/**
 * Runs a command on the configured database. The process that uses an embedded database runs it; if there is none, this
 * one opens the database and locks its directory for the time of the command.
 */
export async function runOnDatabase(settings: Settings, args: string[]): Promise<CommandResult> {
  const { databaseUrl, dataDir } = settings;
  let command: Command;
  try {
    command = parseCommand(args);
  } catch (error) {
    if (error instanceof CommandError) return { text: error.message, code: 1 };
    throw error;
  }
  const response = databaseUrl ? undefined : await sendToOwner(dataDir, JSON.stringify(args));
  // Printed because it is easy to run a command on the wrong database.
  const where = databaseUrl
    ? 'the database of DATABASE_URL'
    : `the folder ${dataDir}${response === undefined ? '' : ', through the process that uses it'}`;
  process.stderr.write(`On ${where}:\n`);
  if (response === '') return { text: 'The command failed in that process. See its log.\n', code: 1 };
  if (response !== undefined) return JSON.parse(response) as CommandResult;
  if (!databaseUrl && !command.createsDatabase && !hasDatabase(dataDir))
    return { text: `There is no database in ${resolve(dataDir)}. Check DATA_DIR.\n`, code: 1 };
  const unlock = databaseUrl
    ? undefined
    : await lockDataDirectory(dataDir, async () => JSON.stringify(busy), createLogger(settings.logLevel));
  try {
    if (command.runWithoutDatabase) return await toResult(() => command.runWithoutDatabase!(settings));
    return await runAlone(settings, command);
  } finally {
    await unlock?.();
  }
}

const busy: CommandResult = {
  text: 'Another command is running on this folder. Try again when it has ended.\n',
  code: 1,
};

async function runAlone(settings: Settings, command: Command): Promise<CommandResult> {
  const database = await openServiceDatabase(settings, createLogger(settings.logLevel));
  try {
    await migrate(database);
    return await toResult(() => command.run({ database, settings }));
  } finally {
    await database.close();
  }
}
