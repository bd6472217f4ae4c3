import { resolve } from 'node:path';
import process from 'node:process';
import { runWithSettings } from '../server/process.js';
import type { DatabaseTask } from './command.js';
import { runOnDatabase } from './on-database.js';
import { print } from './output/print.js';
import { runProgram } from './program.js';

/** Runs the command line and sets the exit code. A service that was started keeps running. */
export async function main(args: string[]): Promise<void> {
  const environment = {
    run: (task: DatabaseTask, given = args) =>
      runWithSettings(async settings => {
        process.exitCode = await runOnDatabase(settings, task, { args: given, directory: process.cwd() }, print);
      }),
    resolvePath: (path: string) => resolve(path),
  };
  process.exitCode = (await runProgram(args, environment)) || process.exitCode;
}
