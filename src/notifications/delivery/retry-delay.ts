import type { Outcome } from '../channels/channel.js';
import { channelByName } from '../channels/registry.js';
import { computeDeferralDelay, computeRetryDelay, computeScheduledDelay } from './backoff.js';
import type { LeasedDelivery } from './lease.js';

/** Seconds until the next attempt of a delivery, by its channel and the outcome; null when there is none. */
export function computeDelay(
  { channel: name, tries, ageSeconds }: LeasedDelivery,
  { deferral, afterSeconds: retryAfterSeconds }: Extract<Outcome, { kind: 'failed' }>,
  retryHours: number,
): number | null {
  const channel = channelByName[name];
  const delays = 'retryDelays' in channel ? channel.retryDelays : undefined;
  const attempt = { tries, ageSeconds, retryAfterSeconds };
  const untilHours = delays ? delays.reduce((sum, delay) => sum + delay, 0) / 3_600 : retryHours;
  if (deferral) return computeDeferralDelay(attempt, deferral, untilHours, Math.random());
  return delays
    ? computeScheduledDelay(attempt, delays, Math.random())
    : computeRetryDelay(attempt, retryHours, Math.random());
}
