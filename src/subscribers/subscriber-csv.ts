import { setImmediate } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { escapeFormula } from '../core/escape-formula.js';
import { parseTimestamp } from '../core/timestamp.js';
import type { Leaving } from './lists/opt-out-columns.js';
import { type Column, columns } from './lists/list-fields.js';
import { parseRecords, readList, UnreadableCsv } from './lists/read-list.js';

/** One row of a list. A column that the list does not have is absent; a blank cell is ''. */
export interface CsvRow {
  /** Counted from 1, the header. */
  line: number;
  values: Partial<Record<Column, string>>;
  /** Null or absent: the list does not say when the person consented. */
  consentedAt?: Date | null;
  /** Null or absent: the list does not say that the person left it. */
  leaving?: Leaving | null;
}

const maxRows = 10_000;
/** In characters. */
const maxLength = 1024 * 1024;
/** Cells that rows leave out, and which are read all the same: a text of 20 kB can have 10,000 times 1,000 of them. */
const maxOmittedCells = 500_000;

/** Reads a list within the limits of a request. */
export async function readCsv(text: string): Promise<{ rows: CsvRow[]; ignored: string[] }> {
  if (text.length > maxLength) throw new UnreadableCsv(`is longer than ${maxLength} characters`);
  const records = await parseRecords(text, maxRows + 2);
  if (records.length - 1 > maxRows) throw new UnreadableCsv(`has more than ${maxRows} rows`);
  const columnCount = records[0]?.record.length ?? 0;
  const omitted = records.reduce((sum, { record }) => sum + Math.max(0, columnCount - record.length), 0);
  if (omitted > maxOmittedCells)
    throw new UnreadableCsv(`has rows that leave out more than ${maxOmittedCells.toLocaleString('en')} cells together`);
  // Reading the cells takes as long as the last chunk: others are answered first.
  await setImmediate();
  const { rows, ignored } = readList(records, [...columns, 'consented_at']);
  return {
    rows: rows.map(({ line, leaving, cells: { consented_at: consented, ...values } }) => ({
      line,
      leaving,
      values,
      consentedAt: parseTimestamp(consented?.trim() ?? ''),
    })),
    ignored,
  };
}

export const writeCsv = (rows: readonly Record<Column, string>[], { hasHeader = true } = {}): string =>
  stringify([...(hasHeader ? [columns] : []), ...rows.map(row => columns.map(column => escapeFormula(row[column])))], {
    record_delimiter: '\r\n',
  });
