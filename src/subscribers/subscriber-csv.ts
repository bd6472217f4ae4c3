import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { escapeFormula, unescapeFormula } from '../core/escape-formula.js';

/** The columns of a list in the order of the export: the fields of /v1, and the choices of the public page. */
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

/** One row of a list. A column that the list does not have is absent; a blank cell is ''. */
export interface CsvRow {
  /** Counted from 1, the header. */
  line: number;
  values: Partial<Record<Column, string>>;
  /** Null or absent: the list does not say when the person consented. */
  consentedAt?: Date | null;
}

/** The list as a whole is invalid. */
export class UnreadableCsv extends Error {}

const maxRows = 10_000;
/** In characters. It takes some tenths of a second to read. */
const maxLength = 1024 * 1024;

/** Separated by commas, semicolons or tabs, as in spreadsheets of all locales. Unknown columns are ignored. */
export function readCsv(text: string): { rows: CsvRow[]; ignored: string[] } {
  if (text.length > maxLength) throw new UnreadableCsv(`is longer than ${maxLength} characters`);
  const [header, ...records] = parseRecords(text);
  if (!header) throw new UnreadableCsv('has no header line');
  const names = header.record.map(toColumnName);
  if (!names.includes('email') && !names.includes('phone_number'))
    throw new UnreadableCsv('needs a column "email" or "phone_number" in its first line');
  const twice = names.find((name, index) => name && names.indexOf(name) !== index);
  if (twice) throw new UnreadableCsv(`has the column "${twice}" twice`);
  if (records.length > maxRows) throw new UnreadableCsv(`has more than ${maxRows} rows`);
  const columnsByIndex = new Map(
    names.flatMap((name, index) =>
      (columns as readonly string[]).includes(name) ? [[index, name as Column] as const] : [],
    ),
  );
  return {
    rows: records.map(({ record, line }) => ({
      line,
      values: Object.fromEntries(
        [...columnsByIndex].map(([index, name]) => [name, unescapeFormula(record[index] ?? '')]),
      ),
    })),
    ignored: header.record.filter((_, index) => !columnsByIndex.has(index)).map(name => name.slice(0, 100)),
  };
}

export const toColumnName = (cell: string) =>
  cell
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

export interface NumberedRecord {
  record: string[];
  /** The line in which it begins. */
  line: number;
}

export function parseRecords(text: string): NumberedRecord[] {
  const [firstLine = ''] = text.split(/\r?\n/, 1);
  // The most frequent in the header: a name or a tag list may contain another.
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
    // The parser reports the line in which a record ends, and a cell may contain line ends.
    return read.map(({ record, info }) => ({ record, line: info.lines - record.join('').split('\n').length + 1 }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UnreadableCsv(`cannot be read: ${error.message}`);
  }
}

export function writeCsv(rows: readonly Record<Column, string>[]): string {
  return stringify([[...columns], ...rows.map(row => columns.map(column => escapeFormula(row[column])))], {
    record_delimiter: '\r\n',
  });
}
