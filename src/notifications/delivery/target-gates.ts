import { LRUCache } from 'lru-cache';
import type { Outcome } from '../channels/channel.js';
import { channelByName, type ChannelName, channelNames, targetChannels } from '../channels/registry.js';
import { type CircuitBreaker, closedBreaker, halfOpen, permits, recordFailure } from './circuit-breaker.js';
import type { LeasedDelivery, LeaseRequest } from './lease.js';
import { targetOf, untrustedOf } from './target.js';
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
/** Hosts that anybody may run have a half, so that slow ones do not block those of operators and of push services. */
const toUntrustedShare = (concurrency: number) => concurrency / 2;

type Predicate = (delivery: LeasedDelivery) => boolean;

const both =
  (one: Predicate, other: Predicate): Predicate =>
  delivery =>
    one(delivery) && other(delivery);
const isToTarget: Predicate = ({ subscriberId }) => subscriberId === null;
const isUntrusted: Predicate = delivery => delivery.isUntrusted;
const isRetry: Predicate = ({ tries }) => tries > 1;
const isOnChannel =
  (name: ChannelName): Predicate =>
  ({ channel }) =>
    channel === name;

/** At most `max` of the deliveries in flight may be of these. */
interface Share {
  includes: Predicate;
  max: number;
}

const retries: Share = { includes: isRetry, max: retryConcurrency };
const targetRetries: Share = { includes: both(isRetry, isToTarget), max: targetRetryConcurrency };
const untrustedRetries: Share = {
  includes: both(isRetry, isUntrusted),
  max: toUntrustedShare(targetRetryConcurrency),
};
const shareOf = (channel: ChannelName): Share => ({
  includes: isOnChannel(channel),
  max: channelByName[channel].concurrency,
});
const untrustedShareOf = (channel: ChannelName): Share => ({
  includes: both(isOnChannel(channel), isUntrusted),
  max: toUntrustedShare(channelByName[channel].concurrency),
});
const sharesOf = (delivery: LeasedDelivery): Share[] =>
  [shareOf(delivery.channel), untrustedShareOf(delivery.channel), retries, targetRetries, untrustedRetries].filter(
    ({ includes }) => includes(delivery),
  );

/** The places for deliveries in flight, and who may take the free ones. */
export class Slots {
  constructor(
    private readonly inFlight: ReadonlyMap<string, LeasedDelivery>,
    private readonly gates: TargetGates,
  ) {}

  isFreeFor(delivery: LeasedDelivery): boolean {
    return (
      this.inFlight.size < maxUnrecorded &&
      sharesOf(delivery).every(share => this.countFree(share) > 0) &&
      this.countFreeFor(targetOf(delivery)) > 0
    );
  }

  /**
   * Nothing is leased for targets that pause, half-open ones being probed, and full ones; nor of a channel of which as
   * many wait for a slot as it has: they would take the place of those of other channels, as long as they are slow.
   */
  limitLease(waiting: readonly LeasedDelivery[]): Pick<LeaseRequest, 'maxRetries' | 'blocked' | 'blockedRetries'> {
    const targets = new Set([
      ...this.gates.limitedTargets(performance.now()),
      ...[...this.inFlight.values()].map(targetOf),
    ]);
    const countWaiting = ({ includes }: Share) => waiting.filter(includes).length;
    const isFull = (share: Share) => this.countFree(share) <= countWaiting(share);
    return {
      blocked: [
        ...[...targets].filter(target => this.countFreeFor(target) === 0),
        ...waiting.map(targetOf),
        ...channelNames.filter(name => countWaiting(shareOf(name)) >= shareOf(name).max),
        ...channelNames.filter(name => isFull(untrustedShareOf(name))).map(untrustedOf),
      ],
      // What was never tried goes first on its channel.
      blockedRetries: [
        ...channelNames.filter(name => countWaiting(shareOf(name))),
        ...(this.countFree(targetRetries) > 0 ? [] : targetChannels.map(({ name }) => name)),
        ...(isFull(untrustedRetries) ? targetChannels.map(({ name }) => untrustedOf(name)) : []),
      ],
      maxRetries: this.countFree(retries),
    };
  }

  private countFreeFor(target: string): number {
    const limit = target.includes(':') ? pageChannelConcurrency : maxUnrecorded;
    const permitted = Math.min(this.gates.permits(target, performance.now()), limit);
    return Math.max(permitted - this.count(other => targetOf(other) === target), 0);
  }

  private countFree({ includes, max }: Share): number {
    return max - this.count(includes);
  }

  private count(isCounted: Predicate): number {
    return [...this.inFlight.values()].filter(isCounted).length;
  }
}
