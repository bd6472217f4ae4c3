import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { InvalidSettings, type Settings, settingSecrets } from '../../core/config.js';
import { createLogger } from '../../core/logger.js';
import type { Database } from '../../db/database.js';
import { lockDataDirectory } from '../../db/data-directory-lock.js';
import { UnusableDatabase } from '../../db/embedded/data-directory.js';
import { hasDatabase } from '../../db/database-folder.js';
import { hideSecrets } from '../../notifications/channels/redact.js';
import { openServiceDatabase } from '../open-database.js';
import { type Check, describeError, type DoctorContext, failed, type Finding, skipped } from './check.js';
import { checks } from './checks.js';
import { createTxtResolver } from './resolve-txt.js';

export interface CheckResult extends Finding {
  check: string;
}

const checkTimeoutMs = 5_000;
/** SQLSTATE */
const undefinedTable = '42P01';

/** Runs all checks side by side, each for 5 seconds at most. `opened` is that of the process that uses the database. */
export async function examine(settings: Settings, opened?: Database): Promise<CheckResult[]> {
  const own = opened ? null : openUnused(settings);
  own?.catch(() => {});
  // The recovery of an embedded database after a crash takes as long as it needs.
  if (!settings.databaseUrl) await own?.catch(() => {});
  const context = {
    settings,
    environment: process.env,
    database: own ? own.then(({ database }) => database) : Promise.resolve(opened!),
    resolveTxt: createTxtResolver(settings.dnsServers),
  };
  context.database.catch(() => {});
  try {
    return await runChecks(checks, context);
  } finally {
    await own?.then(
      ({ close }) => close(),
      () => {},
    );
  }
}

export function runChecks(
  table: Readonly<Record<string, Check>>,
  context: DoctorContext,
  timeoutMs = checkTimeoutMs,
): Promise<CheckResult[]> {
  const secrets = settingSecrets(context.settings);
  return Promise.all(
    Object.entries(table).map(async ([check, run]) => {
      const { outcome, found, remedy } = await bound(async () => run(context), timeoutMs);
      return {
        check,
        outcome,
        found: hideSecrets(found, secrets),
        ...(remedy && { remedy: hideSecrets(remedy, secrets) }),
      };
    }),
  );
}

async function bound(check: () => Promise<Finding>, timeoutMs: number): Promise<Finding> {
  const timer = new AbortController();
  const timeout = wait(timeoutMs, null, { signal: timer.signal }).then(() =>
    failed(`The check did not end within ${timeoutMs / 1_000} seconds.`, 'Check the network between the machines.'),
  );
  try {
    return await Promise.race([check(), timeout]);
  } catch (error) {
    if (error instanceof InvalidSettings || error instanceof UnusableDatabase)
      return failed(error.message, 'Do as this message says.');
    if ((error as { code?: unknown }).code === undefinedTable) return skipped('The database has no tables yet.');
    return failed(`The check itself failed: ${describeError(error)}.`, 'Repeat it, and report it with this sentence.');
  } finally {
    timer.abort();
    timeout.catch(() => {});
  }
}

interface OpenedDatabase {
  database: Database | null;
  close(): Promise<void>;
}

/** Opens the database without migrating it, and creates none. */
async function openUnused(settings: Settings): Promise<OpenedDatabase> {
  const log = createLogger('silent');
  if (!settings.databaseUrl && !hasDatabase(settings.dataDir)) return { database: null, close: async () => {} };
  const unlock = settings.databaseUrl ? async () => {} : await lockDataDirectory(settings.dataDir, async () => '', log);
  try {
    const database = await openServiceDatabase(settings, log);
    return {
      database,
      close: async () => {
        await database.close();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}
