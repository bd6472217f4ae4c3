import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';

/** The columns of a list of subscribers, in the order in which they are written. Those of /v1, and what the public page lets people choose. */
export const columns = [
  'email',
  'phone_number',
  'first_name',
  'last_name',
  'nickname',
  'company',
  'tag_list',
  'component_ids',
  'kinds',
  'consent_source',
] as const;
export type Column = (typeof columns)[number];

/** One row of a list: a column that it does not have is absent, and what is blank there is ''. */
export interface CsvRow {
  /** In the text, from 1; the first line is the header. */
  line: number;
  values: Partial<Record<Column, string>>;
}

/** The whole text cannot be read. */
export class UnreadableCsv extends Error {}

export const rowsAtMost = 10_000;

/**
 * A cell that a spreadsheet would take for a formula is text there with an apostrophe before it, and so is one that has such an apostrophe already: what is
 * written here is read as it was.
 */
const startsFormula = /^'*[=+\-@\t\r\n＝＋－＠]/;
const isQuoted = /^'+[=+\-@\t\r\n＝＋－＠]/;

const safe = (cell: string) => (startsFormula.test(cell) ? `'${cell}` : cell);
const plain = (cell: string) => (isQuoted.test(cell) ? cell.slice(1) : cell);

/** By comma, semicolon or tab, as spreadsheets of all countries write it. Columns may stand in any order; those that mean nothing here are named. */
export function readCsv(text: string): { rows: CsvRow[]; ignored: string[] } {
  const [header, ...records] = recordsOf(text);
  if (!header) throw new UnreadableCsv('has no header line');
  const names = header.record.map(nameOf);
  if (!names.includes('email') && !names.includes('phone_number'))
    throw new UnreadableCsv('needs a column "email" or "phone_number" in its first line');
  const twice = names.find((name, index) => name && names.indexOf(name) !== index);
  if (twice) throw new UnreadableCsv(`has the column "${twice}" twice`);
  if (records.length > rowsAtMost) throw new UnreadableCsv(`has more than ${rowsAtMost} rows`);
  const known = new Map(
    names.flatMap((name, index) =>
      (columns as readonly string[]).includes(name) ? [[index, name as Column] as const] : [],
    ),
  );
  return {
    rows: records.map(({ record, line }) => ({
      line,
      values: Object.fromEntries([...known].map(([index, name]) => [name, plain(record[index] ?? '')])),
    })),
    ignored: header.record.filter((_, index) => !known.has(index)).map(name => name.slice(0, 100)),
  };
}

const nameOf = (cell: string) =>
  cell
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

interface Numbered {
  record: string[];
  /** Where it begins. */
  line: number;
}

function recordsOf(text: string): Numbered[] {
  const [firstLine = ''] = text.split(/\r?\n/, 1);
  // The one that the header has most of: a name or a tag list may hold another.
  const delimiter = [',', ';', '\t'].sort(
    (one, other) => firstLine.split(other).length - firstLine.split(one).length,
  )[0]!;
  try {
    const read = parse(text, {
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as {
      record: string[];
      info: { lines: number };
    }[];
    // The library tells of the line in which a record ends: a cell may hold ends of lines.
    return read.map(({ record, info }) => ({ record, line: info.lines - record.join('').split('\n').length + 1 }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UnreadableCsv(`cannot be read: ${error.message}`);
  }
}

export function writeCsv(rows: readonly Record<Column, string>[]): string {
  return stringify([[...columns], ...rows.map(row => columns.map(column => safe(row[column])))], {
    record_delimiter: '\r\n',
  });
}
