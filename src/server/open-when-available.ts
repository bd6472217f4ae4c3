import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from '../core/config.js';
import type { Logger } from '../core/logger.js';
import type { Database } from '../db/database.js';
import { toRefusal } from '../db/database-errors.js';
import { hasDatabase } from '../db/database-folder.js';
import { lockDataDirectory } from '../db/data-directory-lock.js';
import type { DiskSnapshots } from '../status-page/server/disk-snapshots.js';
import type { CommandRequest, CommandResult } from './command-runner.js';
import { openServiceDatabase } from './open-database.js';
import type { ServiceOptions } from './service-parts.js';
import { describeStartupError } from './startup-errors.js';
import type { Shutdown } from './shutdown.js';

/** Opens the database. While it is unavailable, serves disk snapshots and tries again; without any the start fails. */
export async function openWhenAvailable(
  settings: Settings,
  log: Logger,
  options: ServiceOptions,
  shutdown: Shutdown,
  snapshots: DiskSnapshots | null,
  serveSnapshots: () => Promise<void>,
): Promise<Database> {
  let reason: string | undefined;
  for (;;) {
    try {
      return await openLocked(settings, log, options, shutdown);
    } catch (error) {
      if (toRefusal(error)?.code !== 'UNAVAILABLE' || !(await snapshots?.pageIds())?.length) throw error;
      await serveSnapshots();
      const previous = reason;
      reason = describeStartupError(error, settings) ?? (error as Error).message;
      if (reason !== previous)
        log.warn({ reason }, 'database unavailable: serving pages from disk snapshots until it is back');
      await wait(1_000);
    }
  }
}

async function openLocked(
  settings: Settings,
  log: Logger,
  { runCommand, report, fail = error => log.error(error.message) }: ServiceOptions,
  shutdown: Shutdown,
) {
  // Commands can arrive as soon as the directory is locked, which is before the database is open.
  let opened: Database | undefined;
  if (!settings.databaseUrl && !settings.dataDir.startsWith('memory:')) {
    shutdown.addResource(
      await lockDataDirectory(
        settings.dataDir,
        async request => {
          const starting: CommandResult = {
            text: '',
            error: 'The service is still starting. Try again in a moment.\n',
            code: 1,
          };
          return JSON.stringify(
            opened && runCommand
              ? await runCommand({ database: opened, settings }, JSON.parse(request) as CommandRequest)
              : starting,
          );
        },
        log,
        fail,
      ),
    );
    report?.(
      hasDatabase(settings.dataDir)
        ? `Opening the database in ${settings.dataDir}.\n`
        : `Setting up a database in ${settings.dataDir}. This takes a few seconds, on the first start only.\n`,
    );
  }
  const database = await openServiceDatabase(settings, log);
  opened = database;
  shutdown.addResource(() => database.close());
  return database;
}
