import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { importArchive, type ImportResult } from '../transfer/archive/import-archive.js';
import { withArchive } from '../transfer/archive/read-archive.js';
import { parsePublicUrl } from '../core/config.js';
import { CommandError } from '../core/errors.js';
import { createFetch } from '../http/proxies.js';
import { isTimeZone } from '../transfer/importers/convert-rows.js';
import { fetchAnswers, fetchPageIds } from '../transfer/importers/fetch-answers.js';
import { createArchiveOfV1 } from '../transfer/importers/v1-to-archive/create-archive.js';
import { importPage } from '../transfer/importers/import-page.js';
import type { ImportedPage } from '../transfer/importers/imported-page.js';
import { renderLeftOut, renderReport } from '../transfer/importers/import-report.js';
import { readAnswers } from '../transfer/importers/read-folder.js';
import type { Answers, Source } from '../transfer/importers/source.js';
import { type SourceName, sourceNames, sources } from '../transfer/importers/sources/registry.js';
import { planImport } from '../transfer/importers/plan.js';
import { listImportedPages, trackNothing } from '../transfer/importers/source-ids.js';
import type { Unit } from '../records/unit.js';
import type { Writer } from '../records/writer.js';
import type { CommandContext, CommandOutput } from '../server/command-runner.js';
import { refuseAsCommand, writeAs } from './access-commands.js';
import { readPassphrase, secretsOption } from '../transfer/archive/passphrase.js';
import type { CommandEnvironment } from './command.js';

interface Options {
  from?: SourceName;
  page?: string;
  timeZone?: string;
  sourcePage?: string;
  token?: string;
  url?: string;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
  keepIds?: boolean;
  secrets?: string;
  rolesOnAllPages?: boolean;
}

export function define(command: Command, { run, resolvePath }: CommandEnvironment): void {
  command
    .description(
      'Imports an archive of allclear export, also while the service runs: all of it, or nothing. Ids and links stay ' +
        'the same. With --from it moves a page of another product here, with its history and its subscribers: it ' +
        'prints what it would move, and with --yes it does so. docs/moving-in.md says what each product needs. ' +
        'Nobody is notified.',
    )
    .argument('[path]', 'the archive; with --from a folder of saved answers, or a file', resolvePath)
    .option('--dry-run', 'import nothing, and print what would be imported')
    .option(secretsOption, 'with the secrets of the archive; without it they are left out', resolvePath)
    .option('--roles-on-all-pages', 'also give the roles on all pages that the archive has; without it, it is refused')
    .addOption(new Option('--from <product>', 'the product').choices(sourceNames))
    .option('--page <id>', 'with --from: the page to add to, or new; without it the one of the last import, or new')
    .option('--token <token>', 'with --from, in place of the path: of the API of the product')
    .option('--source-page <id>', 'with --from: the page at the product; with --token its id')
    .option('--url <address>', 'with --token: the address of the API, if it is not that of the product')
    .option('--time-zone <zone>', 'with --from: of times without an offset, such as Europe/Berlin', parseTimeZone)
    .option('--keep-ids', 'with --from v1: all pages that the token may read, with the ids that they have there')
    .option('--yes', 'with --from: write it')
    .option('--json', 'with --from: print the report as JSON')
    .action((path: string | undefined, { from, ...options }: Options) => {
      if (path === undefined && !(from && options.token)) command.error("error: missing required argument 'path'");
      return run({
        createsDatabase: true,
        run: context => {
          if (!from) return importFile(context, path!, options);
          return options.keepIds
            ? importWithIds(context, { ...options, from })
            : importFrom(context, path, { ...options, from });
        },
      });
    });
}

function parseTimeZone(zone: string): string {
  if (isTimeZone(zone)) return zone;
  throw new InvalidArgumentError('It must be a name of the tz database, such as Europe/Berlin.');
}

/** Moves a page of another product here, or prints what it would move. */
async function importFrom(
  { database, settings, progress }: CommandContext,
  path: string | undefined,
  { from, page, dryRun = false, yes = false, json, ...options }: Options & { from: SourceName },
): Promise<CommandOutput> {
  const source: Source = sources[from];
  const answers = await (path === undefined ? fetchFrom(source, options, settings) : readFrom(source, path));
  const imported = source.read(answers, { ...options, now: new Date() });
  const isDryRun = dryRun || !yes;
  const write = writeAs(database, 'importPage');
  const pageId = page ? (page === 'new' ? null : page) : await findEarlierPage(write, source, imported);
  const request = { pageId, source: source.label, imported, dryRun: isDryRun, progress };
  const report = await refuseAsCommand(() => importPage(write, request));
  if (json) return { text: `${JSON.stringify(report, null, 2)}\n` };
  const address = `${parsePublicUrl(settings).origin}/status/${report.pageId}/`;
  const next = isDryRun
    ? `With --yes it is written to ${pageId ? `page ${pageId}` : 'a new page'}.\n`
    : `Imported to page ${report.pageId}: ${address}\n`;
  return { text: `${renderReport(report)}${next}` };
}

