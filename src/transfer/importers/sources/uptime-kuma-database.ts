import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CommandError } from '../../../core/errors.js';
import { readAnswers } from '../read-folder.js';
import { readSqlite } from '../read-sqlite.js';
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
  return readSqlite(files ? join(path, 'kuma.db') : path, path, {
    label: 'Uptime Kuma',
    tables,
    required: 'status_page',
  });
}

async function refuseMariaDb(configuration: string): Promise<void> {
  if (!/"type"\s*:\s*"[^"]*(mariadb|mysql)/i.test(await readFile(configuration, 'utf8'))) return;
  throw new CommandError(
    'This Uptime Kuma has its data in MariaDB. Save these tables as JSON in a folder, each as a list of its rows, ' +
      `and give the folder: ${tables.map(table => `${table}.json`).join(', ')}. docs/moving-in.md says how.\n`,
  );
}
