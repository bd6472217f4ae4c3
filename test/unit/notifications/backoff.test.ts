import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { allowance, type Breaker, closed, unreached } from '../../../src/notifications/delivery/circuit-breaker.js';
import { retryAfter } from '../../../src/notifications/delivery/backoff.js';

const [minute, hour] = [60, 3_600];

describe('the next attempt', () => {
  test.each([
    [1, 30],
    [2, 2 * minute],
    [3, 10 * minute],
    [4, 30 * minute],
    [5, 2 * hour],
    [6, 6 * hour],
    [7, 6 * hour],
    [40, 6 * hour],
  ])('after attempt %i comes within %i seconds, anywhere in them', (tries, step) => {
    const at = (random: number) => retryAfter({ tries, ageSeconds: 0 }, 24, random);
    expect([at(0), at(0.5), at(1)]).toEqual([0, step / 2, step]);
  });

  test('does not come when the time is over', () => {
    expect(retryAfter({ tries: 6, ageSeconds: 18 * hour }, 24, 1)).toBe(6 * hour);
    expect(retryAfter({ tries: 6, ageSeconds: 18 * hour + 1 }, 24, 1)).toBeNull();
    expect(retryAfter({ tries: 6, ageSeconds: 18 * hour + 1 }, 48, 1)).toBe(6 * hour);
  });

  test('is not before the time that the other side asked for, and not long after it', () => {
    const delay = fc.record({
      tries: fc.integer({ min: 1, max: 20 }),
      afterSeconds: fc.integer({ min: 1, max: 10 * hour }),
      random: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(delay, ({ tries, afterSeconds, random }) => {
        const seconds = retryAfter({ tries, ageSeconds: 0, afterSeconds }, 24, random)!;
        return seconds >= afterSeconds && seconds <= afterSeconds * 1.1;
      }),
    );
    expect(retryAfter({ tries: 1, ageSeconds: 0, afterSeconds: 25 * hour }, 24, 0)).toBeNull();
  });
});

describe('a breaker', () => {
  test('opens for what one message was asked to wait, and for five minutes at most: others go the same way', () => {
    expect(unreached(closed, 1_000, 42_000).openUntil).toBe(43_000);
    expect(unreached(closed, 1_000, 23 * 3_600_000).openUntil).toBe(301_000);
  });

  /** Fails as soon as it lets one through. */
  const failing = (times: number) =>
    Array.from({ length: times }).reduce<{ breaker: Breaker; now: number }>(
      ({ breaker, now }) => {
        const at = Math.max(now, breaker.openUntil);
        return { breaker: unreached(breaker, at), now: at };
      },
      { breaker: closed, now: 1_000 },
    );

  test('lets everything through until nobody was there five times in a row', () => {
    expect(allowance(closed, 1_000)).toBe(Number.POSITIVE_INFINITY);
    expect(allowance(failing(4).breaker, 1_000)).toBe(Number.POSITIVE_INFINITY);
    expect(allowance(failing(5).breaker, 1_000)).toBe(0);
  });

  test('lets one through after a while, to look, and all once somebody was there', () => {
    expect([1_999, 2_000].map(now => allowance(failing(5).breaker, now))).toEqual([0, 1]);
    expect(allowance(closed, 1_000)).toBe(Number.POSITIVE_INFINITY);
  });

  test('waits for twice as long each time, for five minutes at most', () => {
    const waits = [5, 6, 7, 30].map(times => {
      const { breaker, now } = failing(times);
      return breaker.openUntil - now;
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 300_000]);
  });

  test('does not wait for longer since many failed at once: they were under way together', () => {
    const breaker = Array.from({ length: 24 }).reduce<Breaker>(one => unreached(one, 1_000), closed);
    expect(breaker.openUntil).toBe(2_000);
  });

  test('is open for as long as the other side asked for', () => {
    const breaker = unreached(closed, 1_000, 60_000);
    expect([60_999, 61_000].map(now => allowance(breaker, now))).toEqual([0, Number.POSITIVE_INFINITY]);
  });
});
