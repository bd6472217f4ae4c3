import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { columns, readCsv, UnreadableCsv, writeCsv } from '../../../src/subscribers/subscriber-csv.js';

const createRow = (values: Record<string, string>) =>
  ({ ...Object.fromEntries(columns.map(column => [column, ''])), ...values }) as Parameters<typeof writeCsv>[0][number];
const readCells = (text: string) => readCsv(text).rows.map(({ values }) => values);

describe('readCsv', () => {
  test.each([
    ['commas', 'email,first_name\na@example.com,Anna'],
    ['semicolons', 'email;first_name\r\na@example.com;Anna\r\n'],
    ['tabs', 'email\tfirst_name\na@example.com\tAnna'],
    ['a byte order mark', '\ufeffemail,first_name\na@example.com,Anna'],
    ['column names in upper case and with spaces', ' EMAIL ,First Name\na@example.com,Anna'],
    ['columns in another order, cells in quotes', 'first_name,email\n"Anna","a@example.com"'],
  ])('accepts %s', (_, text) => {
    expect(readCells(text)).toEqual([{ email: 'a@example.com', first_name: 'Anna' }]);
  });

  test('reports the line in which each row begins, with line ends in cells', () => {
    const text = 'email,company\na@example.com,"two\nlines"\n\nb@example.com,one\nc@example.com\n';
    expect(readCsv(text).rows.map(({ line, values }) => [line, values.email])).toEqual([
      [2, 'a@example.com'],
      [5, 'b@example.com'],
      [6, 'c@example.com'],
    ]);
  });

  test('reports unknown columns', () => {
    expect(readCsv('email,Shoe size,,first_name\na@example.com,44,,Anna').ignored).toEqual(['Shoe size', '']);
  });

  test('has up to 10,000 rows', () => {
    expect(readCsv(`email\n${'a@example.com\n'.repeat(10_000)}`).rows).toHaveLength(10_000);
  });

  test.each([
    ['', 'has no header line'],
    ['name\nAnna', 'needs a column "email" or "phone_number" in its first line'],
    ['email,Email\na@example.com,b@example.com', 'has the column "email" twice'],
    ['email\n"a@example.com', 'cannot be read'],
    [`email\n${'a@example.com\n'.repeat(10_001)}`, 'has more than 10000 rows'],
    [`email\n${'x'.repeat(1024 * 1024)}`, 'is longer than 1048576 characters'],
  ])('refuses %j', (text, reason) => {
    expect(() => readCsv(text)).toThrow(UnreadableCsv);
    expect(() => readCsv(text)).toThrow(reason);
  });
});

describe('writeCsv', () => {
  test.each(['=1+1', '+49301234567', '-2', '@sum', '\tx', '\rx', "'=1", "''+1", '＝1'])(
    'escapes the formula %j, which is read back unchanged',
    value => {
      const text = writeCsv([createRow({ email: 'a@example.com', first_name: value })]);
      // As a spreadsheet sees it.
      expect((parse(text) as string[][])[1]![columns.indexOf('first_name')]).toBe(`'${value}`);
      expect(readCells(text)[0]!.first_name).toBe(value);
    },
  );

  test('is read back unchanged with any text', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .constantFrom("'", '=', '+', '"', ',', '\n', '\r\n', ';', '\t')
        .chain(start => fc.string().map(rest => start + rest)),
    );
    fc.assert(
      fc.property(cell, cell, (company, nickname) => {
        const [read] = readCells(writeCsv([createRow({ email: 'a@example.com', company, nickname })]));
        expect([read!.company, read!.nickname]).toEqual([company, nickname]);
      }),
      { numRuns: 500 },
    );
  });
});
