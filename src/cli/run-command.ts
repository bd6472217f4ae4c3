import { parseAuditCommand } from './audit-log.js';
import { parseBackupCommand } from './backup.js';
import type { CommandContext, CommandOutput, CommandResult } from '../server/command-runner.js';
import type { Command } from './command.js';
import { createDemo } from './demo.js';
import { CommandError } from '../core/errors.js';
import { exportPages } from '../status-page/server/export.js';
import { parsePeopleCommand } from './people.js';
import { parseTokenCommand } from './token.js';
import { databaseCommands, usages } from './usage.js';

/** The commands on a database. Each checks its arguments before anything is opened or created. */
const parsers: Record<string, (args: string[]) => Command> = {
  token: parseTokenCommand,
  'audit-log': parseAuditCommand,
  people: parsePeopleCommand,
  backup: parseBackupCommand,
  demo: args => {
    if (args.length) throw new CommandError(usages.demo);
    return { createsDatabase: true, run: createDemo };
  },
  export: args => {
    const folders = args.filter(word => word !== '--private');
    // Without `--` npm takes the option as its own, and the private pages would be missing.
    if (folders.length !== 1 || args.length > 2 || process.env.npm_config_private)
      throw new CommandError(usages.export);
    return { createsDatabase: false, run: context => exportPages(context, folders[0]!, args.includes('--private')) };
  },
};

/** Throws CommandError for arguments that are not valid. */
export function parseCommand([name = '', ...args]: string[]): Command {
  if (Object.hasOwn(parsers, name)) return parsers[name]!(args);
  throw new CommandError(databaseCommands.map(each => usages[each]).join('\n'));
}

export const runCommand = (context: CommandContext, args: string[]): Promise<CommandResult> =>
  toResult(() => parseCommand(args).run(context));

/** Runs work that returns the text to print, or throws CommandError. */
export async function toResult(work: () => Promise<string | CommandOutput>): Promise<CommandResult> {
  try {
    const output = await work();
    return { ...(typeof output === 'string' ? { text: output } : output), code: 0 };
  } catch (error) {
    if (error instanceof CommandError) return { text: error.message, code: 1 };
    throw error;
  }
}
