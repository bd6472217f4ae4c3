import { LRUCache } from 'lru-cache';
import type { Outcome } from '../channels/channel.js';
import { type CircuitBreaker, closedBreaker, halfOpen, permits, recordFailure } from './circuit-breaker.js';
import { Throttle } from './throttle.js';

/** How many messages each target may be sent now, by what it answered before: its circuit breaker and its throttle. */
export class TargetGates {
  private readonly breakers = new LRUCache<string, CircuitBreaker>({ max: maxTargets });
  private readonly throttles = new LRUCache<string, Throttle>({ max: maxTargets });

  /** Targets to which only a limited number of messages may be sent now. */
  limitedTargets(now: number): string[] {
    return [...new Set([...this.breakers.keys(), ...this.throttles.keys()])].filter(target =>
      Number.isFinite(this.permits(target, now)),
    );
  }

  permits(target: string, now: number): number {
    const limit = this.throttles.peek(target)?.permits(now) ?? Number.POSITIVE_INFINITY;
    return Math.min(permits(this.breakers.peek(target) ?? closedBreaker, now), limit);
  }

  /** Lets one delivery through to each of these targets whose breaker is open. */
  probe(targets: readonly string[], now: number): void {
    for (const target of targets) {
      const breaker = this.breakers.get(target);
      if (breaker) this.breakers.set(target, halfOpen(breaker, now));
    }
  }

  report(target: string, outcome: Outcome, now: number): void {
    if (outcome.kind === 'sent') this.throttle(target).recordAccepted(now);
    if (outcome.kind !== 'failed') {
      this.breakers.delete(target);
      return;
    }
    const { deferral, unreachable, afterSeconds = 0 } = outcome;
    if (deferral === 'rate') this.throttle(target).recordLimited(now, afterSeconds * 1_000);
    else if (deferral || unreachable || afterSeconds) {
      const breaker = this.breakers.get(target) ?? closedBreaker;
      const shortestOpenMs = deferral ? shortestPauseMs : undefined;
      this.breakers.set(target, recordFailure(breaker, now, afterSeconds * 1_000, shortestOpenMs));
    } else this.breakers.delete(target);
  }

  private throttle(target: string): Throttle {
    const throttle = this.throttles.get(target) ?? new Throttle();
    this.throttles.set(target, throttle);
    return throttle;
  }
}

/** Each webhook is one. What a forgotten target answered is learned again from its next answers. */
const maxTargets = 10_000;
/** What is refused for our account or configuration is rarely fixed within seconds. */
const shortestPauseMs = 30_000;
