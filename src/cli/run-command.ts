import type { CommandContext, CommandResult } from './command.js';
import { createDemo } from './demo/demo.js';
import { CommandError } from '../core/errors.js';
import { exportPages } from '../status-page/server/export.js';
import { runTokenCommand } from './token.js';

/** The commands on a database. Each returns the text to print, or throws CommandError. */
const commands: Record<string, (context: CommandContext, args: string[]) => Promise<string>> = {
  token: ({ database }, args) => runTokenCommand(database, args),
  demo: createDemo,
  export: exportPages,
};

const usage = `usage: npm run token -- create|list|revoke ...
       npm run demo
       npm run export -- <folder>
`;

export async function runCommand(context: CommandContext, [name = '', ...args]: string[]): Promise<CommandResult> {
  if (!Object.hasOwn(commands, name)) return { text: usage, code: 1 };
  try {
    return { text: await commands[name]!(context, args), code: 0 };
  } catch (error) {
    if (error instanceof CommandError) return { text: error.message, code: 1 };
    throw error;
  }
}
