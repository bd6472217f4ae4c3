import { z } from 'zod';
import { CommandError } from '../core/errors.js';
import type { ImportedPage } from './imported-page.js';

/** The parsed answers of a product, by the name of the file in which each is saved, without `.json`. */
export type Answers = Readonly<Record<string, unknown>>;

export interface ReadOptions {
  /** In the tz database: for times without an offset. */
  timeZone?: string;
  /** Which page of the source, where it has several. */
  sourcePage?: string;
}

/** A product from which pages can be moved here: the definition is all that is particular to it. */
export interface Source {
  /** As it is shown. */
  label: string;
  /** The names of the files, without `.json`. */
  files: readonly string[];
  read(answers: Answers, options: ReadOptions): ImportedPage;
}

/** The rows of an answer: a list, or `{ data: [...] }`, or several of them where each is a page of the list. */
export function listRows(answers: Answers, name: string): unknown[] {
  const answer = answers[name];
  if (answer === undefined) return [];
  const rows = toRows(answer);
  if (!rows) throw new CommandError(`${name}.json must be a list.\n`);
  return rows;
}

function toRows(answer: unknown): unknown[] | null {
  if (Array.isArray(answer)) return answer;
  const { data } = (answer ?? {}) as { data?: unknown };
  return Array.isArray(data) ? data : null;
}

/** One record: an answer, or what is in its `data`. */
export function readRecord<Row>(answers: Answers, name: string, shape: z.ZodType<Row>): Row | null {
  const answer = answers[name];
  if (answer === undefined) return null;
  const record = Array.isArray(answer) ? answer[0] : answer;
  const parsed = shape.safeParse((record as { data?: unknown })?.data ?? record);
  if (parsed.success) return parsed.data;
  throw new CommandError(`${name}.json is not as the API returns it: ${z.prettifyError(parsed.error)}\n`);
}
