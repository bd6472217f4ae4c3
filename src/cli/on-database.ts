import { resolve } from 'node:path';
import process from 'node:process';
import type { Settings } from '../core/config.js';
import { createLogger } from '../core/logger.js';
import { createProgress } from './output/progress.js';
import { sendToOwner, lockDataDirectory } from '../db/data-directory-lock.js';
import { hasDatabase } from '../db/database-folder.js';
import { migrate } from '../db/migrate.js';
import { openServiceDatabase } from '../server/open-database.js';
import type { CommandRequest, CommandResult } from '../server/command-runner.js';
import type { ContextWithoutDatabase, DatabaseTask } from './command.js';
import { runCommand, toResult } from './run-command.js';

/** Writes a part of the output to a stream, standard output by default, and waits until the stream has accepted it. */
type Print = (text: string, stream?: NodeJS.WriteStream) => Promise<void>;
type ExitCode = CommandResult['code'];

/**
 * Runs a task on the configured database, and prints its output. Returns the exit code. The process that uses an
 * embedded database runs the command; if there is none, this one opens the database and locks its directory for the
 * time of the task.
 */
export async function runOnDatabase(
  settings: Settings,
  task: DatabaseTask,
  request: CommandRequest,
  print: Print,
): Promise<ExitCode> {
  const { databaseUrl, dataDir } = settings;
  const runInOwner = async (args: string[]) =>
    parseResponse(await sendToOwner(dataDir, JSON.stringify({ ...request, args } satisfies CommandRequest)));
  const inOwner = databaseUrl ? undefined : await runInOwner(request.args);
  // Printed because it is easy to run a command on the wrong database.
  const where = databaseUrl
    ? 'the database of DATABASE_URL'
    : `the folder ${dataDir}${inOwner === undefined ? '' : ', through the process that uses it'}`;
  process.stderr.write(`On ${where}:\n`);
  if (inOwner) return printAll(inOwner, async args => (await runInOwner(args)) ?? ended, print);
  if (!databaseUrl && !task.createsDatabase && !hasDatabase(dataDir))
    return printResult(fail(`There is no database in ${resolve(dataDir)}. Check DATA_DIR.\n`), print);
  const unlock =
    databaseUrl || task.leavesDirectoryUnlocked
      ? undefined
      : await lockDataDirectory(dataDir, async () => JSON.stringify(busy), createLogger(settings.logLevel));
  const context = { settings, progress: createProgress(request.args[0]!) };
  try {
    if (!task.runWithoutDatabase) return await runAlone(context, task, request, print);
    return await printResult(await toResult(() => task.runWithoutDatabase!(context)), print);
  } finally {
    await unlock?.();
  }
}

const fail = (error: string): CommandResult => ({ text: '', error, code: 1 });
const busy = fail('Another command is running on this folder. Try again when it has ended.\n');
const failed = fail('The command failed in that process. See its log.\n');
const ended = fail('That process ended before the command did. Try again.\n');

/** Undefined when there is no owner. */
function parseResponse(response: string | undefined): CommandResult | undefined {
  if (response === undefined) return undefined;
  return response === '' ? failed : (JSON.parse(response) as CommandResult);
}

async function printResult({ text, error, code }: CommandResult, print: Print): Promise<ExitCode> {
  if (text) await print(text);
  if (error) await print(error, process.stderr);
  return code;
}

/** Prints a result and, part by part, what follows it. */
async function printAll(
  first: CommandResult,
  run: (args: string[]) => Promise<CommandResult>,
  print: Print,
): Promise<ExitCode> {
  let result = first;
  while (result.next) {
    await printResult(result, print);
    result = await run(result.next);
  }
  return printResult(result, print);
}

async function runAlone(
  context: ContextWithoutDatabase,
  task: DatabaseTask,
  request: CommandRequest,
  print: Print,
): Promise<ExitCode> {
  const { settings } = context;
  const database = await openServiceDatabase(settings, createLogger(settings.logLevel));
  try {
    await migrate(database, text => process.stderr.write(text));
    const first = await toResult(() => task.run({ ...context, database }));
    return await printAll(first, args => runCommand({ ...context, database }, { ...request, args }), print);
  } finally {
    await database.close();
  }
}
