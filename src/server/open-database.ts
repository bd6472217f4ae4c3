import type { Settings } from '../core/config.js';
import type { Logger } from '../core/logger.js';
import { type Database, openDatabase } from '../db/database.js';
import { hasDatabase } from '../db/database-folder.js';
import { lockDataDirectory } from '../db/data-directory-lock.js';
import { entities } from '../entities.js';
import type { CommandRequest, CommandResult } from './command-runner.js';
import type { ServiceOptions } from './service-parts.js';
import type { Shutdown } from './shutdown.js';

export const openServiceDatabase = (settings: Settings, log: Logger): Promise<Database> =>
  openDatabase({ settings, entities, log });

/** Opens the database of a service; an embedded one after locking its folder, through which commands arrive. */
export async function openLocked(
  settings: Settings,
  log: Logger,
  { runCommand, report, fail = error => log.error(error.message) }: ServiceOptions,
  shutdown: Shutdown,
): Promise<Database> {
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
