import type { Settings } from '../core/config.js';
import type { CommandContext, CommandOutput } from '../server/command-runner.js';

export interface Command {
  /** False: without an embedded database there is nothing to do, and none is created. */
  createsDatabase: boolean;
  /** Returns the text to print, or a part of it, or throws CommandError. */
  run(context: CommandContext): Promise<string | CommandOutput>;
  /** In place of `run` where no process uses the database: it is neither opened nor migrated. */
  runWithoutDatabase?(settings: Settings): Promise<string>;
}
