import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Settings } from '../core/config.js';
import { Refusal } from '../core/errors.js';
import type { Caller } from '../auth/access.js';

/** Limits the requests of each token, and of each address without one. Counted per process. */
export class RateLimiter {
  private readonly isTrustedProxy: ReturnType<typeof proxyAddress.compile>;
  private readonly limiter: RateLimiterMemory | null;

  constructor({ rateLimit, trustedProxies }: Pick<Settings, 'rateLimit' | 'trustedProxies'>) {
    this.isTrustedProxy = proxyAddress.compile(trustedProxies);
    const points = Math.max(1, Math.ceil(rateLimit));
    this.limiter = rateLimit > 0 ? new RateLimiterMemory({ points, duration: points / rateLimit }) : null;
  }

  /** The address of the client; X-Forwarded-For counts only from trusted proxies. */
  clientAddress(request: IncomingMessage): string {
    return proxyAddress(request, this.isTrustedProxy);
  }

  /** Counts a request. Throws THROTTLED with the seconds to wait when the limit is reached. */
  async throttle(request: IncomingMessage, caller: Caller): Promise<void> {
    const key = caller.kind === 'token' ? `token ${caller.key}` : `address ${this.clientAddress(request)}`;
    try {
      await this.limiter?.consume(key);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw new Refusal('THROTTLED', 'Too many requests. Try again later.', undefined, seconds);
    }
  }
}
