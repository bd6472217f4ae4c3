import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { toRelativeTimeUnit } from '../../../src/i18n/relative-time.js';

const words = { second: '', minute: 'min', hour: 'h', day: 'days' } as Record<string, string>;

test('the console rounds a distance as the public page does', () => {
  const seconds = [0, 29, 31, 61, 89, 3_569, 3_570, 5_399, 5_401, 7_200, 172_769, 172_770, 215_999, 216_001, 864_000];
  const both = seconds.flatMap(each => [each, -each]);
  const expected = both.map(each => {
    const [unit, count] = toRelativeTimeUnit(each);
    if (!count) return 'now';
    const length = `${Math.abs(count)} ${words[unit]}`;
    return count > 0 ? `in ${length}` : `${length} ago`;
  });
  const script = `import { formatDistance } from './console/src/api/times.ts';
    const distances = ${JSON.stringify(both)}.map(each => formatDistance(new Date(each * 1000).toISOString(), 0));
    console.log(JSON.stringify(distances));`;
  const stdout = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual(expected);
});
