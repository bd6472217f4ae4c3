import {
  composeCodeSms,
  composeConfirmationMail,
  composePreferencesMail,
} from '../../notifications/messages/visitor-messages.js';
import { issuePhoneCode } from '../../subscribers/phone-code.service.js';
import type { AddressedLink } from '../../subscribers/sign-up.service.js';
import { countRequest, uncountRequest, type ContactMethod } from '../../subscribers/subscription-request.service.js';
import type { RenderedResponse } from '../routing/public-route.js';
import { html, type Markup } from '../html/html.js';
import { renderForm, type FieldError, renderErrorSummary, renderTextField } from './form-fields.js';
import { createLinkUrl } from './link-url.js';
import { toVisitorRequest } from './visitor-request.js';
import { renderMessagePage, paragraph, renderFormPage, renderTooManyRequests } from './form-page.js';
import type { SubscribeDependencies, SubscribeRequest } from './subscribe-request.js';

export interface Recipient {
  contactMethod: ContactMethod;
  address: string;
}

export interface Confirmation {
  recipient: Recipient;
  /** The text that the visitor gets, whatever the outcome. */
  messageKey: 'subscribe.mailSent' | 'subscribe.codeSent' | 'preferences.sent';
  /** Finds the link to send and the stored form of the address; null when there is no recipient. */
  findLink(): Promise<AddressedLink | null>;
}

/** The caps of callers are hourly. */
const secondsToWait = 3_600;

/** Sends a link or a code within the rate caps. The response is always the same, so as not to reveal subscribers. */
export async function sendConfirmation(
  request: SubscribeRequest,
  deps: SubscribeDependencies,
  { recipient, messageKey, findLink }: Confirmation,
): Promise<RenderedResponse> {
  const { database, signingKey, sender, backgroundSender, refusedRequests, smsCodesPerDay } = deps;
  const { context } = request;
  const pageId = context.view.page.id;
  const counted = {
    pageId,
    method: recipient.contactMethod,
    recipient: recipient.address.toLowerCase(),
    caller: request.clientNetwork,
    smsCodesPerDay,
  };
  if (refusedRequests.has(counted)) return renderTooManyRequests(request, secondsToWait);
  const verdict = await countRequest(database, signingKey, counted);
  if ('exceeded' in verdict) {
    refusedRequests.add(counted, verdict.exceeded);
    return renderTooManyRequests(request, secondsToWait);
  }
  const recipientLink = await findLink();
  // Requests that send nothing do not count: else anyone could lock out an address for a day by using it in the form.
  if (!recipientLink && verdict.send)
    backgroundSender.enqueue(
      () => uncountRequest(database, verdict.id),
      async () => {},
    );
  if (recipientLink && verdict.send) {
    const { address, link } = recipientLink;
    const code = recipient.contactMethod === 'sms' ? await issuePhoneCode(database, signingKey, pageId, address) : '';
    const visitor = toVisitorRequest(context, address);
    const composeMail = link.purpose === 'confirm' ? composeConfirmationMail : composePreferencesMail;
    const send = () =>
      recipient.contactMethod === 'sms'
        ? sender.sendSms(composeCodeSms(visitor, code))
        : sender.sendMail(composeMail(visitor, createLinkUrl(context, deps.linkKey, link)));
    const onFailure = async (error: unknown) => {
      if (recipient.contactMethod === 'email' || error === null || isConnectionError(error))
        await uncountRequest(database, verdict.id);
    };
    // No retries for codes: a code expires before a retry is useful, and each text message may cost.
    backgroundSender.enqueue(send, onFailure, recipient.contactMethod === 'email' ? [60, 300, 900] : []);
  }
  const { translator } = context;
  // In full, so that visitors notice a typing error: they have just sent it.
  const message = paragraph(translator.t(messageKey, { address: recipient.address }));
  if (recipient.contactMethod === 'sms') return renderCodeForm(request, message, recipient.address);
  return renderMessagePage(request, translator.t('subscribe.checkMail'), [
    message,
    html`<p class="hint">${translator.t('subscribe.notThere')}</p>`,
  ]);
}

/** Failures before the request reached the gateway. After any other the code may have been sent: it stays counted. */
const connectionErrorCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const isConnectionError = (error: unknown) => connectionErrorCodes.has((error as { code?: unknown }).code);

export function renderCodeForm(
  request: SubscribeRequest,
  message: Markup | null,
  phone: string,
  errors: readonly FieldError[] = [],
): RenderedResponse {
  const { context } = request;
  const { translator, urlFor } = context;
  const codeField = renderTextField(
    context,
    {
      name: 'code',
      type: 'text',
      label: translator.t('subscribe.code'),
      attributes: html` autocomplete="one-time-code" inputmode="numeric" maxlength="20"`,
    },
    errors,
  );
  return renderFormPage(request, {
    title: translator.t('subscribe.checkPhone'),
    main: html`
      ${renderErrorSummary(context, errors)}
      ${message}
      ${renderForm(
        urlFor('confirm'),
        [html`<input type="hidden" name="phone" value="${phone}">`, codeField],
        translator.t('subscribe.confirm'),
      )}`,
    status: errors.length ? 422 : 200,
  });
}
