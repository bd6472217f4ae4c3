import '../environment.js';
import { resolve } from 'node:path';
import process from 'node:process';
import { settings } from '../config.js';
import { askOwner } from '../db/folder-lock.js';
import { migrate } from '../db/migrate.js';
import { openDatabase } from '../db/orm.js';
import { type Printed, runCommand } from './commands.js';

/** `npm run token`, `npm run demo` and `npm run export`: on the embedded database through the service that runs on its folder, or by itself when none does. */
async function run(words: string[]): Promise<Printed> {
  const answer = settings.databaseUrl ? undefined : await askOwner(settings.dataDir, JSON.stringify(words));
  // Two databases are easily taken for one another.
  const where = settings.databaseUrl
    ? 'the database of DATABASE_URL'
    : `the folder ${settings.dataDir}${answer === undefined ? '' : ', through the service that runs on it'}`;
  process.stderr.write(`On ${where}:\n`);
  if (answer === '') throw new Error('The service did not answer. Look at what it printed.');
  if (answer !== undefined) return JSON.parse(answer) as Printed;
  const database = await openDatabase(settings);
  try {
    await migrate(database);
    return await runCommand(database, words);
  } finally {
    await database.close();
  }
}

const words = process.argv.slice(2);
// The service may run in another folder.
if (words[0] === 'export' && words[1]) words[1] = resolve(words[1]);
const { text, code } = await run(words);
process.exitCode = code;
process.stdout.write(text);
