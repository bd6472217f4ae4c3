import type { Heartbeats } from '../../core/heartbeats.js';
import { shareResult } from '../../core/share-result.js';
import type { Database } from '../../db/database.js';
import { findPendingMigrations } from '../../db/migrate.js';
import type { Admission } from '../../http/admission/admission.js';
import type { Lifecycle } from './lifecycle.js';

/** Returns why the process does not do all of its work, or null. */
export type ReadinessCheck = () => string | null | Promise<string | null>;

/** SQLSTATE */
const undefinedTable = '42P01';

/**
 * A backup of an older version can be restored while the process runs, so that migrations are pending. A server that
 * becomes a standby is read-only, and administrators can make it so.
 */
export async function checkDatabase(database: Database): Promise<string | null> {
  try {
    const pending = await findPendingMigrations(database);
    if (pending.length) return `migrations pending: ${pending.join(', ')}`;
    const [session] = await database.query<{ isReadOnly: boolean }>(
      `select current_setting('transaction_read_only')::boolean as "isReadOnly"`,
    );
    return session!.isReadOnly ? 'the database is read-only' : null;
  } catch (error) {
    return (error as { code?: unknown }).code === undefinedTable ? 'migrations pending: all' : 'database unavailable';
  }
}

const checkDiskSpace = ({ diskSpace }: Database): string | null =>
  diskSpace.isFull ? 'the disk of the database is full' : null;

/** What this process does in the background. */
export function checkTasks(heartbeats: Heartbeats): string | null {
  const { ages, delays } = heartbeats;
  const late = [...ages].filter(([task]) => delays.get(task)! > 0);
  return late.map(([task, seconds]) => `${task} has not run for ${Math.floor(seconds)} seconds`).join('\n') || null;
}

/** `admission` is absent in a worker. */
export function createReadinessChecks(
  lifecycle: Lifecycle,
  database: Database,
  heartbeats: Heartbeats,
  admission?: Admission,
): ReadinessCheck[] {
  const check = () => checkDatabase(database);
  const unavailable = () => 'database unavailable';
  return [
    lifecycle.findProblem,
    shareResult(() => (admission ? admission.whileAvailable(check).catch(unavailable) : check())),
    () => checkDiskSpace(database),
    () => checkTasks(heartbeats),
  ];
}

/** The reasons of all checks, a line each; null if there is none. */
export async function findProblems(checks: readonly ReadinessCheck[]): Promise<string | null> {
  const problems = await Promise.all(checks.map(check => check()));
  return problems.filter(problem => problem !== null).join('\n') || null;
}
