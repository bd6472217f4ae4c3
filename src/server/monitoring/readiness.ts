import type { Heartbeats } from '../../core/heartbeats.js';
import type { Database } from '../../db/database.js';
import { findPendingMigrations } from '../../db/migrate.js';

/** Returns why the process should get no requests, or null. */
export type ReadinessCheck = () => string | null | Promise<string | null>;

/** A statement takes 12 seconds at most, and a round of a task has few that take long. */
const longestRoundSeconds = 30;

/** SQLSTATE */
const undefinedTable = '42P01';

/** A backup of an older version can be restored while the process runs, so that migrations are pending. */
export async function checkDatabase(database: Database): Promise<string | null> {
  try {
    const pending = await findPendingMigrations(database);
    return pending.length ? `migrations pending: ${pending.join(', ')}` : null;
  } catch (error) {
    return (error as { code?: unknown }).code === undefinedTable ? 'migrations pending: all' : 'database unavailable';
  }
}

export const checkDiskSpace = ({ diskSpace }: Database): string | null =>
  diskSpace.isFull ? 'the disk of the database is full' : null;

/** The worker and the automation of this process. */
export function checkTasks(heartbeats: Heartbeats): string | null {
  const late = [...heartbeats.ages].filter(([, seconds]) => seconds > longestRoundSeconds);
  return late.map(([task, seconds]) => `${task} has not run for ${Math.floor(seconds)} seconds`).join('\n') || null;
}

/** The reasons of all checks, a line each; null if there is none. */
export async function findProblems(checks: readonly ReadinessCheck[]): Promise<string | null> {
  const problems = await Promise.all(checks.map(check => check()));
  return problems.filter(problem => problem !== null).join('\n') || null;
}
