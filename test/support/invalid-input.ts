import { expect } from '@jest/globals';
import type { TestResponse, TestService } from './service.js';

/** Invalid values by kind of field. */
const nonScalars = [[], ['x'], [['x']], {}, { a: 1 }];
export const invalidValues = {
  text: [...nonScalars, true, '\0', 'x\0y', 'x'.repeat(65_536)],
  boolean: [...nonScalars, [true], 'yes', 'TRUE', 2, -1, '\0'],
  integer: [
    ...nonScalars,
    [1],
    true,
    'x',
    '1x',
    1.5,
    '\0',
    2 ** 31,
    -(2 ** 31) - 1,
    2 ** 63,
    '9223372036854775808',
    1e300,
    '-1e400',
  ],
  timestamp: [
    ...nonScalars,
    true,
    5,
    'yesterday',
    '2030-13-01',
    '2030-02-30',
    '2030-01-01T25:00:00Z',
    '99999-01-01',
    '\0',
    '2030-01-01\0',
  ],
  id: [
    ...nonScalars,
    true,
    'x',
    '\0',
    -1,
    0,
    1.5,
    '1x',
    '0x1',
    '1e0',
    2 ** 31,
    '2147483648',
    2 ** 53,
    2 ** 63,
    '9223372036854775808',
    '9'.repeat(400),
  ],
  ids: [
    { a: 1 },
    [[1]],
    [{}],
    [true],
    'x',
    ['\0'],
    [-1],
    [0],
    [1.5],
    ['1x'],
    ['0x1'],
    ['1e0'],
    [2 ** 31],
    ['2147483648'],
    [2 ** 63],
    ['9223372036854775808'],
    Array(100_000).fill(1),
  ],
  texts: [{ a: 1 }, [['x']], [{}], [true], '\0', ['x\0'], ['x'.repeat(256)], Array(100_000).fill('x')],
  formatted: [...nonScalars, true, 5, 'other', '\0', 'constructor', '__proto__'],
};
export type FieldKind = keyof typeof invalidValues;

const errorNames: Record<number, string> = {
  400: 'bad_request',
  404: 'not_found',
  413: 'payload_too_large',
  422: 'invalid_resource',
};
const internals = new RegExp(
  [
    'node_modules',
    '\\.[jt]s\\b',
    'stack',
    'insert into',
    'select .* from',
    'violates',
    'syntax error',
    'relation "',
    'column "',
    'input syntax',
    'out of range for type',
    '\\$\\d',
  ].join('|'),
  'i',
);

/** Expects a 4xx of the reference of /v1's form. A 422 names the field, and no message contains internals. */
export function expectRefusal(response: TestResponse, status: number, field?: string): void {
  const { error, error_description: description, messages } = response.json ?? {};
  expect([response.status, error]).toEqual([status, errorNames[status]]);
  expect(description).toMatch(/^[A-Z].*\.$/s);
  expect(response.text.length).toBeLessThan(20_000);
  expect(response.text).not.toMatch(internals);
  expect(response.text).not.toContain(process.cwd());
  expect(messages === undefined).toBe(status !== 422);
  if (field) expect(Object.keys(messages)).toContain(field);
  for (const text of Object.values<string[]>(messages ?? {}).flat()) expect(text).toMatch(/^\S.{5,120}$/);
}

const tables = [
  'page',
  'brand',
  'custom_domain',
  'theme',
  'component',
  'notice',
  'notice_update',
  'notice_component',
  'notice_template',
  'subscriber',
  'subscriber_component',
];

/** A hash of each table, joined: differs if any row differs. */
export async function hashAllTables({ database }: TestService): Promise<string> {
  const hashes = tables.map(
    table => `(select md5(coalesce(string_agg(t::text, '' order by t::text), '')) from ${table} t)`,
  );
  const [row] = await database.query<{ all: string }>(`select concat_ws(' ', ${hashes.join(', ')}) as all`);
  return row!.all;
}
