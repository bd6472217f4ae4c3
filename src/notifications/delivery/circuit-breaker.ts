/** What is known of a target that many deliveries share: the mail server, the SMS gateway, a webhook. */
export interface Breaker {
  /** One after the other, without anything that got through in between. */
  failures: number;
  /** How often it opened since something got through. */
  openings: number;
  /** Nothing is tried before; by a clock that never goes back. */
  openUntil: number;
}

/** Also as soon as somebody was there, whatever they said. */
export const closed: Breaker = { failures: 0, openings: 0, openUntil: 0 };

const failuresToOpen = 5;
const shortest = 1_000;
const longest = 5 * 60_000;

/**
 * Nobody was there, or nobody is to come before `afterMilliseconds` are over. It opens for twice as long each time that the one who looks finds nobody either.
 * What was under way together fails together: what fails while it is open says nothing new.
 */
export function unreached(breaker: Breaker, now: number, afterMilliseconds = 0): Breaker {
  // What a message was asked to wait it waits for itself; one target serves many recipients, and may be configured anew meanwhile.
  const openUntil = Math.max(breaker.openUntil, afterMilliseconds ? now + Math.min(afterMilliseconds, longest) : 0);
  const failures = breaker.failures + 1;
  if (now < breaker.openUntil || failures < failuresToOpen) return { ...breaker, failures, openUntil };
  const wait = Math.min(shortest * 2 ** breaker.openings, longest);
  return { failures, openings: breaker.openings + 1, openUntil: Math.max(openUntil, now + wait) };
}

/** How many may be under way at once: none while it is open, then one to look, until somebody is there again. */
export function allowance({ failures, openUntil }: Breaker, now: number): number {
  if (now < openUntil) return 0;
  return failures < failuresToOpen ? Number.POSITIVE_INFINITY : 1;
}
