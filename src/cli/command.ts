import type { Command } from 'commander';
import type { CommandContext, CommandOutput } from '../server/command-runner.js';

export type ContextWithoutDatabase = Omit<CommandContext, 'database'>;

/** What an action runs on the configured database once its arguments are valid. */
export interface DatabaseTask {
  /** False: without an embedded database there is nothing to do, and none is created. */
  createsDatabase: boolean;
  /** Returns the text to print, or a part of it, or throws CommandError. */
  run(context: CommandContext): Promise<string | CommandOutput>;
  /** In place of `run` where no process uses the database: it is neither opened nor migrated. */
  runWithoutDatabase?(context: ContextWithoutDatabase): Promise<string | CommandOutput>;
  /** `runWithoutDatabase` locks the data directory itself, and reports where it cannot. */
  leavesDirectoryUnlocked?: true;
}

export interface CommandEnvironment {
  /**
   * Runs a task in the process that uses the database, or in this one where none does. `args` are for that process in
   * place of those of the terminal, which may have read its input.
   */
  run(task: DatabaseTask, args?: string[]): Promise<void>;
  /** Resolves a path in the folder of the person at the terminal: the process that uses the database has another. */
  resolvePath(path: string): string;
}

/** The file of a command. */
export interface CommandDefinition {
  /** Adds description, arguments, options and action. The action may also do its work without a task. */
  define(command: Command, environment: CommandEnvironment): void;
}
