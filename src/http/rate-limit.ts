import type { IncomingMessage, ServerResponse } from 'node:http';
import proxyAddress from 'proxy-addr';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Settings } from '../core/config.js';
import { defaultAddressLimit, defaultSourceLimit } from '../core/settings-table.js';
import { Refusal } from '../core/errors.js';
import type { Caller } from '../auth/access.js';
import { customerShare, isPrivate, toCountedNetworks, withoutPort } from './client-address.js';
import type { Logger } from '../core/logger.js';

/** The cost of a GraphQL query, in records, up to which it counts as one request. */
const costOfRequest = 2_500;

/** A query whose cost is counted. `settle` takes back what it did not cost, and returns what remains, in records. */
export interface ThrottledCost {
  settle(actual: number): Promise<number>;
}

/**
 * Limits the requests of each token, and of each address without one. Counted per process: a count that all processes
 * share would be a write to the database for each request, also for those that the limit is to keep away from it.
 */
export class RateLimiter {
  private readonly isTrustedProxy: ReturnType<typeof proxyAddress.compile>;
  private readonly tokens: RateLimiterMemory | null;
  private readonly addresses: RateLimiterMemory | null;
  private readonly customers: RateLimiterMemory | null;
  private readonly hooks: RateLimiterMemory | null;
  private readonly responses = new WeakMap<IncomingMessage, ServerResponse>();
  private refused = 0;
  private hasWarned = false;

  constructor(
    { rateLimit, trustedProxies }: Pick<Settings, 'rateLimit' | 'trustedProxies'>,
    private readonly log?: Pick<Logger, 'warn'>,
  ) {
    this.isTrustedProxy = proxyAddress.compile(trustedProxies);
    const given = rateLimit === null ? null : toLimit(rateLimit);
    this.tokens = given && createLimiter(given);
    const createDefault = (limit: typeof defaultAddressLimit, share = 1) => createLimiter(given ?? limit, share);
    this.addresses = createDefault(defaultAddressLimit);
    this.customers = createDefault(defaultAddressLimit, customerShare);
    this.hooks = createDefault(defaultSourceLimit);
  }

  get refusedRequests(): number {
    return this.refused;
  }

  /** The address of the client, empty where it has left; X-Forwarded-For counts only from trusted proxies. */
  clientAddress(request: IncomingMessage): string {
    if (!this.hasWarned && request.headers['x-forwarded-for'] !== undefined) this.warnOfProxy(request);
    // Its type leaves out the address of a socket that is closed.
    const address = proxyAddress(request, this.isTrustedProxy) as string | undefined;
    return withoutPort(address ?? '');
  }

  /** Behind a proxy that is not trusted, all clients share the limit of its address. */
  private warnOfProxy(request: IncomingMessage): void {
    const address = request.socket?.remoteAddress ?? '';
    if (!isPrivate(address) || this.isFromTrustedProxy(request)) return;
    this.hasWarned = true;
    this.log?.warn({ address }, 'X-Forwarded-For of an address that TRUSTED_PROXIES does not name is ignored');
  }

  isFromTrustedProxy({ socket }: IncomingMessage): boolean {
    return this.isTrustedProxy(socket.remoteAddress ?? '', 0);
  }

  /**
   * The response to a request says what remains of the limit that counts it (draft-ietf-httpapi-ratelimit-headers-10):
   * that of the address, until a token is known.
   */
  async report(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.responses.set(request, response);
    const { addresses } = this;
    if (!addresses || request.headers.authorization !== undefined) return;
    this.setHeaders(request, 'address', addresses, await addresses.get(this.addressKeys('address', request)[0]!));
  }

  private setHeaders(
    request: IncomingMessage | undefined,
    policy: string,
    { points, duration }: RateLimiterMemory,
    counted: RateLimiterRes | null,
  ): void {
    const response = request && this.responses.get(request);
    if (!response || response.headersSent) return;
    const seconds = Math.ceil(counted ? Math.max(0, counted.msBeforeNext) / 1000 : duration);
    response.setHeader('RateLimit-Policy', `"${policy}";q=${points};w=${Math.ceil(duration)}`);
    response.setHeader('RateLimit', `"${policy}";r=${counted?.remainingPoints ?? points};t=${seconds}`);
  }

