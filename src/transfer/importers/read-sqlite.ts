import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../../core/errors.js';
import { readAnswers } from './read-folder.js';
import type { Answers } from './source.js';

interface SqliteSource {
  /** Of the product, for messages. */
  label: string;
  /** The usual name of its file, in a folder. */
  file: string;
  tables: readonly string[];
  /** A table without which it is not the database of the product. */
  required: string;
}

/** Reads a SQLite database. Older versions of a product lack some of the tables: those are empty. */
export async function readSqlite(
  path: string,
  shownPath: string,
  { label, tables, required }: Omit<SqliteSource, 'file'>,
): Promise<Answers> {
  const { DatabaseSync } = await import('node:sqlite');
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      // A view takes as long as its author likes, and the library cannot be interrupted.
      const stored = database.prepare(`select name from sqlite_master where type = 'table'`).all();
      const present = new Set(stored.map(({ name }) => name));
      if (!present.has(required)) throw new Error(`it has no table ${required}`);
      const read = (table: string) => (present.has(table) ? database.prepare(`select * from "${table}"`).all() : []);
      return Object.fromEntries(tables.map(table => [table, read(table)]));
    } finally {
      database.close();
    }
  } catch (error) {
    throw new CommandError(`${shownPath} is no database of ${label}: ${(error as Error).message}\n`);
  }
}

/** Opens a SQLite database, a folder that has it, or a folder with a file of JSON for each table. */
export const openSqlite =
  (source: SqliteSource) =>
  async (path: string): Promise<Answers> => {
    const files = await readdir(path).catch(() => null);
    if (files?.includes(`${source.required}.json`)) return readAnswers(path, source.tables);
    return readSqlite(files ? join(path, source.file) : path, path, source);
  };
