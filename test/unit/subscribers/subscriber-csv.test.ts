import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { columns } from '../../../src/subscribers/lists/list-fields.js';
import { UnreadableCsv } from '../../../src/subscribers/lists/read-list.js';
import { readCsv, writeCsv } from '../../../src/subscribers/subscriber-csv.js';

const createRow = (values: Record<string, string>) =>
  ({ ...Object.fromEntries(columns.map(column => [column, ''])), ...values }) as Parameters<typeof writeCsv>[0][number];
const readCells = async (text: string) => (await readCsv(text)).rows.map(({ values }) => values);

describe('readCsv', () => {
  test.each([
    ['commas', 'email,first_name\na@example.com,Anna'],
    ['semicolons', 'email;first_name\r\na@example.com;Anna\r\n'],
    ['tabs', 'email\tfirst_name\na@example.com\tAnna'],
    ['a byte order mark', '\ufeffemail,first_name\na@example.com,Anna'],
    ['column names in upper case and with spaces', ' EMAIL ,First Name\na@example.com,Anna'],
    ['columns in another order, cells in quotes', 'first_name,email\n"Anna","a@example.com"'],
    ['the separator line of Excel', 'sep=;\r\nemail;first_name\r\na@example.com;Anna\r\n'],
    ['a separator that the header has less often', '\ufeffsep=;\nemail;first_name;"a,b,c"\na@example.com;Anna;x'],
    ['blank lines before the header', '\r\n\r\nemail;first_name\r\na@example.com;Anna'],
  ])('accepts %s', async (_, text) => {
    expect(await readCells(text)).toEqual([{ email: 'a@example.com', first_name: 'Anna' }]);
  });

  test('reports the line in which each row begins, with line ends in cells', async () => {
    const text = 'email,company\na@example.com,"two\nlines"\n\nb@example.com,one\nc@example.com\n';
    expect((await readCsv(text)).rows.map(({ line, values }) => [line, values.email])).toEqual([
      [2, 'a@example.com'],
      [5, 'b@example.com'],
      [6, 'c@example.com'],
    ]);
  });

  test('counts the line with the separator', async () => {
    expect((await readCsv('sep=;\r\nemail;x\r\na@example.com;1\r\n')).rows.map(({ line }) => line)).toEqual([3]);
  });

  test('reads columns that are padded by blanks, also before quotes', async () => {
    const text = 'email            , company   \na@example.com    , "a, b"    ,\nb@example.com    , "{""x"": 1}" ,';
    expect(await readCells(text)).toEqual([
      { email: 'a@example.com', company: 'a, b' },
      { email: 'b@example.com', company: '{"x": 1}' },
    ]);
  });

  test.each([
    'Email Address',
    'E-mail Address',
    'E-Mail',
    'E-Mail-Adresse',
    'Adresse e-mail',
    'Adresse de messagerie',
    'Correo electrónico',
    'Indirizzo e-mail',
    'Endereço de e-mail',
    'メールアドレス',
  ])('knows the address in %s', async name => {
    expect(await readCells(`Title,${name}\nDr,a@example.com`)).toEqual([{ email: 'a@example.com' }]);
  });

  test('reads an export of Mailchimp', async () => {
    const { rows, ignored } = await readCsv(
      'Email Address,First Name,Last Name,MEMBER_RATING,OPTIN_TIME,CONFIRM_TIME,TAGS\n' +
        'a@example.com,Anna,Doe,2,"2025-02-01 10:00:00","2025-02-01 10:05:00","""vip"",""emea"""\n' +
        'b@example.com,,,2,"2025-02-01 10:00:00","",',
    );
    expect(ignored).toEqual(['MEMBER_RATING']);
    expect(rows.map(({ values, consentedAt }) => [values, consentedAt?.toISOString()])).toEqual([
      [
        { email: 'a@example.com', first_name: 'Anna', last_name: 'Doe', tag_list: 'vip,emea' },
        '2025-02-01T10:05:00.000Z',
      ],
      [{ email: 'b@example.com', first_name: '', last_name: '', tag_list: '' }, '2025-02-01T10:00:00.000Z'],
    ]);
  });

  test('keeps the time of the consent in Consent Date', async () => {
    expect((await readCsv('email,Consent Date\na@example.com,2025-02-01')).rows[0]!.consentedAt).toEqual(
      new Date('2025-02-01'),
    );
  });

  test('takes the column of its own name where two have an address', async () => {
    const { rows, ignored } = await readCsv('Work Email,email\nwork@example.com,a@example.com');
    expect([rows[0]!.values, ignored]).toEqual([{ email: 'a@example.com' }, ['Work Email']]);
  });

  test('reports unknown columns', async () => {
    expect((await readCsv('email,Shoe size,,first_name\na@example.com,44,,Anna')).ignored).toEqual(['Shoe size', '']);
  });

  test('is read in chunks, between which other requests are answered', async () => {
    let turns = 0;
    let isRead = false;
    const reading = readCsv(`email\n${'a@example.com\n'.repeat(10_000)}`).finally(() => (isRead = true));
    for (; !isRead; turns++) await setImmediate();
    expect((await reading).rows).toHaveLength(10_000);
    expect(turns).toBeGreaterThan(2);
  });

  test('keeps characters of several bytes between two chunks', async () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `${'x'.repeat(index % 7)}🚂é`);
    const { rows } = await readCsv(`email,company\n${names.map(name => `a@example.com,${name}`).join('\n')}`);
    expect(rows.map(({ values }) => values.company)).toEqual(names);
  });

  test('refuses rows that leave out half a million cells', async () => {
    const header = ['email', ...Array.from({ length: 998 }, (_, index) => `unsubscribed ${index}`)].join();
    const reading = readCsv(`${header}\n${'a@example.com\n'.repeat(600)}`);
    await expect(reading).rejects.toThrow('leave out more than 500,000 cells');
    expect((await readCsv(`${header}\n${'a@example.com\n'.repeat(500)}`)).rows).toHaveLength(500);
  });

  test('has up to 10,000 rows', async () => {
    expect((await readCsv(`email\n${'a@example.com\n'.repeat(10_000)}`)).rows).toHaveLength(10_000);
  });

  test.each([
    ['', 'has no header line'],
    ['name;Ort\nAnna;Köln', 'needs a column "email" or "phone_number" in its first line, which has "name", "Ort"'],
    ['email,first_name\na@example.com,M\ufffdller', 'has letters that were lost'],
    ['email,Email\na@example.com,b@example.com', 'has the column "email" twice'],
    ['email\n"a@example.com', 'cannot be read'],
    [`email\n${'a@example.com\n'.repeat(10_001)}`, 'has more than 10000 rows'],
    [`email\n${'x'.repeat(1024 * 1024)}`, 'is longer than 1048576 characters'],
  ])('refuses %j', async (text, reason) => {
    await expect(readCsv(text)).rejects.toThrow(UnreadableCsv);
    await expect(readCsv(text)).rejects.toThrow(reason);
  });
});

describe('writeCsv', () => {
  test.each(['=1+1', '+49301234567', '-2', '@sum', '\tx', '\rx', "'=1", "''+1", '＝1'])(
    'escapes the formula %j, which is read back unchanged',
    async value => {
      const text = writeCsv([createRow({ email: 'a@example.com', first_name: value })]);
      // As a spreadsheet sees it.
      expect((parse(text) as string[][])[1]![columns.indexOf('first_name')]).toBe(`'${value}`);
      expect((await readCells(text))[0]!.first_name).toBe(value);
    },
  );

  test('is read back unchanged with any text', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary' }).filter(text => !text.includes('\ufffd')),
      fc
        .constantFrom("'", '=', '+', '"', ',', '\n', '\r\n', ';', '\t')
        .chain(start => fc.string().map(rest => start + rest)),
    );
    await fc.assert(
      fc.asyncProperty(cell, cell, async (company, nickname) => {
        const [read] = await readCells(writeCsv([createRow({ email: 'a@example.com', company, nickname })]));
        expect([read!.company, read!.nickname]).toEqual([company, nickname]);
      }),
      { numRuns: 500 },
    );
  });
});
