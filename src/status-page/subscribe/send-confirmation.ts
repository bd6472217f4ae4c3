import {
  composeCodeSms,
  composeConfirmationMail,
  composePreferencesMail,
  type VisitorRequest,
} from '../../notifications/messages/visitor-messages.js';
import type { Database } from '../../db/database.js';
import type { ChatFormat } from '../../notifications/channels/webhook-formats.js';
import type { ConfirmationSender } from '../../subscribers/confirmation-sender.js';
import { issuePhoneCode } from '../../subscribers/phone-code.service.js';
import type { AddressedLink } from '../../subscribers/sign-up.service.js';
import { uncountRequest, type ContactMethod } from '../../subscribers/subscription-request.service.js';
import type { RenderedResponse } from '../routing/public-route.js';
import { ignoreFailure } from './background-sender.js';
import { countSubscribeRequest } from './count-request.js';
import { html, type Markup } from '../html/html.js';
import { renderForm, type FieldError, renderCodeField, renderHiddenField } from './form-fields.js';
import { bindToAddress } from '../../subscribers/signed-link.js';
import { createLinkUrl } from './link-url.js';
import { webhookMethods } from './webhook-methods.js';
import { toVisitorRequest } from './visitor-request.js';
import { renderMessagePage, paragraph, renderFormPage, renderTooManyRequests } from './form-page.js';
import type { SubscribeDependencies, SubscribeRequest } from './subscribe-request.js';

type Recipient =
  | { contactMethod: ContactMethod; address: string }
  /** The incoming webhook of a chat. */
  | { contactMethod: 'webhook'; address: string; format: ChatFormat };

interface Confirmation {
  recipient: Recipient;
  /** The text that the visitor gets, whatever the outcome. */
  messageKey: 'subscribe.mailSent' | 'subscribe.codeSent' | 'subscribe.linkPosted' | 'preferences.sent';
  /** Finds the link to send and the stored form of the address; null when there is no recipient. */
  findLink(): Promise<AddressedLink | null>;
}

/** Sends a link or a code within the rate caps. The response is always the same, so as not to reveal subscribers. */
export async function sendConfirmation(
  request: SubscribeRequest,
  deps: SubscribeDependencies,
  { recipient, messageKey, findLink }: Confirmation,
): Promise<RenderedResponse> {
  const { database, backgroundSender } = deps;
  const { context } = request;
  const { contactMethod: method, address } = recipient;
  const normalize = (given: string) => (method === 'webhook' ? given : given.toLowerCase());
  const count = (given: string) => countSubscribeRequest(request, deps, { method, recipient: normalize(given) });
  const verdict = await count(address);
  if (!verdict) return renderTooManyRequests(request);
  const recipientLink = await findLink();
  // The contact of a program that is active gets the mail in place of the one in the form.
  const isOther = recipientLink !== null && normalize(recipientLink.address) !== normalize(address);
  const counted = isOther ? await count(recipientLink.address) : verdict;
  // Requests that send nothing do not count: else anyone could lock out an address for a day by using it in the form.
  if ((!recipientLink || isOther) && verdict.send)
    backgroundSender.enqueue(uncountRequest.bind(null, database, verdict.id), ignoreFailure);
  if (recipientLink && counted?.send) {
    const send = await composeMessage(request, deps, recipient, recipientLink);
    const onFailure = uncountFailed.bind(null, database, counted.id, method);
    // No retries for codes: a code expires before a retry is useful, and each text message may cost.
    backgroundSender.enqueue(send, onFailure, method === 'email' ? [60, 300, 900] : []);
  }
  const { translator } = context;
  // In full, so that visitors notice a typing error: they have just sent it.
  if (recipient.contactMethod === 'webhook')
    return renderMessagePage(
      request,
      translator.t('subscribe.confirmTitle'),
      paragraph(translator.t(messageKey, { address: webhookMethods[recipient.format] })),
    );
  const message = paragraph(translator.t(messageKey, { address: recipient.address }));
  if (recipient.contactMethod === 'sms') return renderCodeForm(request, message, recipient.address);
  return renderMessagePage(request, translator.t('subscribe.checkMail'), [
    message,
    html`<p class="hint">${translator.t('subscribe.notThere')}</p>`,
  ]);
}

async function uncountFailed(database: Database, id: number, method: Recipient['contactMethod'], error: unknown) {
  if (method === 'email' || error === null || isConnectionError(error)) await uncountRequest(database, id);
}

/** Returns what sends it, and keeps nothing else of the request. */
async function composeMessage(
  { context, clientNetwork }: SubscribeRequest,
  { database, signingKey, linkKey, sender }: SubscribeDependencies,
  recipient: Recipient,
  { address, link }: AddressedLink,
): Promise<() => Promise<void>> {
  const visitor = toVisitorRequest(context, address);
  if (recipient.contactMethod === 'sms') {
    const code = await issuePhoneCode(database, signingKey, {
      pageId: context.view.page.id,
      phone: address,
      network: clientNetwork,
    });
    return sender.sendSms.bind(sender, composeCodeSms(visitor, code));
  }
  const url = createLinkUrl(context, linkKey, bindToAddress(linkKey, link, address));
  const isConfirmation = link.purpose.startsWith('confirm');
  if (recipient.contactMethod === 'webhook') {
    const { t } = context.translator;
    const text = isConfirmation ? t('subscribe.mailSubject', { page: visitor.page.name }) : t('preferences.change');
    return sender.postLink.bind(sender, { to: address, format: recipient.format, text, link: url });
  }
  const composeMail = isConfirmation ? composeConfirmationMail : composePreferencesMail;
  return sendComposed.bind(null, sender, composeMail, visitor, url);
}

/** Composes after the response, whose time does not tell whether there was somebody to write to. */
const sendComposed = (
  sender: ConfirmationSender,
  compose: typeof composeConfirmationMail,
  visitor: VisitorRequest,
  url: string,
): Promise<void> => sender.sendMail(compose(visitor, url));

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
  const fields = [renderHiddenField('phone', phone), renderCodeField(context, errors)];
  return renderFormPage(request, {
    title: translator.t('subscribe.checkPhone'),
    errors,
    main: html`${message}${renderForm(urlFor('confirm'), fields, translator.t('subscribe.confirm'))}`,
  });
}
