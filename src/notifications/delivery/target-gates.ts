import { LRUCache } from 'lru-cache';
import type { Outcome } from '../channels/channel.js';
import { channelByName, channelNames, targetChannels } from '../channels/registry.js';
import { type CircuitBreaker, closedBreaker, halfOpen, permits, recordFailure } from './circuit-breaker.js';
import type { LeasedDelivery } from './lease.js';
import type { LeaseRequest } from './lease-deliveries.js';
import { targetOf } from './target.js';
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

/**
 * Deliveries sent and not yet recorded: what is sent twice when the worker is killed. The bounds, the greater share
 * first: `maxUnrecorded` of a worker, of these `concurrency` on a channel, `retryConcurrency` of those that were tried
 * before, and `pageChannelConcurrency` to a channel of one page. At most `maxLeasedAhead` more are leased (worker.ts).
 * E-mails wait for one of `maxConnections` to the mail server (smtp-pool.ts).
 */
export const maxUnrecorded = 32;

/** The share of one page's channel in those, so that its slow server does not block other pages. */
const pageChannelConcurrency = 2;
/** The share of retries, so that a dead server does not block deliveries that were never tried. */
const retryConcurrency = 8;
/** The share of retries to URLs, which visitors choose as well, so that their servers do not block those of e-mails. */
const targetRetryConcurrency = 4;

const isToTarget = ({ subscriberId }: LeasedDelivery): boolean => subscriberId === null;
const isRetry = ({ tries }: LeasedDelivery): boolean => tries > 1;
const isOnChannel =
  (name: LeasedDelivery['channel']) =>
  ({ channel }: LeasedDelivery): boolean =>
    channel === name;

/** The places for deliveries in flight, and who may take the free ones. */
export class Slots {
  constructor(
    private readonly inFlight: ReadonlyMap<string, LeasedDelivery>,
    private readonly gates: TargetGates,
  ) {}

  isFreeFor(delivery: LeasedDelivery): boolean {
    const { channel } = delivery;
    if (this.inFlight.size >= maxUnrecorded) return false;
    if (isRetry(delivery) && (this.freeForRetries <= 0 || (isToTarget(delivery) && this.freeForTargetRetries <= 0)))
      return false;
    return (
      this.count(isOnChannel(channel)) < channelByName[channel].concurrency && this.countFor(targetOf(delivery)) > 0
    );
  }

  /**
   * Nothing is leased for targets that pause, half-open ones being probed, and full ones; nor of a channel of which as
   * many wait for a slot as it has: they would take the place of those of other channels, as long as they are slow.
   */
  limitLease(
    waiting: readonly LeasedDelivery[],
  ): Pick<LeaseRequest, 'maxRetries' | 'blockedTargets' | 'blockedRetries'> {
    const targets = new Set([
      ...this.gates.limitedTargets(performance.now()),
      ...[...this.inFlight.values()].map(targetOf),
    ]);
    const countWaiting = (name: LeasedDelivery['channel']) => waiting.filter(isOnChannel(name)).length;
    const isFull = (name: LeasedDelivery['channel']) => countWaiting(name) >= channelByName[name].concurrency;
    return {
      blockedTargets: [
        ...[...targets].filter(target => this.countFor(target) === 0),
        ...waiting.map(targetOf),
        ...channelNames.filter(isFull),
      ],
      // What was never tried goes first on its channel.
      blockedRetries: [
        ...channelNames.filter(countWaiting),
        ...(this.freeForTargetRetries > 0 ? [] : targetChannels.map(({ name }) => name)),
      ],
      maxRetries: this.freeForRetries,
    };
  }

  private get freeForRetries(): number {
    return retryConcurrency - this.count(isRetry);
  }

  private get freeForTargetRetries(): number {
    return targetRetryConcurrency - this.count(delivery => isRetry(delivery) && isToTarget(delivery));
  }

  private countFor(target: string): number {
    const limit = target.includes(':') ? pageChannelConcurrency : maxUnrecorded;
    const permitted = Math.min(this.gates.permits(target, performance.now()), limit);
    return Math.max(permitted - this.count(other => targetOf(other) === target), 0);
  }

  private count(isCounted: (delivery: LeasedDelivery) => boolean): number {
    return [...this.inFlight.values()].filter(isCounted).length;
  }
}
