import type { Context, Middleware } from 'koa';
import { findMovedAddress, findSource, receiveAlerts, type Receipt } from '../alerts/receive.service.js';
import { badRequest, describeRefusal, Refusal } from '../core/errors.js';
import { toRefusal } from '../db/database-errors.js';
import { createInputFormat } from '../notices/drafts/input-format.js';
import type { ApiDependencies } from '../graphql/context.js';
import { createBodyReader, decodeUtf8 } from '../http/body.js';
import { shareResultByKey } from '../core/share-result.js';
import { refusalHeaders, refusalStatus } from '../http/status-codes.js';
import { schema } from '../schema.js';

const maximumBytes = 512 * 1024;
const pathPattern = /^\/hooks\/([\w-]{1,100})\/?$/;

interface Found {
  source: Awaited<ReturnType<typeof findSource>>;
  movedTo: string | null;
}

/** `POST /hooks/<token>`: takes the alerts of other systems. Each answer is a sentence for the log of the sender. */
export function createHooksMiddleware(api: ApiDependencies): Middleware {
  const { database, settings, rateLimiter, admission } = api;
  const receiver = { database, settings, draftFormat: createInputFormat(schema) };
  const readBody = createBodyReader(['json', '+json', 'text/plain'], maximumBytes);

  /** By token: the requests of a busy source arrive at once, and are one guess. */
  const shareLookup = shareResultByKey<Found>();

  /** Counted as a guess before the database is asked: an address that is unknown stays counted, a failure does not. */
  async function lookUp(ctx: Context, token: string): Promise<Found> {
    const takeBack = await rateLimiter.throttleUnknownToken(ctx.req);
    let isUnknown = false;
    try {
      const source = await admission.run('read', () => findSource(database, token));
      const movedTo = source ? null : await findMovedAddress(database, token);
      isUnknown = !source && !movedTo;
      return { source, movedTo };
    } finally {
      if (!isUnknown) await takeBack();
    }
  }

  /** Undefined: it was redirected to the installation that has the page now. */
  async function receive(ctx: Context, token: string): Promise<Receipt | undefined> {
    const { source, movedTo } = await shareLookup(token, () => lookUp(ctx, token));
    if (movedTo) return redirect(ctx, movedTo);
    if (!source)
      throw new Refusal('NOT_FOUND', 'No source of alerts has this address. It was deleted, or has another address.');
    await rateLimiter.throttleAlertSource(source.id);
    const body = await readBody(ctx);
    if (!body.length) throw badRequest('The body must be JSON, sent as application/json.');
    const text = decodeUtf8(body);
    return admission.run('write', () => receiveAlerts(receiver, source, { headers: ctx.req.headers, body }, text));
  }

  return async (ctx, next) => {
    const [, token] = pathPattern.exec(ctx.path) ?? [];
    if (!token) return next();
    ctx.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    if (ctx.method !== 'POST') {
      ctx.status = 405;
      ctx.set('Allow', 'POST');
      ctx.body = 'This address accepts POST only.\n';
      return;
    }
    try {
      const receipt = await receive(ctx, token);
      if (receipt) ctx.body = `${describeReceipt(receipt)}\n`;
    } catch (error) {
      const refusal = error instanceof Refusal ? error : toRefusal(error);
      if (!refusal) throw error;
      ctx.status = refusalStatus[refusal.code];
      ctx.set(refusalHeaders(refusal));
      ctx.body = `${describeRefusal(refusal)}\n`;
    }
  };
}

/** With the same method and body. */
function redirect(ctx: Context, address: string): undefined {
  ctx.status = 308;
  ctx.set('Location', address);
  ctx.body = `The page has moved: send to ${address}\n`;
}

function describeReceipt({ alerts, ignored, drafts, published, isTest }: Receipt): string {
  if (isTest) return 'A test: nothing was made of it.';
  const counts = { ignored, drafts, published };
  const details = Object.entries(counts).flatMap(([name, count]) => (count ? [`${name}: ${count}`] : []));
  return [`alerts: ${alerts}`, ...details].join(', ');
}
