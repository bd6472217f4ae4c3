/** How long after the first, second, ... attempt the next may come at the latest: seconds. */
const steps = [30, 2 * 60, 10 * 60, 30 * 60, 2 * 3_600];
const thenEvery = 6 * 3_600;

export interface Failure {
  /** How often it was tried, this time included. */
  tries: number;
  /** Since it was queued. */
  ageSeconds: number;
  /** What the other side asked for, where it did. */
  afterSeconds?: number;
}

/**
 * Seconds until the next attempt; null when there is none any more. Full jitter: anywhere between at once and the step, so that what failed together does not come
 * back together. `random` is from 0 to 1. What the other side asked for is kept to, and a jitter comes on top of it.
 */
export function retryAfter(
  { tries, ageSeconds, afterSeconds = 0 }: Failure,
  untilHours: number,
  random: number,
): number | null {
  const step = steps[tries - 1] ?? thenEvery;
  const delay = afterSeconds > 0 ? afterSeconds + random * Math.min(step, afterSeconds / 10) : random * step;
  return ageSeconds + delay > untilHours * 3_600 ? null : delay;
}
