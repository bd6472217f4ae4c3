import { expect, test } from '@jest/globals';
import { showValue } from '../../../src/core/problems.js';

test.each<[string, unknown, string | null]>([
  ['a short text', 'x"y', '"x\\"y"'],
  ['a blank text', ' \n', null],
  ['a text of megabytes that begins with blanks', `${' '.repeat(200_000)}${'x'.repeat(1_000_000)}`, null],
  ['a long text', 'x'.repeat(70_000), `"${'x'.repeat(60)}…" (70,000 characters)`],
  ['a long text of pairs of surrogates', '😀'.repeat(70_000), `"${'😀'.repeat(60)}…" (70,000 characters)`],
  [
    'a text of megabytes, which is not counted',
    '😀'.repeat(1_000_000),
    `"${'😀'.repeat(60)}…" (over 100,000 characters)`,
  ],
  ['half a pair', `${'x'.repeat(60)}\ud83d`, `"${'x'.repeat(60)}…" (61 characters)`],
])('shows %s', (_, value, shown) => {
  expect(showValue(value)).toBe(shown);
});
