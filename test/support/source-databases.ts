import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { saveAnswers } from './saved-answers.js';

/** Creates a SQLite database with the statements. Returns its path. */
export function createSqlite(file: string, statements: string): string {
  const path = join(saveAnswers({}), file);
  const database = new DatabaseSync(path);
  database.exec(statements);
  database.close();
  return path;
}

/** The columns of version 4 of Kener that matter here, with two pages. */
export const kenerStatements = readFileSync(new URL('./kener.sql', import.meta.url), 'utf8');

/** The columns of OpenStatus that matter here, with two pages. */
export const openStatusStatements = readFileSync(new URL('./openstatus.sql', import.meta.url), 'utf8');
