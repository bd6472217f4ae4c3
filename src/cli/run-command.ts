import type { Database } from '../db/connection.js';
import { makeDemo } from './demo/demo.js';
import { CommandRefused } from '../core/errors.js';
import { exportPages } from '../status-page/server/export.js';
import { runTokenCommand } from './token.js';

/** What can be done to a database beside the service; each returns what is printed, or throws CommandRefused. */
const commands: Record<string, (database: Database, words: string[]) => Promise<string>> = {
  token: runTokenCommand,
  demo: makeDemo,
  export: exportPages,
};

/** What a command prints, and the exit code of who asked for it. */
export interface Printed {
  text: string;
  code: 0 | 1;
}

export async function runCommand(database: Database, [name, ...words]: string[]): Promise<Printed> {
  try {
    return { text: await commands[name!]!(database, words), code: 0 };
  } catch (error) {
    if (error instanceof CommandRefused) return { text: error.message, code: 1 };
    throw error;
  }
}
