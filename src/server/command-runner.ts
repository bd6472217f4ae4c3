import type { Settings } from '../core/config.js';
import type { Database } from '../db/database.js';

export interface CommandContext {
  database: Database;
  settings: Settings;
  /** Shows that `done` of `total` parts of the work are done. Only in the process of the terminal. */
  progress?(done: number, total: number): void;
}

export interface CommandOutput {
  text: string;
  /** The arguments of the command that prints what follows. */
  next?: string[];
  /** 1 where the text reports a failure. */
  code?: 0 | 1;
}

/** What the process of a terminal asks of the one that uses the database. */
export interface CommandRequest {
  args: string[];
  /** The working directory of the terminal. */
  directory: string;
}

export interface CommandResult {
  /** For standard output. */
  text: string;
  /** For standard error. */
  error?: string;
  /** The arguments of the command that prints what follows. */
  next?: string[];
  code: 0 | 1 | 2;
}

/** Runs a command of another process, since this one uses the embedded database. */
export type CommandRunner = (context: CommandContext, request: CommandRequest) => Promise<CommandResult>;
