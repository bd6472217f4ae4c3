import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { columns, readCsv, UnreadableCsv, writeCsv } from '../../../src/subscribers/subscriber-csv.js';

const rowOf = (values: Record<string, string>) =>
  ({ ...Object.fromEntries(columns.map(column => [column, ''])), ...values }) as Parameters<typeof writeCsv>[0][number];
const cellsOf = (text: string) => readCsv(text).rows.map(({ values }) => values);

describe('a list of subscribers', () => {
  test.each([
    ['commas', 'email,first_name\na@example.com,Anna'],
    ['semicolons', 'email;first_name\r\na@example.com;Anna\r\n'],
    ['tabs', 'email\tfirst_name\na@example.com\tAnna'],
    ['a mark of its encoding in front', '\ufeffemail,first_name\na@example.com,Anna'],
    ['names of columns as people write them', ' EMAIL ,First Name\na@example.com,Anna'],
    ['columns in another order, cells in quotes', 'first_name,email\n"Anna","a@example.com"'],
  ])('is read with %s', (_, text) => {
    expect(cellsOf(text)).toEqual([{ email: 'a@example.com', first_name: 'Anna' }]);
  });

  test('tells in which line a row begins, whatever its cells hold', () => {
    const text = 'email,company\na@example.com,"two\nlines"\n\nb@example.com,one\nc@example.com\n';
    expect(readCsv(text).rows.map(({ line, values }) => [line, values.email])).toEqual([
      [2, 'a@example.com'],
      [5, 'b@example.com'],
      [6, 'c@example.com'],
    ]);
  });

  test('names the columns that mean nothing', () => {
    expect(readCsv('email,Shoe size,,first_name\na@example.com,44,,Anna').ignored).toEqual(['Shoe size', '']);
  });

  test.each([
    ['', 'has no header line'],
    ['name\nAnna', 'needs a column "email" or "phone_number" in its first line'],
    ['email,Email\na@example.com,b@example.com', 'has the column "email" twice'],
    ['email\n"a@example.com', 'cannot be read'],
    [`email\n${'a@example.com\n'.repeat(10_001)}`, 'has more than 10000 rows'],
  ])('that begins %j is refused', (text, why) => {
    expect(() => readCsv(text)).toThrow(UnreadableCsv);
    expect(() => readCsv(text)).toThrow(why);
  });
});

describe('what is written', () => {
  test.each(['=1+1', '+49301234567', '-2', '@sum', '\tx', '\rx', "'=1", "''+1", '＝1'])(
    'is no formula to a spreadsheet, and is read as it was: %j',
    value => {
      const text = writeCsv([rowOf({ email: 'a@example.com', first_name: value })]);
      // As the spreadsheet has it, which knows nothing of the apostrophe.
      expect((parse(text) as string[][])[1]![columns.indexOf('first_name')]).toBe(`'${value}`);
      expect(cellsOf(text)[0]!.first_name).toBe(value);
    },
  );

  test('is read as it was, whatever it is', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .constantFrom("'", '=', '+', '"', ',', '\n', '\r\n', ';', '\t')
        .chain(start => fc.string().map(rest => start + rest)),
    );
    fc.assert(
      fc.property(cell, cell, (company, nickname) => {
        const [read] = cellsOf(writeCsv([rowOf({ email: 'a@example.com', company, nickname })]));
        expect([read!.company, read!.nickname]).toEqual([company, nickname]);
      }),
      { numRuns: 500 },
    );
  });
});
