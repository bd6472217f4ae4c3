import { expect } from '@jest/globals';
import type { Answer, TestService } from './service.js';

/** What no client can mean, by the kind of field that it is sent for. */
const noScalar = [[], ['x'], [['x']], {}, { a: 1 }];
export const wrong = {
  text: [...noScalar, true, '\0', 'x\0y', 'x'.repeat(65_536)],
  boolean: [...noScalar, [true], 'yes', 'TRUE', 2, -1, '\0'],
  integer: [
    ...noScalar,
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
  moment: [
    ...noScalar,
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
    ...noScalar,
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
  word: [...noScalar, true, 5, 'other', '\0', 'constructor', '__proto__'],
};
export type FieldKind = keyof typeof wrong;

const names: Record<number, string> = {
  400: 'bad_request',
  404: 'not_found',
  413: 'payload_too_large',
  422: 'invalid_resource',
};
const internals =
  /node_modules|\/work|\.[jt]s\b|stack|insert into|select .* from|violates|syntax error|relation "|column "|input syntax|out of range for type|\$\d/i;

/** A clear 4xx of the contract's form; of fields it names those, and says why. */
export function expectRefusal(answer: Answer, status: number, field?: string): void {
  const { error, error_description: sentence, messages } = answer.json ?? {};
  expect([answer.status, error]).toEqual([status, names[status]]);
  expect(sentence).toMatch(/^[A-Z].*\.$/s);
  expect(answer.text.length).toBeLessThan(20_000);
  expect(answer.text).not.toMatch(internals);
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

/** All that is kept, as one text that differs when anything in it does. */
export async function everything({ database }: TestService): Promise<string> {
  const hashes = tables.map(
    table => `(select md5(coalesce(string_agg(t::text, '' order by t::text), '')) from ${table} t)`,
  );
  const [row] = await database.query<{ all: string }>(`select concat_ws(' ', ${hashes.join(', ')}) as all`);
  return row!.all;
}
