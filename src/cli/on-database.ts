import { resolve } from 'node:path';
import process from 'node:process';
import type { Settings } from '../core/config.js';
import { CommandError } from '../core/errors.js';
import { createLogger } from '../core/logger.js';
import { sendToOwner, lockDataDirectory } from '../db/data-directory-lock.js';
import { hasDatabase } from '../db/database-folder.js';
import { migrate } from '../db/migrate.js';
import { openServiceDatabase } from '../server/open-database.js';
import type { CommandResult } from '../server/command-runner.js';
import type { Command } from './command.js';
import { parseCommand, runCommand, toResult } from './run-command.js';

/** Writes a part of the output, and waits until the stream has accepted it. */
type Print = (text: string) => Promise<void>;

/**
 * Runs a command on the configured database, and prints its output. Returns its exit code. The process that uses an
 * embedded database runs it; if there is none, this one opens the database and locks its directory for the time of the
 * command.
 */
export async function runOnDatabase(settings: Settings, args: string[], print: Print): Promise<0 | 1> {
  const { databaseUrl, dataDir } = settings;
  let command: Command;
  try {
    command = parseCommand(args);
  } catch (error) {
    if (error instanceof CommandError) return fail(error.message, print);
    throw error;
  }
  const runInOwner = async (command: string[]) => parseResponse(await sendToOwner(dataDir, JSON.stringify(command)));
  const inOwner = databaseUrl ? undefined : await runInOwner(args);
  // Printed because it is easy to run a command on the wrong database.
  const where = databaseUrl
    ? 'the database of DATABASE_URL'
    : `the folder ${dataDir}${inOwner === undefined ? '' : ', through the process that uses it'}`;
  process.stderr.write(`On ${where}:\n`);
  if (inOwner) return printAll(inOwner, async next => (await runInOwner(next)) ?? ended, print);
  if (!databaseUrl && !command.createsDatabase && !hasDatabase(dataDir))
    return fail(`There is no database in ${resolve(dataDir)}. Check DATA_DIR.\n`, print);
  const unlock = databaseUrl
    ? undefined
    : await lockDataDirectory(dataDir, async () => JSON.stringify(busy), createLogger(settings.logLevel));
  try {
    if (!command.runWithoutDatabase) return await runAlone(settings, args, print);
    const { text, code } = await toResult(() => command.runWithoutDatabase!(settings));
    await print(text);
    return code;
  } finally {
    await unlock?.();
  }
}

const busy: CommandResult = {
  text: 'Another command is running on this folder. Try again when it has ended.\n',
  code: 1,
};
const failed: CommandResult = { text: 'The command failed in that process. See its log.\n', code: 1 };
const ended: CommandResult = { text: 'That process ended before the command did. Try again.\n', code: 1 };

/** Undefined when there is no owner. */
function parseResponse(response: string | undefined): CommandResult | undefined {
  if (response === undefined) return undefined;
  return response === '' ? failed : (JSON.parse(response) as CommandResult);
}

async function fail(text: string, print: Print): Promise<1> {
  await print(text);
  return 1;
}

/** Prints a result and, part by part, what follows it. */
async function printAll(
  first: CommandResult,
  run: (args: string[]) => Promise<CommandResult>,
  print: Print,
): Promise<0 | 1> {
  let result = first;
  await print(result.text);
  while (result.next) {
    result = await run(result.next);
    await print(result.text);
  }
  return result.code;
}

async function runAlone(settings: Settings, args: string[], print: Print): Promise<0 | 1> {
  const database = await openServiceDatabase(settings, createLogger(settings.logLevel));
  try {
    await migrate(database);
    const run = (command: string[]) => runCommand({ database, settings }, command);
    return await printAll(await run(args), run, print);
  } finally {
    await database.close();
  }
}
