import type { Settings } from '../core/config.js';
import type { Database } from '../db/database.js';

export interface CommandContext {
  database: Database;
  settings: Settings;
}

export interface CommandOutput {
  text: string;
  /** The arguments of the command that prints what follows. */
  next?: string[];
}

export interface CommandResult extends CommandOutput {
  code: 0 | 1;
}

/** Runs a command of another process, since this one uses the embedded database. */
export type CommandRunner = (context: CommandContext, args: string[]) => Promise<CommandResult>;
