import { masked } from '../../subscribers/address.js';
import { issueCode } from '../../subscribers/phone-code.service.js';
import type { AddressedLink } from '../../subscribers/sign-up.service.js';
import { countRequest, uncountRequest, type Way } from '../../subscribers/subscription-request.service.js';
import type { Drawing } from '../server/public-route.js';
import { html, type Markup, type Value } from '../html/html.js';
import { formOf, type Problem, summaryOf, textField } from './form-fields.js';
import { codeSms, linkMail } from './confirmation-messages.js';
import { saying, sentence, sheetOf, tooOften } from './form-page.js';
import type { Desk, Visit } from './subscribe-request.js';

export interface Recipient {
  way: Way;
  address: string;
}

export interface Errand {
  to: Recipient;
  /** What is told of it, whatever becomes of it. */
  said: 'subscribe.mailSent' | 'subscribe.codeSent' | 'preferences.sent';
  /** Looks for what the link is to be good for, and for the address as it is kept; null where there is nobody to send one to. */
  find(): Promise<AddressedLink | null>;
  /** What the form for a code knows the phone by, where it is not the number that was typed. */
  ticket?: Value;
}

/**
 * Sends somebody a link or a code, within the caps, and answers. The answer is the same whoever the recipient is and whatever was sent: it says nothing of who is
 * subscribed.
 */
export async function answerBySending(visit: Visit, desk: Desk, { to, said, find, ticket }: Errand): Promise<Drawing> {
  const { database, key, sender, outbox } = desk;
  const { canvas } = visit;
  const pageId = canvas.view.page.id;
  const verdict = await countRequest(database, key, {
    pageId,
    way: to.way,
    recipient: to.address.toLowerCase(),
    caller: visit.caller,
  });
  if ('secondsToWait' in verdict) return tooOften(visit, verdict.secondsToWait);
  const found = await find();
  // Nobody is locked out for a day by others who ask in their name for what is never sent.
  if (!found && verdict.send)
    outbox.post(
      () => uncountRequest(database, verdict.id),
      async () => {},
    );
  if (found && verdict.send) {
    const { address, link } = found;
    const code = to.way === 'sms' ? await issueCode(database, key, pageId, address) : '';
    const send = () =>
      to.way === 'sms'
        ? sender.sendSms(codeSms(canvas, address, code))
        : sender.sendMail(linkMail(canvas, key, address, link));
    const failed = async (error: unknown) => {
      if (to.way === 'email' || error === null || isUnreached(error)) await uncountRequest(database, verdict.id);
    };
    // A code is over before it would be worth another try, and each may cost.
    outbox.post(send, failed, to.way === 'email' ? [60, 300, 900] : []);
  }
  const { texts } = canvas;
  const sentences = sentence(texts.t(said, { address: masked(to.address) }));
  if (to.way === 'sms')
    return codeForm(visit, sentences, ticket ?? html`<input type="hidden" name="phone" value="${to.address}">`);
  return saying(visit, texts.t('subscribe.checkMail'), [
    sentences,
    html`<p class="hint">${texts.t('subscribe.notThere')}</p>`,
  ]);
}

/** What fails before anything is said to a gateway. After that it may have sent the code, whatever it answers or keeps to itself, and codes cost money. */
const unreached: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const isUnreached = (error: unknown) => unreached.has((error as { code?: unknown }).code);

/** `known` tells whose code it is: the number that was typed, or a signed link. */
export function codeForm(visit: Visit, said: Markup | null, known: Value, problems: readonly Problem[] = []): Drawing {
  const { canvas } = visit;
  const { texts, to } = canvas;
  const code = textField(
    canvas,
    {
      name: 'code',
      type: 'text',
      label: texts.t('subscribe.code'),
      more: html` autocomplete="one-time-code" inputmode="numeric" maxlength="20"`,
    },
    problems,
  );
  return sheetOf(visit, {
    title: texts.t('subscribe.checkPhone'),
    main: html`
      ${summaryOf(canvas, problems)}
      ${said}
      ${formOf(to('confirm'), [known, code], texts.t('subscribe.confirm'))}`,
    status: problems.length ? 422 : 200,
  });
}
