import { masked } from '../../subscribers/address.js';
import { verified } from '../../subscribers/signed-link.js';
import { bearerOf, unsubscribe as leave } from '../../subscribers/sign-up.service.js';
import type { Drawing } from '../server/public-route.js';
import { html } from '../html/html.js';
import { formOf } from './form-fields.js';
import { invalidLink, saying, sentence, sheetOf } from './form-page.js';
import type { Desk, Visit } from './subscribe-request.js';

/** `unsubscribe/<token>`: a page with a button. The button of a mail program posts here too, and wants no page (RFC 8058). */
export async function unsubscribe(visit: Visit, desk: Desk): Promise<Drawing> {
  const { canvas, method, token, isOneClick } = visit;
  const { texts, view, to } = canvas;
  const link = verified(desk.key, 'unsubscribe', view.page.id, token);
  if (!link) return isOneClick ? plain(410, 'This link is not valid.\n') : invalidLink(visit);
  const bearer = await bearerOf(desk.database, link);
  // Who was deleted hears nothing either.
  const address = bearer ? masked(bearer.address) : '…';
  if (method === 'GET' && bearer?.active) {
    return sheetOf(visit, {
      title: texts.t('mail.unsubscribe'),
      main: html`${sentence(texts.t('unsubscribe.text', { address, page: view.page.name }))}${formOf(to(`unsubscribe/${token}`), null, texts.t('mail.unsubscribe'))}`,
    });
  }
  if (method === 'POST') await leave(desk.database, link);
  if (isOneClick) return plain(200, 'Unsubscribed.\n');
  const again =
    view.page.subscriptionOptions?.length &&
    html`<p><a href="${to('subscribe')}">${texts.t('subscribe.title')}</a></p>`;
  return saying(visit, texts.t('unsubscribe.done'), [
    sentence(texts.t('unsubscribe.doneText', { address, page: view.page.name })),
    again || null,
  ]);
}

const plain = (status: number, body: string): Drawing => ({ type: 'text/plain; charset=utf-8', body, status });
