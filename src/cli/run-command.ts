import { resolve } from 'node:path';
import { CommandError } from '../core/errors.js';
import type { CommandContext, CommandOutput, CommandRequest, CommandResult } from '../server/command-runner.js';
import type { DatabaseTask } from './command.js';
import { runProgram } from './program.js';

/** Runs a command on an open database. */
export async function runCommand(context: CommandContext, { args, directory }: CommandRequest): Promise<CommandResult> {
  let result: CommandResult = { text: '', code: 0 };
  const environment = {
    run: async (task: DatabaseTask) => {
      result = await toResult(() => task.run(context));
    },
    resolvePath: (path: string) => resolve(directory, path),
  };
  let error = '';
  const collect = (text: string) => {
    error += text;
  };
  const code = await runProgram(args, environment, { writeOut: collect, writeErr: collect });
  return code ? { text: '', error, code } : result;
}

/** Runs work that returns the text to print, or throws CommandError. */
export async function toResult(work: () => Promise<string | CommandOutput>): Promise<CommandResult> {
  try {
    const output = await work();
    return { code: 0, ...(typeof output === 'string' ? { text: output } : output) };
  } catch (error) {
    if (error instanceof CommandError) return { text: '', error: error.message, code: 1 };
    throw error;
  }
}
