import type { Context, Middleware } from 'koa';
import { confirmSubscription } from '../../alerts/confirm-subscription.js';
import {
  findMovedAddress,
  findSource,
  receiveAlerts,
  type Receipt,
  type ReceivingSource,
  storeRefused,
} from '../../alerts/receive.service.js';
import type { Sender } from '../../auth/access.js';
import { badRequest, Refusal } from '../../core/errors.js';
import { createInputFormat } from '../../notices/drafts/input-format.js';
import type { ApiDependencies } from '../../graphql/context.js';
import { createBodyReader, decodeUtf8 } from '../../http/body.js';
import type { SsrfGuard } from '../../http/guarded-request.js';
import { answerHook, createTokenLookup, notPost } from './answer-hook.js';
import { schema } from '../../schema.js';

const maxBytes = 512 * 1024;
const pathPattern = /^\/hooks\/([\w-]{1,100})\/?$/;

const toSender = ({ id, pageId }: ReceivingSource): Sender => ({ key: `alert source ${id}`, pageId });

const notJson = badRequest('The body must be JSON, sent as application/json.');

/** `POST /hooks/<token>`: takes the alerts of other systems. Each answer is a sentence for the log of the sender. */
export function createHooksMiddleware(api: ApiDependencies): Middleware {
  const { database, settings, rateLimiter, admission } = api;
  const guard: SsrfGuard = { allowPrivate: settings.allowPrivateTargets, proxies: settings };
  const admitFor =
    (source: ReceivingSource) =>
    <Result>(write: () => Promise<Result>) =>
      admission.run('write', write, toSender(source));
  const receiver = {
    database,
    settings,
    draftFormat: createInputFormat(schema),
    confirmSubscription: (url: string) => confirmSubscription(url, guard),
  };
  const readBody = createBodyReader('any', maxBytes);

  const lookUp = createTokenLookup(api, async token => {
    const source = await findSource(database, token);
    const movedTo = source ? null : await findMovedAddress(database, token);
    return source || movedTo ? { source, movedTo } : null;
  });

  /** Undefined: it was redirected to the installation that has the page now. */
  async function receive(ctx: Context, token: string): Promise<Receipt | undefined> {
    const { source, movedTo } = (await lookUp(ctx, token)) ?? {};
    if (movedTo) return redirect(ctx, movedTo);
    if (!source)
      throw new Refusal('NOT_FOUND', 'No source of alerts has this address. It was deleted, or has another address.');
    await rateLimiter.throttleHook(`alert source ${source.id}`);
    if (ctx.method !== 'POST') return refuse(source, notPost, `${ctx.method} ${ctx.search}`);
    const body = await readBody(ctx);
    await admission.beginParsing(body.length, toSender(source));
    // Senders that let their users write JSON may call it a form, or name no type.
    const mayBeJson = ctx.is(['json', '+json', 'text/plain']) || /^\s*[[{]/.test(body.toString('latin1', 0, 100));
    if (!body.length || !mayBeJson) return refuse(source, notJson, body.toString('utf8'));
    return receiveAlerts(
      { ...receiver, admit: admitFor(source) },
      source,
      { headers: ctx.req.headers, body },
      decodeUtf8(body),
    );
  }

  /** Operators look for what their sender has sent among the requests that were received. */
  async function refuse(source: ReceivingSource, refusal: Refusal, text: string): Promise<never> {
    await admitFor(source)(() => storeRefused(database, source, refusal, text));
    throw refusal;
  }

  return async (ctx, next) => {
    const [, token] = pathPattern.exec(ctx.path) ?? [];
    if (!token) return next();
    await answerHook(ctx, async () => {
      const receipt = await receive(ctx, token);
      return receipt && describeReceipt(receipt);
    });
  };
}

/** With the same method and body. */
function redirect(ctx: Context, address: string): undefined {
  ctx.status = 308;
  ctx.set('Location', address);
  ctx.body = `The page has moved: send to ${address}\n`;
}

function describeReceipt({ alerts, ignored, drafts, published, note }: Receipt): string {
  if (note) return note;
  const counts = { ignored, drafts, published };
  const details = Object.entries(counts).flatMap(([name, count]) => (count ? [`${name}: ${count}`] : []));
  return [`alerts: ${alerts}`, ...details].join(', ');
}
