import type { Deferral } from '../channels/channel.js';

/** The longest delay after the first, second, ... attempt, in seconds. */
const longestDelays = [30, 2 * 60, 10 * 60, 30 * 60, 2 * 3_600];
const longestDelayAfterThose = 6 * 3_600;

interface FailedAttempt {
  /** How often the delivery was tried, this attempt included. */
  tries: number;
  /** Since the delivery was queued. */
  ageSeconds: number;
  /** The Retry-After of the response, if any. */
  retryAfterSeconds?: number;
}

/**
 * Seconds until the next attempt, or null when the delivery is older than `untilHours` by then. Full jitter: anywhere
 * between 0 and the longest delay, so that deliveries that failed together do not come back together. A Retry-After is
 * a minimum, with the jitter on top. `random` is between 0 and 1.
 */
export function computeRetryDelay(
  { tries, ageSeconds, retryAfterSeconds = 0 }: FailedAttempt,
  untilHours: number,
  random: number,
): number | null {
  const longest = longestDelays[tries - 1] ?? longestDelayAfterThose;
  const delay =
    retryAfterSeconds > 0 ? retryAfterSeconds + random * Math.min(longest, retryAfterSeconds / 10) : random * longest;
  return ageSeconds + delay > untilHours * 3_600 ? null : delay;
}

/** Seconds until a server that accepts nothing for our account or configuration is tried again: a part of the age. */
const deferralSeconds = { shortest: 10 * 60, longest: 3_600, rate: 30 };

/**
 * The same for an attempt that does not count. What is refused for a quota ends with the hour or the day, and what is
 * sent too fast in a minute; the channel pauses meanwhile, so that few of those that wait are tried.
 */
export function computeDeferralDelay(
  { ageSeconds, retryAfterSeconds = 0 }: Omit<FailedAttempt, 'tries'>,
  deferral: Deferral,
  untilHours: number,
  random: number,
): number | null {
  const { shortest, longest, rate } = deferralSeconds;
  const least = deferral === 'rate' ? rate : Math.min(Math.max(ageSeconds / 2, shortest), longest);
  const delay =
    retryAfterSeconds > 0
      ? retryAfterSeconds * (1 + random / 10)
      : least + random * (deferral === 'rate' ? rate : least / 10);
  return ageSeconds + delay > untilHours * 3_600 ? null : delay;
}

/**
 * The same for a channel with a schedule: null after its last delay. The jitter is a tenth at most, on top.
 */
export function computeScheduledDelay(
  { tries, retryAfterSeconds = 0 }: FailedAttempt,
  delays: readonly number[],
  random: number,
): number | null {
  const delay = delays[tries - 1];
  return delay === undefined ? null : Math.max(delay, retryAfterSeconds) * (1 + random / 10);
}
