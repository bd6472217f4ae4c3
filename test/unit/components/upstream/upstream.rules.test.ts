import { describe, expect, test } from '@jest/globals';
import {
  isSilent,
  nextAfterAnswerMs,
  nextAfterFailureMs,
  readRetryAfterMs,
  winsOverManual,
} from '../../../../src/components/upstream/upstream.rules.js';

const now = new Date('2026-11-20T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

test.each([
  { failures: 1, minutes: 14, silent: false },
  { failures: 1, minutes: 15, silent: true },
  { failures: 4, minutes: 0, silent: false },
  { failures: 5, minutes: 0, silent: true },
])('an upstream after $failures failures and $minutes minutes is silent: $silent', ({ failures, minutes, silent }) => {
  expect(isSilent({ failures, answeredAt: minutesAgo(minutes) }, now)).toBe(silent);
});

describe('the next request', () => {
  test.each([
    [null, 60],
    ['no-store', 60],
    ['public, max-age=5', 60],
    ['public,max-age="300"', 300],
    ['max-age=86400', 600],
    ['s-max-age=300', 60],
  ])('after an answer with Cache-Control %s comes after %i s', (header, seconds) => {
    expect(nextAfterAnswerMs(header, 0)).toBe(seconds * 1_000);
  });

  test.each([
    [1, 0, 60],
    [2, 0, 120],
    [4, 0, 480],
    [30, 0, 600],
    [1, 3_600, 3_600],
    [1, 10_000_000, 86_400],
  ])('after %i failures and a Retry-After of %i s comes after %i s', (failures, retryAfter, seconds) => {
    expect(nextAfterFailureMs(failures, retryAfter * 1_000, 0)).toBe(seconds * 1_000);
  });

  test('comes up to a tenth later', () => {
    expect([nextAfterAnswerMs(null, 1), nextAfterFailureMs(1, 0, 1)]).toEqual([66_000, 66_000]);
  });
});

test.each([
  [null, 0],
  ['120', 120],
  ['Fri, 20 Nov 2026 12:01:00 GMT', 60],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
  ['soon', 0],
])('a Retry-After of %s is %i s', (value, seconds) => {
  expect(readRetryAfterMs(value, now)).toBe(seconds * 1_000);
});

test('the worse of an upstream and a person counts, the person where both are as bad or say operational', () => {
  expect(winsOverManual('operational', undefined)).toBe(true);
  expect(winsOverManual('major-outage', 'degraded')).toBe(true);
  expect(winsOverManual('degraded', 'degraded')).toBe(false);
  expect(winsOverManual('unknown', 'maintenance')).toBe(false);
  expect(winsOverManual('major-outage', 'operational')).toBe(false);
});
