import { maskAddress } from '../../core/address.js';
import { verifyLink } from '../../subscribers/signed-link.js';
import { loadLinkHolder, unsubscribe } from '../../subscribers/sign-up.service.js';
import type { RenderedResponse } from '../routing/public-route.js';
import { renderText } from '../routing/responses.js';
import { html } from '../html/html.js';
import { renderForm } from './form-fields.js';
import { renderInvalidLink, renderMessagePage, paragraph, renderFormPage } from './form-page.js';
import type { SubscribeDependencies, SubscribeRequest } from './subscribe-request.js';

/** `unsubscribe/<token>` shows a button. The button of mail clients posts here, too, and needs no page (RFC 8058). */
export async function handleUnsubscribe(
  request: SubscribeRequest,
  deps: SubscribeDependencies,
): Promise<RenderedResponse> {
  const { context, method, token, isOneClick } = request;
  const { translator, view, urlFor } = context;
  const link = verifyLink(deps.linkKey, 'unsubscribe', view.page.id, token);
  if (!link) return isOneClick ? renderText(410, 'This link is not valid.\n') : renderInvalidLink(request);
  // Null when it was deleted: reported as unsubscribed, since no message is sent to it either.
  const holder = await loadLinkHolder(deps.database, deps.linkKey, link);
  // It has another address now, whose messages go on.
  if (holder && !holder.valid)
    return isOneClick
      ? unsubscribed
      : renderInvalidLink(request, translator.t('unsubscribe.otherAddress', { page: view.page.name }));
  const address = holder ? maskAddress(holder.address) : '…';
  if (method === 'GET' && holder?.active) {
    return renderFormPage(request, {
      title: translator.t('mail.unsubscribe'),
      main: html`
        ${paragraph(translator.t('unsubscribe.text', { address, page: view.page.name }))}
        ${renderForm(urlFor(`unsubscribe/${token}`), null, translator.t('mail.unsubscribe'))}`,
    });
  }
  if (method === 'POST' && holder) await unsubscribe(deps.database, link);
  if (isOneClick) return unsubscribed;
  const subscribeLink =
    view.page.subscriptionOptions?.length &&
    html`<p><a href="${urlFor('subscribe')}">${translator.t('subscribe.title')}</a></p>`;
  return renderMessagePage(request, translator.t('unsubscribe.done'), [
    paragraph(translator.t('unsubscribe.doneText', { address, page: view.page.name })),
    subscribeLink || null,
  ]);
}

/** No message is sent to the address of the link, whether this request or an earlier change ended them. */
const unsubscribed = renderText(200, 'Unsubscribed.\n');
