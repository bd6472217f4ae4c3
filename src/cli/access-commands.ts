import { CommandError, Refusal } from '../core/errors.js';
import { serviceOrigin } from '../db/audit.js';
import type { Database } from '../db/database.js';
import { Writer } from '../records/writer.js';

/** What the commands about people and tokens share. */

/** A writer whose changes the audit log attributes to the command line. */
export const writeAs = (database: Database, operation: string): Writer =>
  new Writer(database, { origin: serviceOrigin('command', operation) });

/** Runs work, and prints what it refuses. */
export async function refuseAsCommand<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw new CommandError(`${error.message}\n`);
    throw error;
  }
}

export const parsePageIds = (option: string): string[] => option.split(',');

export const describePages = (pageIds: readonly string[] | null | undefined): string =>
  pageIds?.join(',') ?? 'all pages';

/** Throws for a page that does not exist. */
export async function requirePages(database: Database, pageIds: readonly string[] | null): Promise<void> {
  if (!pageIds) return;
  const pages = await database.query<{ id: string }>('select id from page where id = any($1)', [pageIds]);
  const unknown = pageIds.filter(id => !pages.some(page => page.id === id));
  if (unknown.length) throw new CommandError(`There is no page ${unknown.join(', ')}.\n`);
}