/** The page that an earlier import filled, by its name and a record that has not changed since. Null: none. */
async function findEarlierPage(write: Writer, { label }: Source, imported: ImportedPage): Promise<string | null> {
  const { settings } = imported;
  const { components, notices } = planImport(imported, trackNothing());
  const fingerprints = [...components.created, ...notices.created].map(({ fingerprint }) => fingerprint);
  const ids = settings.name ? await listImportedPages(write, label, settings.name, fingerprints) : [];
  if (ids.length < 2) return ids[0] ?? null;
  throw new CommandError(
    `Several pages called ${settings.name} have records of ${label}: ${ids.join(', ')}. Choose one by --page.\n`,
  );
}

const readFrom = (source: Source, path: string): Promise<Answers> =>
  source.open ? source.open(path) : readAnswers(path, source.files);

async function fetchFrom(
  { api, label }: Source,
  { token = '', sourcePage, url }: Omit<Options, 'from'>,
  settings: CommandContext['settings'],
): Promise<Answers> {
  if (!api) throw new CommandError(`${label} is read from files: see docs/moving-in.md.\n`);
  if (!sourcePage) throw new CommandError(`Say by --source-page which page of ${label} it is.\n`);
  return fetchAnswers(api, { token, sourcePage, origin: url, fetch: createFetch(settings) });
}

/** Moves the pages of a service that speaks /v1 here, with their ids: all of them, or nothing. */
async function importWithIds(
  { database, settings, progress: report }: CommandContext,
  { from, token = '', url, sourcePage, dryRun = false, yes = false }: Options & { from: SourceName },
): Promise<CommandOutput> {
  if (from !== 'v1' || !url || !token)
    throw new CommandError('--keep-ids needs --from v1, the address of the service as --url, and a --token.\n');
  const { api } = sources.v1;
  const options = { token, origin: url, fetch: createFetch(settings) };
  const ids = sourcePage === undefined ? await fetchPageIds(api, '/v1/pages', options) : [sourcePage];
  const answers: Answers[] = [];
  for (const id of ids) answers.push(await fetchAnswers(api, { ...options, sourcePage: id }));
  const { archive, leftOut } = createArchiveOfV1(answers, () => randomBytes(32).toString('hex'));
  const isDryRun = dryRun || !yes;
  const write = writeAs(database, 'importPage');
  const work = (unit: Unit) => importArchive(unit, archive, { report });
  const result = await refuseAsCommand(() =>
    database.withoutTimeLimit(() => (isDryRun ? write.dryRun(work) : write.transaction(work))),
  );
  const lines = renderLeftOut(leftOut).map(line => `${line}\n`);
  return { text: `${renderResult(result, isDryRun)}${lines.join('')}` };
}

async function importFile(
  { database, settings, progress: report }: CommandContext,
  path: string,
  { dryRun: isDryRun = false, secrets: file, rolesOnAllPages: allowsRolesOnAllPages }: Options,
): Promise<string> {
  const secrets = file === undefined ? null : { passphrase: readPassphrase(file), settings };
  const write = writeAs(database, 'importArchive');
  const options = { secrets, allowsRolesOnAllPages, report };
  const result = await refuseAsCommand(() =>
    withArchive(path, archive =>
      database.withoutTimeLimit(() =>
        isDryRun
          ? write.dryRun(unit => importArchive(unit, archive, options))
          : write.transaction(unit => importArchive(unit, archive, options)),
      ),
    ),
  );
  return renderResult(result, isDryRun);
}

const renderResult = ({ rows, roles, domains }: ImportResult, isDryRun: boolean): string =>
  [
    isDryRun ? 'Would be imported:\n' : 'Imported:\n',
    ...Object.entries(rows).flatMap(([kind, count]) => (count ? [`${count}\t${kind}\n`] : [])),
    ...(roles.length ? ['Roles that the archive gives to people who have none there yet:\n'] : []),
    ...roles.map(({ email, role, page_id }) => `${role}\t${email}\t${page_id ?? 'all pages'}\n`),
    ...(domains.length ? ['Domains that are unverified until DNS proves them to this installation:\n'] : []),
    ...domains.map(({ domain, page_id }) => `${domain}\t${page_id}\n`),
  ].join('');
