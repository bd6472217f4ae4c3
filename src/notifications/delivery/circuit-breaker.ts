/** The state of a target that many deliveries share: the mail server, the SMS gateway, a webhook. */
export interface CircuitBreaker {
  /** Failures in a row. */
  failures: number;
  /** How often it opened since the last success. */
  openCount: number;
  /** Nothing is sent before; by a monotonic clock. */
  openUntil: number;
  /** The same by the Retry-After of a response. */
  retryAfter: number;
}

/** The state after any response, a negative one included: the target was reachable. */
export const closedBreaker: CircuitBreaker = { failures: 0, openCount: 0, openUntil: 0, retryAfter: 0 };

const failureThreshold = 5;
const shortestOpenMs = 1_000;
const longestOpenMs = 5 * 60_000;

/**
 * Records a connection failure or, with `afterMs`, a Retry-After. The breaker opens after 5 failures in a row, for 1 s,
 * doubling to 5 min. A failure while it is open does not count: it was sent together with those that opened it.
 */
export function recordFailure(
  breaker: CircuitBreaker,
  now: number,
  afterMs = 0,
  firstOpenMs = shortestOpenMs,
): CircuitBreaker {
  // Capped, since a target serves many recipients and may be reconfigured meanwhile; the delivery itself waits longer.
  const retryAfter = Math.max(breaker.retryAfter, afterMs ? now + Math.min(afterMs, longestOpenMs) : 0);
  const failures = breaker.failures + 1;
  if (isOpen(breaker, now) || failures < failureThreshold) return { ...breaker, failures, retryAfter };
  const waitMs = Math.min(firstOpenMs * 2 ** breaker.openCount, longestOpenMs);
  return { failures, openCount: breaker.openCount + 1, openUntil: now + waitMs, retryAfter };
}

/**
 * Makes an open breaker half-open at once, since a new publication is worth a probe: the target may be back. If the
 * probe fails, the breaker opens for as long as before. A Retry-After still counts.
 */
export function halfOpen(breaker: CircuitBreaker, now: number): CircuitBreaker {
  if (now >= breaker.openUntil) return breaker;
  return { ...breaker, openCount: breaker.openCount - 1, openUntil: now };
}

const isOpen = ({ openUntil, retryAfter }: CircuitBreaker, now: number) => now < openUntil || now < retryAfter;

/** How many deliveries may be in flight: none while open, one probe when half-open, unlimited when closed. */
export function permits(breaker: CircuitBreaker, now: number): number {
  if (isOpen(breaker, now)) return 0;
  return breaker.failures < failureThreshold ? Number.POSITIVE_INFINITY : 1;
}
