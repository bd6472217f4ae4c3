import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

/** The console is compiled by its own tools: Node runs this file of it as it is. */
function splitCsv(csv: string): { csv: string; rows: number; line: number; headerLines: number }[] {
  const script = `import { splitCsv } from './console/src/subscribers/split-csv.ts';
    let text = ''; for await (const chunk of process.stdin) text += chunk;
    process.stdout.write(JSON.stringify(splitCsv(text)));`;
  const options = { input: csv, encoding: 'utf8', maxBuffer: 10_000_000 } as const;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], options);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

test('a file is split into parts of complete rows, each below the line of names', () => {
  const rows = Array.from({ length: 12_001 }, (_, number) => `n${number}@e.example,"Line 1\n""2"", of ${number}"\n`);
  const parts = splitCsv(`email,company\n${rows.join('')}`);
  expect(parts.map(part => part.rows)).toEqual([5_000, 5_000, 2_001]);
  expect(parts.map(({ line }) => line)).toEqual([2, 10_002, 20_002]);
  for (const part of parts) expect(part.csv.startsWith('email,company\nn')).toBe(true);
  expect(parts.map(({ csv }) => csv.slice('email,company\n'.length)).join('')).toBe(rows.join(''));
});

test('rows that are long make smaller parts', () => {
  const row = `n@example.com,${'x'.repeat(300_000)}\n`;
  expect(splitCsv(`email,company\n${row.repeat(3)}`).map(({ rows }) => rows)).toEqual([1, 1, 1]);
});

test.each(['', 'email', 'email\n'])('a file without rows is one part: %j', csv => {
  expect(splitCsv(csv)).toEqual([{ csv, rows: 0, line: 2, headerLines: 1 }]);
});

test('a line with the separator belongs to the names', () => {
  const names = 'sep=;\r\n\r\nemail;company\r\n';
  const rows = 'a@example.com;x\r\n'.repeat(5_001);
  const parts = splitCsv(names + rows);
  expect(parts.map(({ rows: count, line, headerLines }) => [count, line, headerLines])).toEqual([
    [5_000, 4, 3],
    [1, 5_004, 3],
  ]);
  for (const part of parts) expect(part.csv.startsWith(`${names}a@`)).toBe(true);
});

test('an open quote ends with the file', () => {
  const csv = 'email,company\na@example.com,"open\nb@example.com,x\n';
  expect(splitCsv(csv).map(part => part.csv.length)).toEqual([csv.length]);
});
