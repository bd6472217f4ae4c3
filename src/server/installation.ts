import type { Middleware } from 'koa';
import { cacheSigningKey } from '../auth/signing-key.service.js';
import { keyedHash } from '../core/keyed-hash.js';
import type { Database } from '../db/database.js';
import { toRefusal } from '../db/database-errors.js';
import { parseHost } from '../http/host-header.js';
import type { RateLimiter } from '../http/rate-limit.js';

export const installationPath = '/healthz/installation';

/** What a request shows of the way on which it came. */
export interface Installation {
  /** Shows that the service uses the same database as the caller, who computes the same value. */
  proof: string;
  /** The host of the request. */
  host: string;
  forwardedFor: Forwarded;
  forwardedHost: Forwarded;
}

/** Whether a header of the proxy was there, and came from a trusted one. */
type Forwarded = 'absent' | 'ignored' | 'used';

export const signChallenge = (key: Buffer, challenge: string): string => keyedHash(key, 'installation', challenge);

/** Answers `allclear doctor`, which asks at PUBLIC_URL whether it leads to this installation. */
export function createInstallationRoute(
  database: Pick<Database, 'query'>,
  rateLimiter: Pick<RateLimiter, 'isFromTrustedProxy'>,
): Middleware {
  const loadKey = cacheSigningKey(database);
  return async ctx => {
    const { challenge } = ctx.query;
    ctx.set('Cache-Control', 'no-store');
    if (typeof challenge !== 'string' || !/^[\w-]{16,64}$/.test(challenge)) return ctx.throw(400);
    const key = await loadKey().catch(error => {
      if (!toRefusal(error)) throw error;
      return null;
    });
    if (!key) return ctx.throw(503);
    const isTrusted = rateLimiter.isFromTrustedProxy(ctx.req);
    const readForwarded = (header: string): Forwarded =>
      ctx.headers[header] === undefined ? 'absent' : isTrusted ? 'used' : 'ignored';
    ctx.body = {
      proof: signChallenge(key, challenge),
      host: parseHost(ctx.headers.host)!,
      forwardedFor: readForwarded('x-forwarded-for'),
      forwardedHost: readForwarded('x-forwarded-host'),
    } satisfies Installation;
  };
}
