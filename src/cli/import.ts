import { type Command, InvalidArgumentError, Option } from 'commander';
import { importArchive, type ImportResult } from '../archive/import-archive.js';
import { withArchive } from '../archive/read-archive.js';
import { parsePublicUrl } from '../core/config.js';
import { importPage } from '../importers/import-page.js';
import { renderReport } from '../importers/import-report.js';
import { readAnswers } from '../importers/read-folder.js';
import { type SourceName, sourceNames, sources } from '../importers/sources/registry.js';
import type { CommandContext, CommandOutput } from '../server/command-runner.js';
import { refuseAsCommand, writeAs } from './access-commands.js';
import { readPassphrase, secretsOption } from '../archive/passphrase.js';
import type { CommandEnvironment } from './command.js';

interface Options {
  from?: SourceName;
  page?: string;
  timeZone?: string;
  sourcePage?: string;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
  secrets?: string;
}

export function define(command: Command, { run, resolvePath }: CommandEnvironment): void {
  command
    .description(
      'Imports an archive of allclear export, also while the service runs: all of it, or nothing. Ids and links stay ' +
        'the same. With --from it moves a page of another product here, with its history and its subscribers: it ' +
        'prints what it would move, and with --yes it does so. docs/moving-in.md says what each product needs. ' +
        'Nobody is notified.',
    )
    .argument('<path>', 'the archive; with --from a folder of saved answers, or a file', resolvePath)
    .option('--dry-run', 'import nothing, and print what would be imported')
    .option(secretsOption, 'with the secrets of the archive; without it they are left out', resolvePath)
    .addOption(new Option('--from <product>', 'the product').choices(sourceNames))
    .option('--page <id>', 'with --from: the page to add to; a new one without it')
    .option('--source-page <id>', 'with --from: which page, where the product has several')
    .option('--time-zone <zone>', 'with --from: of times without an offset, such as Europe/Berlin', parseTimeZone)
    .option('--yes', 'with --from: write it')
    .option('--json', 'with --from: print the report as JSON')
    .action((path: string, { from, ...options }: Options) =>
      run({
        createsDatabase: true,
        run: context => (from ? importFrom(context, path, { ...options, from }) : importFile(context, path, options)),
      }),
    );
}

function parseTimeZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    throw new InvalidArgumentError('It must be a name of the tz database, such as Europe/Berlin.');
  }
}

/** Moves a page of another product here, or prints what it would move. */
async function importFrom(
  { database, settings, progress }: CommandContext,
  path: string,
  { from, page, timeZone, sourcePage, dryRun = false, yes = false, json }: Options & { from: SourceName },
): Promise<CommandOutput> {
  const source = sources[from];
  const answers = await (source.open ? source.open(path) : readAnswers(path, source.files));
  const imported = source.read(answers, { timeZone, sourcePage, now: new Date() });
  const isDryRun = dryRun || !yes;
  const request = { pageId: page ?? null, source: source.label, imported, dryRun: isDryRun, progress };
  const report = await refuseAsCommand(() => importPage(writeAs(database, 'importPage'), request));
  if (json) return { text: `${JSON.stringify(report, null, 2)}\n` };
  const address = `${parsePublicUrl(settings).origin}/status/${report.pageId}/`;
  const next = isDryRun ? 'With --yes it is written.\n' : `Imported to page ${report.pageId}: ${address}\n`;
  return { text: `${renderReport(report)}${next}` };
}

async function importFile(
  { database, settings, progress: report }: CommandContext,
  path: string,
  { dryRun: isDryRun = false, secrets: file }: Options,
): Promise<string> {
  const secrets = file === undefined ? null : { passphrase: readPassphrase(file), settings };
  const write = writeAs(database, 'importArchive');
  const result = await refuseAsCommand(() =>
    withArchive(path, archive =>
      database.withoutTimeLimit(() =>
        isDryRun
          ? write.dryRun(unit => importArchive(unit, archive, { secrets, report }))
          : write.transaction(unit => importArchive(unit, archive, { secrets, report })),
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
