import type { Settings } from '../core/config.js';
import type { Database } from '../db/connection.js';
import { createDemo } from './demo/demo.js';
import { CommandError } from '../core/errors.js';
import { exportPages } from '../status-page/server/export.js';
import { runTokenCommand } from './token.js';

/** What commands work on. */
export interface CommandContext {
  database: Database;
  settings: Settings;
}

/** The commands on a database. Each returns the text to print, or throws CommandError. */
const commands: Record<string, (context: CommandContext, args: string[]) => Promise<string>> = {
  token: ({ database }, args) => runTokenCommand(database, args),
  demo: createDemo,
  export: exportPages,
};

/** The output of a command, and its exit code. */
export interface CommandResult {
  text: string;
  code: 0 | 1;
}

export async function runCommand(context: CommandContext, [name, ...args]: string[]): Promise<CommandResult> {
  try {
    return { text: await commands[name!]!(context, args), code: 0 };
  } catch (error) {
    if (error instanceof CommandError) return { text: error.message, code: 1 };
    throw error;
  }
}
