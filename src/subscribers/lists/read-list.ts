import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { unescapeFormula } from '../../core/escape-formula.js';
import { findLeaving, type Leaving } from './opt-out-columns.js';
import { findFields, type ListField } from './list-fields.js';

/** The list as a whole is invalid. The message is the rest of a sentence that begins with it. */
export class UnreadableCsv extends Error {}

export interface NumberedRecord {
  record: string[];
  /** The line in which it begins, counted from 1. */
  line: number;
}

/** A row of a list with a header. A field that the list does not have is absent; a blank cell is ''. */
export interface ListRow {
  line: number;
  cells: Partial<Record<ListField, string>>;
  /** Null: the list does not say that the person left it. */
  leaving: Leaving | null;
}

/** As Excel begins a file for which it is to use another separator than that of its locale. */
const separatorLine = /^"?sep=([,;|\t])"?(\r\n|\n|\r)/i;

/** In characters. */
const maxRecordLength = 65_536;
const maxColumns = 1_000;

/**
 * Separated by commas, semicolons, tabs or bars, as in spreadsheets of all locales. Returns `maxRecords` at most. It is
 * parsed in chunks, between which other requests are answered.
 */
export async function parseRecords(given: string, maxRecords?: number): Promise<NumberedRecord[]> {
  const { text, delimiter } = prepare(given);
  const parseWith = async (trim: boolean) =>
    toRecords(await feedParser(text, parserOptions({ delimiter, trim, to: maxRecords })));
  try {
    return await parseWith(false).catch(error => {
      if (isPadded(error, delimiter)) return parseWith(true);
      throw error;
    });
  } catch (error) {
    throw toUnreadable(error);
  }
}

/** Short rows take some 20 ms. */
const chunkBytes = 8 * 1024;

async function feedParser(text: string, options: ReturnType<typeof parserOptions>): Promise<unknown[]> {
  const records: unknown[] = [];
  const parser = parse(options).on('data', record => records.push(record));
  const ended = once(parser, 'end');
  // It is awaited below; an error before that is no unhandled one.
  ended.catch(() => {});
  // A character may be in two chunks of bytes, but not in two of a text.
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length && !parser.destroyed; start += chunkBytes) {
    parser.write(bytes.subarray(start, start + chunkBytes));
    await setImmediate();
  }
  if (!parser.destroyed) parser.end();
  await ended;
  return records;
}

/** The text without what is no record, and what separates its cells. */
function prepare(given: string): { text: string; delimiter: string } {
  const text = given.replace(/^\ufeff/, '');
  if (text.includes('\ufffd'))
    throw new UnreadableCsv('has letters that were lost (U+FFFD): save it as "CSV UTF-8", and import that file');
  const [first = '', separator, lineEnd = ''] = separatorLine.exec(text) ?? [];
  // Its line stays, so that lines are counted as in the file.
  const rest = lineEnd + text.slice(first.length);
  return { text: rest, delimiter: separator ?? findDelimiter(text) };
}

/** Columns that are padded by blanks, also before a quote. Else blanks are a part of a cell. */
const isPadded = (error: unknown, delimiter: string): boolean =>
  error instanceof CsvError && error.code === 'INVALID_OPENING_QUOTE' && delimiter !== '\t';

function toUnreadable(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  const { code, message } = error;
  return new UnreadableCsv(
    code === 'CSV_MAX_RECORD_SIZE'
      ? `has a row of more than ${maxRecordLength.toLocaleString('en')} characters`
      : `cannot be read: ${message}`,
  );
}

/** The most frequent in the header: a name or a tag list may contain another. */
function findDelimiter(text: string): string {
  const [header = ''] = text.trimStart().split(/\r\n|\n|\r/, 1);
  return [',', ';', '\t', '|'].sort((one, other) => header.split(other).length - header.split(one).length)[0]!;
}

interface Reading {
  delimiter: string;
  trim: boolean;
  /** The number of the last record. */
  to?: number;
}

const parserOptions = (reading: Reading) => ({
  ...reading,
  info: true,
  max_record_size: maxRecordLength,
  relax_column_count: true,
  skip_empty_lines: true,
});

/** The parser reports the line in which a record ends, and a cell may contain line ends. */
const toRecords = (read: unknown): NumberedRecord[] =>
  (read as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
    record,
    line: info.lines - record.join('').split('\n').length + 1,
  }));

/** Reads rows below a header, in which other products may name the columns. Columns without a field are ignored. */
export function readList(
  [header, ...records]: readonly NumberedRecord[],
  wanted: readonly ListField[],
): { rows: ListRow[]; ignored: string[] } {
  if (!header) throw new UnreadableCsv('has no header line');
  const names = header.record;
  if (names.length > maxColumns) throw new UnreadableCsv(`has more than ${maxColumns.toLocaleString('en')} columns`);
  const twice = findTwice(names);
  if (twice !== undefined) throw new UnreadableCsv(`has the column "${twice}" twice`);
  const fields = findFields(names, wanted);
  if (!(['email', 'phone_number', 'phone'] as const).some(field => fields.has(field)))
    throw new UnreadableCsv(
      `needs a column "email" or "phone_number" in its first line, which has ${listNames(names)}`,
    );
  const leaving = findLeaving(
    names,
    records.map(({ record }) => record),
  );
  const used = new Set([...leaving.columns, ...[...fields.values()].flat()]);
  return {
    rows: records.map(({ record, line }) => {
      const cells = readCells(record, fields);
      const noPhone = leaving.findOfPhone(record);
      const isReachedByMail = Boolean(cells.email?.trim());
      return {
        line,
        // Who wants no text messages may want mails.
        cells: noPhone && isReachedByMail ? withoutPhone(cells) : cells,
        leaving: leaving.find(record) ?? (isReachedByMail ? null : noPhone),
      };
    }),
    ignored: names.filter((_, index) => !used.has(index)).map(name => name.slice(0, 100)),
  };
}

function findTwice(names: readonly string[]): string | undefined {
  const plain = names.map(name =>
    name
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_'),
  );
  const seen = new Set<string>();
  return plain.find(name => name && seen.size === seen.add(name).size);
}

const maxListed = 20;

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, maxListed).map(name => JSON.stringify(name.trim().slice(0, 40)));
  return shown.join(', ') + (names.length > shown.length ? ` and ${names.length - shown.length} more` : '');
}

function readCells(record: readonly string[], fields: ReadonlyMap<ListField, number[]>): ListRow['cells'] {
  const cells = [...fields].map(([field, indexes]) => {
    const values = indexes.map(index => unescapeFormula(record[index] ?? ''));
    const value = values.find(one => one.trim()) ?? values[0]!;
    return [field, field === 'tag_list' ? withoutQuotes(value) : value];
  });
  return Object.fromEntries(cells);
}

const withoutPhone = ({ phone_number: _, phone: __, ...others }: ListRow['cells']): ListRow['cells'] => others;

/** Mailchimp quotes each tag. */
const withoutQuotes = (tags: string) =>
  /^\s*"[^"]*"(\s*,\s*"[^"]*")*\s*$/.test(tags) ? tags.replaceAll('"', '') : tags;
