import { setTimeout as wait } from 'node:timers/promises';
import type { Settings } from '../core/config.js';
import type { Logger } from '../core/logger.js';
import type { Database } from '../db/database.js';
import { toRefusal } from '../db/database-errors.js';
import type { Lifecycle } from './monitoring/lifecycle.js';
import { describeStartupError } from './startup-errors.js';

interface DatabaseWait {
  settings: Settings;
  log: Logger;
  lifecycle: Lifecycle;
  open(): Promise<Database>;
  /** What the process does until the database is back, for the log. Null: it does not wait, and its start fails. */
  describeWait(): string | null | Promise<string | null>;
}

/** Opens the database. While it is unavailable, or a standby, tries again every second. */
export async function openWhenAvailable({
  settings,
  log,
  lifecycle,
  open,
  describeWait,
}: DatabaseWait): Promise<Database> {
  let reason: string | undefined;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const meanwhile = toRefusal(error)?.code === 'UNAVAILABLE' ? await describeWait() : null;
      if (meanwhile === null) throw error;
      lifecycle.enter('waiting for the database');
      const previous = reason;
      reason = describeStartupError(error, settings) ?? (error as Error).message;
      if (reason !== previous) log.warn({ reason }, `database unavailable: ${meanwhile} until it is back`);
      await wait(1_000);
    }
  }
}
