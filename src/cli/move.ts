import { mkdir, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { atFolder } from '../db/backup/backup.js';
import { moveDatabase } from '../db/backup/move.js';
import type { Settings } from '../core/config.js';
import { databaseSettings } from '../core/database-settings.js';
import { CommandError } from '../core/errors.js';
import { createLogger } from '../core/logger.js';
import { lockDataDirectory } from '../db/data-directory-lock.js';
import { databaseFolder, hasDatabase, incompleteCopy } from '../db/database-folder.js';
import type { Database } from '../db/database.js';
import { migrate } from '../db/migrate.js';
import { createFetch } from '../http/proxies.js';
import { movePage } from '../transfer/page-move/move-page.js';
import { Target } from '../transfer/page-move/target.js';
import type { CommandContext } from '../server/command-runner.js';
import { openWithoutMigrating } from './backup.js';
import type { CommandEnvironment, ContextWithoutDatabase, DatabaseTask } from './command.js';
import { refuseAsCommand, requirePages, writeAs } from './access-commands.js';

interface PageOptions {
  page?: string;
  token?: string;
  dryRun?: boolean;
}

export function define(command: Command, { run, resolvePath }: CommandEnvironment): void {
  command
    .description(
      'Copies everything to another database, which must be empty: from the embedded one to PostgreSQL, or back. ' +
        'Stop all processes before. The source stays as it is; afterwards change DATABASE_URL or DATA_DIR. ' +
        'With --page it moves one page to another installation while both run: docs/moving-a-page.md.',
    )
    .requiredOption(
      '--to <target>',
      'postgres://..., or the folder of an embedded database; with --page the address of an installation',
    )
    .option('--page <id>', 'the page to move')
    .option('--token <token>', 'with --page: of an owner of all pages of the other installation')
    .option('--dry-run', 'with --page: only say what would be moved, or why it is refused')
    .action(({ to: text, ...options }: { to: string } & PageOptions) => {
      if (options.page !== undefined) return run(createPageTask(command, text, options));
      const to = parseTarget(command, text, resolvePath);
      return run({
        createsDatabase: false,
        run: async () => {
          throw new CommandError('A process uses this database. Stop it, and try again: nothing was copied.\n');
        },
        runWithoutDatabase: context => move(context, to),
      });
    });
}

function parseTarget(command: Command, text: string, resolvePath: (path: string) => string): string {
  if (/^https?:/.test(text)) command.error('error: --to names an installation: say by --page which page moves there');
  if (!/^postgres(ql)?:/.test(text)) return resolvePath(text);
  const { success, error } = databaseSettings.databaseUrl.parse.safeParse(text);
  if (!success) command.error(`error: option '--to <target>' ${error.issues[0]!.message}`);
  return text;
}

const isServer = (target: string) => target.startsWith('postgres');

async function move({ settings, progress }: ContextWithoutDatabase, to: string): Promise<string> {
  const copyTo = (target: Settings) =>
    withDatabase(settings, async source => {
      await requireUnused(source);
      await migrate(source);
      return withDatabase(target, opened => moveDatabase(source, opened, progress));
    });
  const digests = isServer(to)
    ? await copyTo({ ...settings, databaseUrl: to, databaseDirectUrl: '', databaseReplicaUrls: [] })
    : await createInFolder(to, incomplete => copyTo(atFolder(settings, incomplete)));
  const rows = Object.values(digests).reduce((sum, digest) => sum + digest.rows, 0);
  const change = isServer(to) ? 'DATABASE_URL to it' : `DATA_DIR to ${resolve(to)}, and no DATABASE_URL`;
  return `All ${rows} rows of ${Object.keys(digests).length} tables are there, and compared. Set ${change}.\n`;
}

/** Creates an embedded database whose folder is complete, or does not exist. */
async function createInFolder<Result>(dataDir: string, create: (dataDir: string) => Promise<Result>): Promise<Result> {
  if (hasDatabase(dataDir)) throw new CommandError(`There is a database in ${dataDir}: name another folder.\n`);
  const unlock = await lockDataDirectory(dataDir, async () => '', createLogger('silent'));
  const target = databaseFolder(dataDir);
  const incomplete = incompleteCopy(target);
  try {
    // Of a move that was interrupted.
    await rm(incomplete, { recursive: true, force: true });
    await mkdir(incomplete, { mode: 0o700 });
    const result = await create(incomplete);
    await rename(databaseFolder(incomplete), target);
    return result;
  } finally {
    await rm(incomplete, { recursive: true, force: true });
    await unlock();
  }
}

async function withDatabase<Result>(settings: Settings, work: (database: Database) => Promise<Result>) {
  const database = await openWithoutMigrating(settings);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** What a process writes meanwhile would be lost. Each has a connection that listens, and polls changes of pages. */
async function requireUnused(source: Database): Promise<void> {
  if (source.embedded) return;
  const others = await source.query(
    `select 1 from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
       and (query like 'listen %' or query like '%page_change%') and pid <> pg_backend_pid() limit 1`,
  );
  if (others.length)
    throw new CommandError('A process uses this database. Stop it, and try again: nothing was copied.\n');
}

/** Moves one page to the installation at an address. */
function createPageTask(command: Command, to: string, { page, token, dryRun = false }: PageOptions): DatabaseTask {
  const url = URL.canParse(to) ? new URL(to) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.pathname !== '/' || url.search)
    command.error('error: with --page, --to is the address of an installation, such as https://status.example.com');
  if (!token) command.error("error: --page needs the option '--token <token>'");
  const target = { url: url.origin, token };
  return { createsDatabase: false, run: context => moveToInstallation(context, page!, target, dryRun) };
}

async function moveToInstallation(
  { database, settings, progress: report }: CommandContext,
  pageId: string,
  target: { url: string; token: string },
  isDryRun: boolean,
): Promise<string> {
  await requirePages(database, [pageId]);
  const { url, rows, heldMs } = await refuseAsCommand(() =>
    movePage(database, writeAs(database, 'movePage'), {
      pageId,
      settings,
      isDryRun,
      report,
      target: new Target({ ...target, fetch: createFetch(settings) }),
    }),
  );
  const counts = Object.entries(rows).flatMap(([kind, count]) => (count ? [`${count}\t${kind}\n`] : []));
  if (heldMs === null) return `Would be moved to ${url}:\n${counts.join('')}`;
  const held = `Writes waited for ${(heldMs / 1000).toFixed(1)} s. Addresses of the page redirect there.\n`;
  return `Moved to ${url}:\n${counts.join('')}${held}`;
}
