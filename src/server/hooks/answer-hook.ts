import type { Context } from 'koa';
import { badRequest, describeRefusal } from '../../core/errors.js';
import { shareResultByKey } from '../../core/share-result.js';
import { toRefusal } from '../../db/database-errors.js';
import type { ApiDependencies } from '../../graphql/context.js';
import { refusalHeaders, refusalStatus } from '../../http/status-codes.js';

/** The refusal of a request with another method, which is answered 405. */
export const notPost = badRequest('This address accepts POST only.');

/** Answers a request with a sentence for the log of its sender. Undefined: it is answered already. */
export async function answerHook(ctx: Context, receive: () => Promise<string | undefined>): Promise<void> {
  ctx.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
  try {
    const sentence = await receive();
    if (sentence !== undefined) ctx.body = `${sentence}\n`;
  } catch (error) {
    const refusal = toRefusal(error);
    if (!refusal) throw error;
    ctx.status = refusalStatus[refusal.code];
    ctx.set(refusalHeaders(refusal));
    // Amazon SNS has the password of its address sent only if it is asked for.
    if (refusal.code === 'UNAUTHENTICATED') ctx.set('WWW-Authenticate', 'Bearer, Basic realm="alerts"');
    if (ctx.method !== 'POST') {
      ctx.status = 405;
      ctx.set('Allow', 'POST');
    }
    ctx.body = `${describeRefusal(refusal)}\n`;
  }
}

/**
 * Returns a function that finds what a token of an address stands for; null: nothing. It is counted as a guess before
 * the database is asked: a token that is unknown stays counted, a failure does not. The requests of a busy sender
 * arrive at once, and are one guess.
 */
export function createTokenLookup<Found>(
  { rateLimiter, admission }: Pick<ApiDependencies, 'rateLimiter' | 'admission'>,
  find: (token: string) => Promise<Found | null>,
): (ctx: Context, token: string) => Promise<Found | null> {
  const share = shareResultByKey<Found | null>();
  return (ctx, token) =>
    share(token, async () => {
      const takeBack = await rateLimiter.throttleUnknownToken(ctx.req);
      let isUnknown = false;
      try {
        const found = await admission.run('read', () => find(token));
        isUnknown = found === null;
        return found;
      } finally {
        if (!isUnknown) await takeBack();
      }
    });
}
