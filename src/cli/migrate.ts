import type { Command } from 'commander';
import { version } from '../server/version.js';
import type { CommandEnvironment } from './command.js';

export function define(command: Command, { run }: CommandEnvironment): void {
  command
    .description(
      'Runs the migrations that this version has and the database lacks, as every start and other command does. ' +
        'On an empty database it creates the tables.',
    )
    .action(() =>
      // What runs a task has migrated the database.
      run({ createsDatabase: true, run: async () => `The database has the tables of All Clear ${version}.\n` }),
    );
}
