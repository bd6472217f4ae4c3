import { maskAddress, parsePhoneNumber } from '../../core/address.js';
import { bindToAddress, type Link, verifyLink } from '../../subscribers/signed-link.js';
import { redeemPhoneCode } from '../../subscribers/phone-code.service.js';
import { type Choices, loadLinkHolder, confirmSubscription } from '../../subscribers/sign-up.service.js';
import type { RenderedResponse } from '../routing/public-route.js';
import { renderRedirect } from '../routing/responses.js';
import { html } from '../html/html.js';
import { renderChoices } from './choices.js';
import { renderForm } from './form-fields.js';
import { createLinkUrl } from './link-url.js';
import { renderCodeForm } from './send-confirmation.js';
import { renderInvalidLink, renderMessagePage, paragraph, renderFormPage } from './form-page.js';
import type { SubscribeDependencies, SubscribeRequest } from './subscribe-request.js';

/** `confirm/<token>` shows a button that confirms by POST. `confirm` takes the codes of text messages. */
export async function handleConfirm(request: SubscribeRequest, deps: SubscribeDependencies): Promise<RenderedResponse> {
  const { context, method, token } = request;
  if (!token) return method === 'POST' ? handleCode(request, deps) : renderInvalidLink(request);
  const link = verifyLink(deps.linkKey, 'confirm', context.view.page.id, token);
  const holder = link && (await loadLinkHolder(deps.database, deps.linkKey, link));
  if (!holder?.valid) return renderInvalidLink(request);
  const address = maskAddress(holder.address);
  if (method === 'GET') return renderConfirmForm(request, address, holder);
  const preferences = await confirmSubscription(deps.database, deps.linkKey, link!);
  return preferences
    ? renderConfirmed(request, deps, address, bindToAddress(deps.linkKey, preferences, holder.address))
    : renderInvalidLink(request);
}

/** The button that confirms the link of the request. */
export function renderConfirmForm(request: SubscribeRequest, address: string, choices: Choices): RenderedResponse {
  const { context, path } = request;
  const { t } = context.translator;
  return renderFormPage(request, {
    title: t('subscribe.confirmTitle'),
    main: html`
      ${paragraph(t('subscribe.confirmText', { address, page: context.view.page.name }))}
      ${renderChoices(context, choices)}
      ${renderForm(context.urlFor(path), null, t('subscribe.confirm'))}`,
  });
}

async function handleCode(request: SubscribeRequest, deps: SubscribeDependencies): Promise<RenderedResponse> {
  const { context, form, clientNetwork } = request;
  const phone = parsePhoneNumber(form.get('phone') ?? '');
  if (!phone) return renderInvalidLink(request);
  const redeemed = await redeemPhoneCode(
    deps.database,
    deps.signingKey,
    { pageId: context.view.page.id, phone, network: clientNetwork },
    form.get('code') ?? '',
  );
  if (!redeemed) return renderCodeForm(request, null, phone, [{ field: 'code', key: 'problem.code' }]);
  const preferences = bindToAddress(deps.linkKey, redeemed.preferences, phone);
  if (redeemed.isNew) return renderConfirmed(request, deps, phone, preferences);
  return renderRedirect(303, createLinkUrl(context, deps.linkKey, preferences));
}

async function renderConfirmed(
  request: SubscribeRequest,
  deps: SubscribeDependencies,
  address: string,
  preferences: Link,
): Promise<RenderedResponse> {
  const { translator, view } = request.context;
  const holder = await loadLinkHolder(deps.database, deps.linkKey, preferences);
  const url = createLinkUrl(request.context, deps.linkKey, preferences);
  return renderMessagePage(request, translator.t('subscribe.confirmed'), [
    paragraph(translator.t('subscribe.confirmedText', { address, page: view.page.name })),
    holder && renderChoices(request.context, holder),
    html`<p><a href="${url}">${translator.t('preferences.change')}</a></p>`,
  ]);
}
