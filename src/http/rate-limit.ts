import type { IncomingMessage } from 'node:http';
import proxyAddress from 'proxy-addr';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Settings } from '../core/config.js';
import { Refusal } from '../core/errors.js';
import type { Caller } from '../auth/access.js';
import { toClientNetwork } from './client-address.js';

/**
 * Limits the requests of each token, and of each address without one. Counted per process: a count that all processes
 * share would be a write to the database for each request, also for those that the limit is to keep away from it.
 */
export class RateLimiter {
  private readonly isTrustedProxy: ReturnType<typeof proxyAddress.compile>;
  private readonly limiter: RateLimiterMemory | null;
  private refused = 0;

  constructor({ rateLimit, trustedProxies }: Pick<Settings, 'rateLimit' | 'trustedProxies'>) {
    this.isTrustedProxy = proxyAddress.compile(trustedProxies);
    const points = Math.max(1, Math.ceil(rateLimit));
    this.limiter = rateLimit > 0 ? new RateLimiterMemory({ points, duration: points / rateLimit }) : null;
  }

  get refusedRequests(): number {
    return this.refused;
  }

  /** The address of the client; X-Forwarded-For counts only from trusted proxies. */
  clientAddress(request: IncomingMessage): string {
    return proxyAddress(request, this.isTrustedProxy);
  }

  isFromTrustedProxy({ socket }: IncomingMessage): boolean {
    return this.isTrustedProxy(socket.remoteAddress ?? '', 0);
  }

  /** Counts a request of an API. Throws THROTTLED with the seconds to wait when the limit is reached. */
  throttle(request: IncomingMessage, caller: Caller): Promise<void> {
    return caller.kind === 'token' ? this.consume(`token ${caller.key}`) : this.throttleAddress(request);
  }

  /** Counts a request that nobody has to identify themselves for, such as one for a page that is not rendered yet. */
  throttleAddress(request: IncomingMessage): Promise<void> {
    return this.consume(`address ${this.clientNetwork(request)}`);
  }

  /**
   * Counts a token that has to be looked up, before that is done, by address. Returns what takes it back: a valid token
   * has a count of its own.
   */
  async throttleUnknownToken(request: IncomingMessage): Promise<() => Promise<unknown>> {
    const key = `unknown token ${this.clientNetwork(request)}`;
    await this.consume(key);
    return async () => this.limiter?.reward(key);
  }

  private clientNetwork(request: IncomingMessage): string {
    return toClientNetwork(this.clientAddress(request));
  }

  private async consume(key: string): Promise<void> {
    try {
      await this.limiter?.consume(key);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      this.refused += 1;
      const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw new Refusal('THROTTLED', 'Too many requests. Try again later.', undefined, seconds);
    }
  }
}