  /** Counts a request of an API. Throws THROTTLED with the seconds to wait when the limit is reached. */
  async throttle(request: IncomingMessage, caller: Caller): Promise<void> {
    if (caller.kind === 'anonymous') return this.throttleAddress(request);
    const response = this.responses.get(request);
    for (const name of ['RateLimit-Policy', 'RateLimit']) response?.removeHeader(name);
    return this.consume(this.tokens, `${caller.kind} ${caller.key}`, { request, policy: caller.kind });
  }

  /** Counts a query of an anonymous caller, which was counted as one request, by its cost. */
  async throttleCost(request: IncomingMessage, caller: Caller, cost: number): Promise<ThrottledCost | null> {
    const { addresses } = this;
    if (caller.kind !== 'anonymous' || !addresses) return null;
    const toPoints = (records: number) =>
      Math.max(0, Math.min(Math.ceil(records / costOfRequest), addresses.points) - 1);
    const points = toPoints(cost);
    if (points > 0) await this.consumeAddress('address', request, points);
    return {
      settle: async actual => {
        const excess = points - toPoints(actual);
        if (excess > 0) await this.rewardAddress('address', request, excess);
        const result = await addresses.get(this.addressKeys('address', request)[0]!);
        this.setHeaders(request, 'address', addresses, result);
        return (result?.remainingPoints ?? addresses.points) * costOfRequest;
      },
    };
  }

  /** Counts a request with alerts or bounces by their source, after its token was found. */
  throttleHook(source: string): Promise<void> {
    return this.consume(this.hooks, source);
  }

  /** Counts a request that nobody has to identify themselves for, such as one for a page that is not rendered yet. */
  throttleAddress(request: IncomingMessage): Promise<void> {
    return this.consumeAddress('address', request);
  }

  /** Counts an unknown token by address. Returns what takes the count back: a valid token has its own. */
  async throttleUnknownToken(request: IncomingMessage): Promise<() => Promise<unknown>> {
    await this.consumeAddress('unknown-token', request);
    return () => this.rewardAddress('unknown-token', request);
  }

  /** One for each network that an address counts for: that of the client first. */
  private addressKeys(policy: AddressPolicy, request: IncomingMessage): string[] {
    return toCountedNetworks(this.clientAddress(request)).map(({ network }) => `${policy} ${network}`);
  }

  /** What the network of a client is refused does not count for that of its customer. */
  private async consumeAddress(policy: AddressPolicy, request: IncomingMessage, points = 1): Promise<void> {
    const [client, customer] = this.addressKeys(policy, request);
    await this.consume(this.addresses, client!, { request, policy, points });
    if (customer) await this.consume(this.customers, customer, { request, policy: 'network', points, isSilent: true });
  }

  private async rewardAddress(policy: AddressPolicy, request: IncomingMessage, points = 1): Promise<void> {
    const [client, customer] = this.addressKeys(policy, request);
    await this.addresses?.reward(client!, points);
    if (customer) await this.customers?.reward(customer, points);
  }

  private async consume(limiter: RateLimiterMemory | null, key: string, counted: Counted = {}): Promise<void> {
    if (!limiter) return;
    const { request, policy = '', points = 1, isSilent = false } = counted;
    try {
      const result = await limiter.consume(key, points);
      if (!isSilent) this.setHeaders(request, policy, limiter, result);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      this.setHeaders(request, policy, limiter, error);
      this.refused += 1;
      const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw new Refusal('THROTTLED', 'Too many requests. Try again later.', { retryAfter: seconds });
    }
  }
}

/** What is counted: a request, whose response names the policy, by one or more points. */
interface Counted {
  request?: IncomingMessage;
  policy?: string;
  points?: number;
  /** Whether the response names the policy only if the request is refused. */
  isSilent?: boolean;
}

/** Each is counted of its own. */
type AddressPolicy = 'address' | 'unknown-token';

const toLimit = (perSecond: number) => ({ perSecond, burst: Math.max(1, Math.ceil(perSecond)) });

/** Of so many clients together. Null where there is no limit. */
function createLimiter({ perSecond, burst }: typeof defaultAddressLimit, clients = 1): RateLimiterMemory | null {
  return perSecond > 0 ? new RateLimiterMemory({ points: clients * burst, duration: burst / perSecond }) : null;
}
