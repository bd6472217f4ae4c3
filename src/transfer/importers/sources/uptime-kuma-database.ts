import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CommandError } from '../../../core/errors.js';
import { readAnswers } from '../read-folder.js';
import type { Answers } from '../source.js';

export const tables = [
  'status_page',
  'group',
  'monitor_group',
  'monitor',
  'incident',
  'maintenance',
  'maintenance_status_page',
  'monitor_maintenance',
] as const;

/** Reads its SQLite database, a folder that has it, or a folder with a file of JSON for each table. */
export async function openUptimeKuma(path: string): Promise<Answers> {
  const files = await readdir(path).catch(() => null);
  if (files?.includes('status_page.json')) return readAnswers(path, tables);
  if (files?.includes('db-config.json')) await refuseMariaDb(join(path, 'db-config.json'));
  if (basename(path) === 'db-config.json') await refuseMariaDb(path);
  return readDatabase(path, files ? join(path, 'kuma.db') : path);
}

async function refuseMariaDb(configuration: string): Promise<void> {
  if (!/"type"\s*:\s*"[^"]*(mariadb|mysql)/i.test(await readFile(configuration, 'utf8'))) return;
  throw new CommandError(
    'This Uptime Kuma has its data in MariaDB. Save these tables as JSON in a folder, each as a list of its rows, ' +
      `and give the folder: ${tables.map(table => `${table}.json`).join(', ')}. docs/moving-in.md says how.\n`,
  );
}

/** Older versions lack some of the tables: those are empty. */
async function readDatabase(path: string, file: string): Promise<Answers> {
  const { DatabaseSync } = await import('node:sqlite');
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const stored = database.prepare(`select name from sqlite_master where type in ('table', 'view')`).all();
      const present = new Set(stored.map(({ name }) => name));
      if (!present.has('status_page')) throw new Error('it has no table status_page');
      const read = (table: string) => (present.has(table) ? database.prepare(`select * from "${table}"`).all() : []);
      return Object.fromEntries(tables.map(table => [table, read(table)]));
    } finally {
      database.close();
    }
  } catch (error) {
    throw new CommandError(`${path} is no database of Uptime Kuma: ${(error as Error).message}\n`);
  }
}
