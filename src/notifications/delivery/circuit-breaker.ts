/** The state of a target that many deliveries share: the mail server, the SMS gateway, a webhook. */
export interface CircuitBreaker {
  /** Failures in a row. */
  failures: number;
  /** How often it opened since the last success. */
  openCount: number;
  /** Nothing is sent before; by a monotonic clock. */
  openUntil: number;
}

/** The state after any response, a negative one included: the target was reachable. */
export const closedBreaker: CircuitBreaker = { failures: 0, openCount: 0, openUntil: 0 };

const failureThreshold = 5;
const shortestOpenMs = 1_000;
const longestOpenMs = 5 * 60_000;

/**
 * Records a connection failure or, with `afterMs`, a Retry-After. The breaker opens after 5 failures in a row, for 1 s,
 * doubling to 5 min. A failure while it is open does not count: it was sent together with those that opened it.
 */
export function recordFailure(breaker: CircuitBreaker, now: number, afterMs = 0): CircuitBreaker {
  // Capped, since a target serves many recipients and may be reconfigured meanwhile; the delivery itself waits longer.
  const openUntil = Math.max(breaker.openUntil, afterMs ? now + Math.min(afterMs, longestOpenMs) : 0);
  const failures = breaker.failures + 1;
  if (now < breaker.openUntil || failures < failureThreshold) return { ...breaker, failures, openUntil };
  const waitMs = Math.min(shortestOpenMs * 2 ** breaker.openCount, longestOpenMs);
  return { failures, openCount: breaker.openCount + 1, openUntil: Math.max(openUntil, now + waitMs) };
}

/** How many deliveries may be in flight: none while open, one probe when half-open, unlimited when closed. */
export function permits({ failures, openUntil }: CircuitBreaker, now: number): number {
  if (now < openUntil) return 0;
  return failures < failureThreshold ? Number.POSITIVE_INFINITY : 1;
}
