import { maskAddress, parsePhoneNumber } from '../../subscribers/address.js';
import { type Link, verifyLink } from '../../subscribers/signed-link.js';
import { redeemCode } from '../../subscribers/phone-code.service.js';
import { loadLinkHolder, confirmSubscription } from '../../subscribers/sign-up.service.js';
import type { RenderedResponse } from '../server/public-route.js';
import { html } from '../html/html.js';
import { renderForm } from './form-fields.js';
import { createLinkUrl } from './confirmation-messages.js';
import { renderCodeForm } from './send-confirmation.js';
import { renderInvalidLink, renderMessagePage, paragraph, renderFormPage } from './form-page.js';
import type { SubscribeDependencies, SubscribeRequest } from './subscribe-request.js';

/** `confirm/<token>` shows a button that confirms by POST. `confirm` takes the codes of text messages. */
export async function handleConfirm(request: SubscribeRequest, deps: SubscribeDependencies): Promise<RenderedResponse> {
  const { context, method, token } = request;
  if (!token) return method === 'POST' ? handleCode(request, deps) : renderInvalidLink(request);
  const link = verifyLink(deps.signingKey, 'confirm', context.view.page.id, token);
  const holder = link && (await loadLinkHolder(deps.database, link));
  if (!holder?.valid) return renderInvalidLink(request);
  const { translator, view, urlFor } = context;
  const address = maskAddress(holder.address);
  if (method === 'GET') {
    return renderFormPage(request, {
      title: translator.t('subscribe.confirmTitle'),
      main: html`
        ${paragraph(translator.t('subscribe.confirmText', { address, page: view.page.name }))}
        ${renderForm(urlFor(`confirm/${token}`), null, translator.t('subscribe.confirm'))}`,
    });
  }
  const preferences = await confirmSubscription(deps.database, link!);
  return preferences ? renderConfirmed(request, deps, address, preferences) : renderInvalidLink(request);
}

async function handleCode(request: SubscribeRequest, deps: SubscribeDependencies): Promise<RenderedResponse> {
  const { context, form } = request;
  const pageId = context.view.page.id;
  const ticket = form.get('ticket');
  const phone = ticket === null ? parsePhoneNumber(form.get('phone') ?? '') : await findPhone(deps, pageId, ticket);
  if (!phone) return renderInvalidLink(request);
  const redeemed = await redeemCode(deps.database, deps.signingKey, pageId, phone, form.get('code') ?? '');
  if (redeemed?.isNew) return renderConfirmed(request, deps, maskAddress(phone), redeemed.preferences);
  if (redeemed)
    return {
      type: 'text/plain; charset=utf-8',
      body: '',
      status: 303,
      headers: { Location: createLinkUrl(context, deps.signingKey, redeemed.preferences) },
    };
  const identifyingField =
    ticket === null
      ? html`<input type="hidden" name="phone" value="${phone}">`
      : html`<input type="hidden" name="ticket" value="${ticket}">`;
  return renderCodeForm(request, null, identifyingField, [{ field: 'code', key: 'problem.code' }]);
}

async function findPhone(
  { signingKey, database }: SubscribeDependencies,
  pageId: string,
  ticket: string,
): Promise<string | null> {
  const link = verifyLink(signingKey, 'request', pageId, ticket);
  const holder = link && (await loadLinkHolder(database, link));
  return holder?.method === 'sms' ? holder.address : null;
}

function renderConfirmed(
  request: SubscribeRequest,
  deps: SubscribeDependencies,
  address: string,
  preferences: Link,
): RenderedResponse {
  const { translator, view } = request.context;
  const url = createLinkUrl(request.context, deps.signingKey, preferences);
  return renderMessagePage(request, translator.t('subscribe.confirmed'), [
    paragraph(translator.t('subscribe.confirmedText', { address, page: view.page.name })),
    html`<p><a href="${url}">${translator.t('preferences.change')}</a></p>`,
  ]);
}
