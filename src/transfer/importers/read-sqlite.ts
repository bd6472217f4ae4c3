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

/**
 * The stored columns of a table. What a view, a virtual table or a generated column computes while it is read takes as
 * long and as much memory as its author likes, and the library cannot be interrupted.
 */
const storedColumnsSql = `
  select c.name from pragma_table_list t join pragma_table_xinfo(t.name) c
  where t.schema = 'main' and t.type = 'table' and t.name = ? and c.hidden in (0, 3) order by c.cid`;

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
      const columns = database.prepare(storedColumnsSql);
      const read = (table: string) => {
        const names = columns.all(table).map(({ name }) => `"${String(name).replaceAll('"', '""')}"`);
        return names.length ? database.prepare(`select ${names.join(', ')} from "${table}"`).all() : null;
      };
      if (!columns.all(required).length) throw new Error(`it has no table ${required}`);
      return Object.fromEntries(tables.map(table => [table, read(table) ?? []]));
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
