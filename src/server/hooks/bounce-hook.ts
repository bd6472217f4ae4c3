import type { Context, Middleware } from 'koa';
import { confirmSubscription } from '../../alerts/confirm-subscription.js';
import { isObject } from '../../alerts/formats/format.js';
import { findSnsType, readSubscribeUrl, unwrapSnsMessage } from '../../alerts/formats/sns.js';
import { badRequest, Refusal } from '../../core/errors.js';
import { createBodyReader, decodeUtf8, parseJson } from '../../http/body.js';
import type { ApiDependencies } from '../../graphql/context.js';
import { bounceHookPath, isBounceToken } from '../../notifications/bounces/bounce-hook.service.js';
import type { MailedUnsubscription, MailEvent } from '../../notifications/bounces/mail-event.js';
import { maxEvents, providerLabels, readMailEvents } from '../../notifications/bounces/providers.js';
import { describeReceipt, recordMailEvents } from '../../notifications/bounces/record-mail-events.js';
import { readReportMail } from '../../notifications/bounces/report-mail.js';
import { answerHook, createTokenLookup, notPost } from './answer-hook.js';

/** Of all reports of bounces: they wait for each other. */
const sender = { key: 'bounces' };
const maxBytes = 1024 * 1024;
/** SendGrid sends 15 of an event. */
const maxValues = 100_000;
const mailType = 'message/rfc822';
const pathPattern = new RegExp(`^${bounceHookPath}([\\w-]{1,100})/?$`);

/** `POST /hooks/bounces/<token>`: takes what providers and mail servers report of mails that they had accepted. */
export function createBounceHookMiddleware(api: ApiDependencies): Middleware {
  const { database, settings, rateLimiter, admission } = api;
  const readBody = createBodyReader(['json', '+json', 'text/plain', mailType], maxBytes);
  const lookUp = createTokenLookup(api, async token => (await isBounceToken(database, token)) || null);

  async function receive(ctx: Context, token: string): Promise<string> {
    if (!(await lookUp(ctx, token)))
      throw new Refusal(
        'NOT_FOUND',
        'Bounces are not read at this address. `allclear bounce address` prints a new one.',
      );
    await rateLimiter.throttleHook('bounces');
    if (ctx.method !== 'POST') throw notPost;
    const body = await readBody(ctx);
    await admission.beginParsing(body.length, sender);
    if (!body.length) throw badRequest(`The body must be JSON, or a mail as ${mailType}.`);
    const events = ctx.is(mailType) ? await readReportMail(body) : await readJson(decodeUtf8(body));
    if (typeof events === 'string') return events;
    if (events.length > maxEvents)
      throw new Refusal('PAYLOAD_TOO_LARGE', `At most ${maxEvents.toLocaleString('en')} events may come at once.`);
    const admit = <Result>(write: () => Promise<Result>) => admission.run('write', write, sender);
    return describeReceipt(await recordMailEvents(database, events, admit));
  }

  /** A sentence where it is about a subscription of SNS. */
  async function readJson(text: string): Promise<readonly (MailEvent | MailedUnsubscription)[] | string> {
    const body = parseJson(text, { maxValues, invalid: 'The body is not JSON.' });
    const type = isObject(body) ? findSnsType(body) : undefined;
    if (!isObject(body) || !type) return readEvents(body);
    if (type === 'SubscriptionConfirmation') {
      await confirmSubscription(readSubscribeUrl(body), { allowPrivate: false, proxies: settings });
      return 'The subscription is confirmed.';
    }
    const content = unwrapSnsMessage(body);
    // It has a text, such as that SES has verified the topic.
    return content === body ? [] : readEvents(content);
  }

  return async (ctx, next) => {
    const [, token] = pathPattern.exec(ctx.path) ?? [];
    return token ? answerHook(ctx, () => receive(ctx, token)) : next();
  };
}

function readEvents(body: unknown): readonly MailEvent[] {
  const events = readMailEvents(body);
  if (events) return events;
  throw new Refusal('INVALID', `The body has none of the known formats of events: ${providerLabels}.`);
}
