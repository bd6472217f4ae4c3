import process from 'node:process';
import { settings } from '../core/config.js';
import { askOwner, lockFolder } from '../db/data-directory-lock.js';
import { migrate } from '../db/migrate.js';
import { openDatabase } from '../db/connection.js';
import { type Printed, runCommand } from './run-command.js';

/** Runs a command on the database of the settings: an embedded one through the process that uses its folder, or by itself, and then alone, when none does. */
export async function onDatabase(words: string[]): Promise<Printed> {
  const answer = settings.databaseUrl ? undefined : await askOwner(settings.dataDir, JSON.stringify(words));
  // Two databases are easily taken for one another.
  const where = settings.databaseUrl
    ? 'the database of DATABASE_URL'
    : `the folder ${settings.dataDir}${answer === undefined ? '' : ', through the process that uses it'}`;
  process.stderr.write(`On ${where}:\n`);
  if (answer === '') return { text: 'That process did not answer. Look at what it printed.\n', code: 1 };
  if (answer !== undefined) return JSON.parse(answer) as Printed;
  const unlock = settings.databaseUrl
    ? undefined
    : await lockFolder(settings.dataDir, async () => JSON.stringify(busy));
  try {
    return await runAlone(words);
  } finally {
    await unlock?.();
  }
}

const busy: Printed = { text: 'Another command runs on this folder. Try again when it has ended.\n', code: 1 };

async function runAlone(words: string[]): Promise<Printed> {
  const database = await openDatabase(settings);
  try {
    await migrate(database);
    return await runCommand(database, words);
  } finally {
    await database.close();
  }
}
