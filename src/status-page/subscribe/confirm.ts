import { masked, phoneNumber } from '../../subscribers/address.js';
import { type Link, verified } from '../../subscribers/signed-link.js';
import { redeemCode } from '../../subscribers/phone-code.service.js';
import { bearerOf, confirm as confirmLink } from '../../subscribers/sign-up.service.js';
import type { Drawing } from '../server/public-route.js';
import { html } from '../html/html.js';
import { formOf } from './form-fields.js';
import { linkFor } from './confirmation-messages.js';
import { codeForm } from './send-confirmation.js';
import { invalidLink, saying, sentence, sheetOf } from './form-page.js';
import type { Desk, Visit } from './subscribe-request.js';

/** `confirm/<token>`: a page with a button, which confirms. `confirm`: where codes go. */
export async function confirm(visit: Visit, desk: Desk): Promise<Drawing> {
  const { canvas, method, token } = visit;
  if (!token) return method === 'POST' ? confirmByCode(visit, desk) : invalidLink(visit);
  const link = verified(desk.key, 'confirm', canvas.view.page.id, token);
  const bearer = link && (await bearerOf(desk.database, link));
  if (!bearer?.valid) return invalidLink(visit);
  const { texts, view, to } = canvas;
  const address = masked(bearer.address);
  if (method === 'GET') {
    return sheetOf(visit, {
      title: texts.t('subscribe.confirmTitle'),
      main: html`${sentence(texts.t('subscribe.confirmText', { address, page: view.page.name }))}${formOf(to(`confirm/${token}`), null, texts.t('subscribe.confirm'))}`,
    });
  }
  const preferences = await confirmLink(desk.database, link!);
  return preferences ? confirmed(visit, desk, address, preferences) : invalidLink(visit);
}

async function confirmByCode(visit: Visit, desk: Desk): Promise<Drawing> {
  const { canvas, form } = visit;
  const pageId = canvas.view.page.id;
  const ticket = form.get('ticket');
  const phone = ticket === null ? phoneNumber(form.get('phone') ?? '') : await phoneOf(desk, pageId, ticket);
  if (!phone) return invalidLink(visit);
  const redeemed = await redeemCode(desk.database, desk.key, pageId, phone, form.get('code') ?? '');
  if (redeemed?.isNew) return confirmed(visit, desk, masked(phone), redeemed.preferences);
  if (redeemed)
    return {
      type: 'text/plain; charset=utf-8',
      body: '',
      status: 303,
      headers: { Location: linkFor(canvas, desk.key, redeemed.preferences) },
    };
  const known =
    ticket === null
      ? html`<input type="hidden" name="phone" value="${phone}">`
      : html`<input type="hidden" name="ticket" value="${ticket}">`;
  return codeForm(visit, null, known, [{ field: 'code', key: 'problem.code' }]);
}

async function phoneOf({ key, database }: Desk, pageId: string, ticket: string): Promise<string | null> {
  const link = verified(key, 'request', pageId, ticket);
  const bearer = link && (await bearerOf(database, link));
  return bearer?.way === 'sms' ? bearer.address : null;
}

function confirmed(visit: Visit, desk: Desk, address: string, preferences: Link): Drawing {
  const { texts, view } = visit.canvas;
  return saying(visit, texts.t('subscribe.confirmed'), [
    sentence(texts.t('subscribe.confirmedText', { address, page: view.page.name })),
    html`<p><a href="${linkFor(visit.canvas, desk.key, preferences)}">${texts.t('preferences.change')}</a></p>`,
  ]);
}
