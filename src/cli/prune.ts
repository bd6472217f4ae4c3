import type { Command } from 'commander';
import { countPrunable, type PrunedRows, prune } from '../server/retention/prune.js';
import type { CommandEnvironment } from './command.js';
import { addJsonOption, renderRecords } from './records.js';

interface Options {
  dryRun?: boolean;
  json?: boolean;
}

export function define(command: Command, { run }: CommandEnvironment): void {
  addJsonOption(command)
    .description(
      'Deletes what has been stored for its time, as the service does every 10 minutes, and prints how much of each ' +
        'kind. docs/operations.md says what is stored until when.',
    )
    .option('--dry-run', 'delete nothing, and print how much it would be')
    .action((options: Options) =>
      run({
        createsDatabase: false,
        run: async ({ database, settings }) =>
          renderRecords(
            await (options.dryRun ? countPrunable : prune)(database, settings),
            options,
            ({ kind, count }: PrunedRows) => `${count}\t${kind}`,
            '',
          ),
      }),
    );
}
