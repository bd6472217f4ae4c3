import type { Database } from '../db/orm.js';
import { makeDemo } from '../demo/demo.js';
import { exportPages } from '../status-page/export.js';
import { runTokenCommand } from '../tokens/token.commands.js';

/** What can be done to a database beside the service; each returns what is printed. */
const commands: Record<string, (database: Database, words: string[]) => Promise<string>> = { token: runTokenCommand, demo: makeDemo, export: exportPages };

export const runCommand = (database: Database, [name, ...words]: string[]): Promise<string> =>
  Object.hasOwn(commands, name!) ? commands[name!]!(database, words) : Promise.resolve('');
