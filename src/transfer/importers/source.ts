import { z } from 'zod';
import { CommandError } from '../../core/errors.js';
import type { SourceApi } from './fetch-answers.js';
import type { ImportedPage, LeftOut } from './imported-page.js';
import { parseLeniently } from './parse-leniently.js';

/** The parsed answers of a product, by the name of the file in which each is saved, without `.json`. */
export type Answers = Readonly<Record<string, unknown>>;

export interface ReadOptions {
  now: Date;
  /** In the tz database: for times without an offset. */
  timeZone?: string;
  /** Which page of the source, where it has several. */
  sourcePage?: string;
}

/** A product from which pages can be moved here: the definition is all that is particular to it. */
export interface Source {
  /** As it is shown. */
  label: string;
  /** The names of its files, without `.json`. */
  files: readonly string[];
  /** In place of reading these files. */
  open?(path: string): Promise<Answers>;
  /** Whether it opens a database, which can have views that take as long as their author likes. */
  isDatabase?: true;
  /** Absent: it has none, or none that gives all of it. */
  api?: SourceApi;
  read(answers: Answers, options: ReadOptions): ImportedPage;
}

/** The page that the options name, or the only one. */
export function choosePage<Page>(
  pages: readonly Page[],
  slugOf: (page: Page) => string,
  { sourcePage }: ReadOptions,
): Page {
  const chosen = sourcePage === undefined ? pages : pages.filter(page => slugOf(page) === sourcePage);
  if (chosen.length === 1) return chosen[0]!;
  const slugs = pages.map(slugOf).join(', ');
  throw new CommandError(
    pages.length ? `Choose a page by --source-page: ${slugs}.\n` : 'The database has no status page.\n',
  );
}

/** The rows of a shape, without others. */
export const parseRows = <Row>(rows: readonly unknown[], shape: z.ZodType<Row>): Row[] =>
  rows.flatMap(row => shape.safeParse(row).data ?? []);

/** Of a product that says all times in its own zone. */
export function requireTimeZone(label: string, { timeZone }: ReadOptions): string {
  if (timeZone) return timeZone;
  throw new CommandError(`Times of ${label} have no offset: say their zone, such as --time-zone Europe/Berlin.\n`);
}

/** The rows of an answer, which is a list, or has one in `data`. */
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

/** One record as it is: an answer, or what is in its `data`. */
export function readRaw(answers: Answers, name: string): unknown {
  const answer = answers[name];
  const record = Array.isArray(answer) ? answer[0] : answer;
  return (record as { data?: unknown } | null | undefined)?.data ?? record;
}

/** One record in its shape; null if there is none. An optional field of another type is left out alone. */
export function readRecord<Row>(answers: Answers, name: string, shape: z.ZodType<Row>, leftOut: LeftOut[]): Row | null {
  if (answers[name] === undefined) return null;
  try {
    const { value, dropped } = parseLeniently(shape, readRaw(answers, name), () => true);
    for (const { path, message } of dropped)
      leftOut.push({ kind: 'setting', sourceId: path.join('.'), reason: `is not as the API returns it: ${message}` });
    return value;
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new CommandError(`${name}.json is not as the API returns it: ${z.prettifyError(error)}\n`);
  }
}
