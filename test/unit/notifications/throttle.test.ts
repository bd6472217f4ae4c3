import { describe, expect, test } from '@jest/globals';
import { TargetGates } from '../../../src/notifications/delivery/target-gates.js';
import { Throttle } from '../../../src/notifications/delivery/throttle.js';

const minute = 60_000;
const accept = (throttle: Throttle, now: number, count: number) => {
  for (let index = 0; index < count; index++) throttle.recordAccepted(now);
};

/** Sends `count` messages to a server that takes `perMinute`, second by second, and returns the minutes and attempts. */
function sendAll(count: number, perMinute: number, inFlight = 32) {
  const throttle = new Throttle();
  const acceptedAt: number[] = [];
  let attempts = 0;
  let now = 0;
  for (; acceptedAt.length < count; now += 1_000) {
    const permitted = Math.min(throttle.permits(now), inFlight, count - acceptedAt.length);
    for (let index = 0; index < permitted; index++) {
      attempts += 1;
      if (acceptedAt.filter(at => at > now - minute).length < perMinute) {
        acceptedAt.push(now);
        throttle.recordAccepted(now);
      } else throttle.recordLimited(now);
    }
  }
  return { minutes: Math.round(now / minute), attempts };
}

describe('a throttle', () => {
  test('permits everything until the target has too many messages', () => {
    const throttle = new Throttle();
    accept(throttle, 0, 1_000);
    expect(throttle.permits(0)).toBe(Number.POSITIVE_INFINITY);
  });

  test('pauses for 30 seconds, growing to 60 while it lasts, and then tries one message', () => {
    const throttle = new Throttle();
    let now = 0;
    const pauses = [30_000, 45_000, 60_000, 60_000].map(pause => {
      throttle.recordLimited(now);
      throttle.recordLimited(now + 10);
      const before = throttle.permits(now + pause - 1);
      now += pause;
      return [before, throttle.permits(now)];
    });
    expect(pauses).toEqual(Array(4).fill([0, 1]));
    accept(throttle, now, 1);
    throttle.recordLimited(now);
    expect([29_999, 30_000].map(ms => throttle.permits(now + ms))).toEqual([0, 1]);
  });

  test('pauses for as long as the target said', () => {
    const throttle = new Throttle();
    throttle.recordLimited(0, 61_000);
    expect([60_999, 61_000].map(now => throttle.permits(now))).toEqual([0, 1]);
  });

  test('sends 500 messages in 17 minutes to a server that takes 30 in a minute, and few in vain', () => {
    const { minutes, attempts } = sendAll(500, 30);
    expect(minutes).toBeLessThanOrEqual(19);
    expect(attempts).toBeLessThan(530);
  });

  test('becomes faster after ten minutes without a refusal', () => {
    const throttle = new Throttle();
    accept(throttle, 0, 40);
    throttle.recordLimited(0);
    accept(throttle, minute, 1);
    expect([2, 10, 11, 12].map(minutes => throttle.permits(minutes * minute + 2_000))).toEqual([40, 40, 50, 62]);
  });
});

test('a refusal about the sender five times in a row pauses the target for 30 seconds, one does not', () => {
  const gates = new TargetGates();
  const report = (now: number) => gates.report('email', { kind: 'failed', response: '', deferral: 'sender' }, now);
  for (let count = 0; count < 4; count++) report(1_000);
  expect(gates.permits('email', 1_000)).toBe(Number.POSITIVE_INFINITY);
  report(1_000);
  expect([30_999, 31_000].map(now => gates.permits('email', now))).toEqual([0, 1]);
  gates.report('email', { kind: 'sent', response: '' }, 31_000);
  expect(gates.permits('email', 31_000)).toBe(Number.POSITIVE_INFINITY);
});

describe('gates', () => {
  test('name only the targets that are limited', () => {
    const gates = new TargetGates();
    gates.report('https://quick.example', { kind: 'sent', response: '' }, 0);
    gates.report('https://limited.example', { kind: 'failed', response: '', deferral: 'rate' }, 0);
    expect(gates.limitedTargets(0)).toEqual(['https://limited.example']);
  });

  test('forget the targets of which they heard least recently, above 10,000', () => {
    const gates = new TargetGates();
    for (let index = 0; index <= 10_000; index++)
      gates.report(`https://${index}.example`, { kind: 'failed', response: '', deferral: 'rate' }, 0);
    expect(gates.limitedTargets(0)).toHaveLength(10_000);
    expect(gates.permits('https://0.example', 0)).toBe(Number.POSITIVE_INFINITY);
  });
});
