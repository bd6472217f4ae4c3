import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { settings } from '../core/config.js';
import { Refusal } from '../core/errors.js';
import type { Caller } from '../auth/access.js';

const trusted = proxyAddress.compile(settings.trustedProxies);

/** The address of the caller; what X-Forwarded-For says of it counts only from proxies that are trusted. */
export const clientAddress = (request: IncomingMessage): string => proxyAddress(request, trusted);

const limiter =
  settings.rateLimit > 0
    ? new RateLimiterMemory({
        points: Math.max(1, Math.ceil(settings.rateLimit)),
        duration: Math.max(1, Math.ceil(settings.rateLimit)) / settings.rateLimit,
      })
    : undefined;

/** Counts a request against its token, or against its address without one. */
export async function throttle(request: IncomingMessage, caller: Caller): Promise<void> {
  if (!limiter) return;
  try {
    await limiter.consume(caller.kind === 'token' ? `token ${caller.key}` : `address ${clientAddress(request)}`);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    throw new Refusal(
      'THROTTLED',
      'Too many requests. Try again later.',
      undefined,
      Math.max(1, Math.ceil(error.msBeforeNext / 1000)),
    );
  }
}
