import type { Command } from 'commander';
import { importArchive, type ImportResult } from '../archive/import-archive.js';
import { withArchive } from '../archive/read-archive.js';
import type { CommandContext } from '../server/command-runner.js';
import { refuseAsCommand, writeAs } from './access-commands.js';
import type { CommandEnvironment } from './command.js';

export function define(command: Command, { run, resolvePath }: CommandEnvironment): void {
  command
    .description(
      'Imports an archive of allclear export, also while the service runs: all of it, or nothing. Ids and links stay ' +
        'the same, and nobody is notified.',
    )
    .argument('<archive>', 'the file', resolvePath)
    .option('--dry-run', 'import nothing, and print what would be imported')
    .action((archive: string, { dryRun = false }: { dryRun?: boolean }) =>
      run({ createsDatabase: true, run: context => importFrom(context, archive, dryRun) }),
    );
}

async function importFrom({ database, progress }: CommandContext, path: string, isDryRun: boolean): Promise<string> {
  const write = writeAs(database, 'importArchive');
  const result = await refuseAsCommand(() =>
    withArchive(path, archive =>
      database.withoutTimeLimit(() =>
        isDryRun
          ? write.dryRun(unit => importArchive(unit, archive, progress))
          : write.transaction(unit => importArchive(unit, archive, progress)),
      ),
    ),
  );
  return renderResult(result, isDryRun);
}

const renderResult = ({ rows }: ImportResult, isDryRun: boolean): string =>
  [
    isDryRun ? 'Would be imported:\n' : 'Imported:\n',
    ...Object.entries(rows).flatMap(([kind, count]) => (count ? [`${count}\t${kind}\n`] : [])),
  ].join('');
