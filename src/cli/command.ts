import type { Settings } from '../core/config.js';
import type { Database } from '../db/connection.js';

/** What commands work on. */
export interface CommandContext {
  database: Database;
  settings: Settings;
}

/** A command with its arguments, ready to run. */
export interface Command {
  /** False: without an embedded database there is nothing to do, and none is created. */
  createsDatabase: boolean;
  /** Returns the text to print, or a part of it, or throws CommandError. */
  run(context: CommandContext): Promise<string | CommandOutput>;
  /** In place of `run` where no process uses the database: it is neither opened nor migrated. */
  runWithoutDatabase?(settings: Settings): Promise<string>;
}

export interface CommandOutput {
  text: string;
  /** The arguments of the command that prints what follows. */
  next?: string[];
}

/** The output of a command, and its exit code. */
export interface CommandResult extends CommandOutput {
  code: 0 | 1;
}
