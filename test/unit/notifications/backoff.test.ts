import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  permits,
  type CircuitBreaker,
  closedBreaker,
  halfOpen,
  recordFailure,
} from '../../../src/notifications/delivery/circuit-breaker.js';
import { webhook } from '../../../src/notifications/channels/webhook.js';
import {
  computeDeferralDelay,
  computeRetryDelay,
  computeScheduledDelay,
} from '../../../src/notifications/delivery/backoff.js';

const minute = 60;
const hour = 3_600;

describe('computeScheduledDelay', () => {
  const delays = webhook.retryDelays!;
  const at = (tries: number, random = 0, retryAfterSeconds?: number) =>
    computeScheduledDelay({ tries, ageSeconds: 0, retryAfterSeconds }, delays, random);

  test('follows the schedule of webhooks for 75 hours, and returns null after it', () => {
    expect([1, 2, 3, 9, 10].map(tries => at(tries))).toEqual([5, 5 * minute, 30 * minute, 24 * hour, null]);
    expect(Math.floor(delays.reduce((sum, delay) => sum + delay) / hour)).toBe(75);
  });

  test('returns at least the Retry-After, and at most 10 % more', () => {
    expect([at(1, 0, 600), at(1, 1, 600), at(9, 1, 600)]).toEqual([600, 660, 1.1 * 24 * hour]);
  });
});

describe('computeRetryDelay', () => {
  test.each([
    [1, 30],
    [2, 2 * minute],
    [3, 10 * minute],
    [4, 30 * minute],
    [5, 2 * hour],
    [6, 6 * hour],
    [7, 6 * hour],
    [40, 6 * hour],
  ])('after attempt %i returns between 0 and %i seconds', (tries, longest) => {
    const at = (random: number) => computeRetryDelay({ tries, ageSeconds: 0 }, 24, random);
    expect([at(0), at(0.5), at(1)]).toEqual([0, longest / 2, longest]);
  });

  test('returns null when the delivery is too old by then', () => {
    expect(computeRetryDelay({ tries: 6, ageSeconds: 18 * hour }, 24, 1)).toBe(6 * hour);
    expect(computeRetryDelay({ tries: 6, ageSeconds: 18 * hour + 1 }, 24, 1)).toBeNull();
    expect(computeRetryDelay({ tries: 6, ageSeconds: 18 * hour + 1 }, 48, 1)).toBe(6 * hour);
  });

  test('returns at least the Retry-After, and at most 10 % more', () => {
    const delay = fc.record({
      tries: fc.integer({ min: 1, max: 20 }),
      retryAfterSeconds: fc.integer({ min: 1, max: 10 * hour }),
      random: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(delay, ({ tries, retryAfterSeconds, random }) => {
        const seconds = computeRetryDelay({ tries, ageSeconds: 0, retryAfterSeconds }, 24, random)!;
        return seconds >= retryAfterSeconds && seconds <= retryAfterSeconds * 1.1;
      }),
    );
    expect(computeRetryDelay({ tries: 1, ageSeconds: 0, retryAfterSeconds: 25 * hour }, 24, 0)).toBeNull();
  });
});

describe('computeDeferralDelay', () => {
  const at = (ageSeconds: number, random = 0, deferral: 'sender' | 'rate' = 'sender') =>
    computeDeferralDelay({ ageSeconds }, deferral, 24, random);

  test('returns 10 minutes at first, and an hour at most, until the retries end', () => {
    expect([at(0), at(0, 1), at(hour), at(5 * hour), at(23.5 * hour)]).toEqual([600, 660, 1_800, 3_600, null]);
  });

  test('returns up to a minute where too many messages were sent', () => {
    expect([at(0, 0, 'rate'), at(12 * hour, 1, 'rate')]).toEqual([30, 60]);
  });

  test('returns at least the Retry-After', () => {
    const delay = (random: number) =>
      computeDeferralDelay({ ageSeconds: 0, retryAfterSeconds: 61 }, 'rate', 24, random);
    expect([delay(0), delay(1)]).toEqual([61, 61 * 1.1]);
  });
});

describe('a circuit breaker', () => {
  test('opens for a Retry-After, for five minutes at most', () => {
    expect(recordFailure(closedBreaker, 1_000, 42_000).retryAfter).toBe(43_000);
    expect(recordFailure(closedBreaker, 1_000, 23 * 3_600_000).retryAfter).toBe(301_000);
  });

  /** A breaker after failures that each come as soon as it permits a delivery. */
  const failing = (times: number) =>
    Array.from({ length: times }).reduce<{ breaker: CircuitBreaker; now: number }>(
      ({ breaker, now }) => {
        const at = Math.max(now, breaker.openUntil);
        return { breaker: recordFailure(breaker, at), now: at };
      },
      { breaker: closedBreaker, now: 1_000 },
    );

  test('opens after five failures in a row', () => {
    expect(permits(closedBreaker, 1_000)).toBe(Number.POSITIVE_INFINITY);
    expect(permits(failing(4).breaker, 1_000)).toBe(Number.POSITIVE_INFINITY);
    expect(permits(failing(5).breaker, 1_000)).toBe(0);
  });

  test('permits one probe when half-open, and everything when closed', () => {
    expect([1_999, 2_000].map(now => permits(failing(5).breaker, now))).toEqual([0, 1]);
    expect(permits(closedBreaker, 1_000)).toBe(Number.POSITIVE_INFINITY);
  });

  test('doubles the wait with each opening, up to five minutes', () => {
    const waits = [5, 6, 7, 30].map(times => {
      const { breaker, now } = failing(times);
      return breaker.openUntil - now;
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 300_000]);
  });

  test('does not wait longer when many deliveries in flight fail together', () => {
    const breaker = Array.from({ length: 24 }).reduce<CircuitBreaker>(
      each => recordFailure(each, 1_000),
      closedBreaker,
    );
    expect(breaker.openUntil).toBe(2_000);
  });

  test('stays open for the whole Retry-After', () => {
    const breaker = recordFailure(closedBreaker, 1_000, 60_000);
    expect([60_999, 61_000].map(now => permits(breaker, now))).toEqual([0, Number.POSITIVE_INFINITY]);
  });

  test('permits one probe at once for a new publication, and then waits for as long as before', () => {
    const { breaker, now } = failing(8);
    expect([permits(breaker, now), breaker.openUntil - now]).toEqual([0, 8_000]);
    const probing = halfOpen(breaker, now + 10);
    expect(permits(probing, now + 10)).toBe(1);
    expect(recordFailure(probing, now + 20).openUntil).toBe(now + 20 + 8_000);
  });

  test('permits no probe for a new publication before the Retry-After, nor more than half-open', () => {
    const waiting = recordFailure(closedBreaker, 1_000, 60_000);
    expect(permits(halfOpen(waiting, 2_000), 2_000)).toBe(0);
    const { breaker } = failing(8);
    expect(halfOpen(breaker, breaker.openUntil)).toBe(breaker);
    expect(halfOpen(closedBreaker, 1_000)).toBe(closedBreaker);
  });
});
