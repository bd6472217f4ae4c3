import { masked } from '../../subscribers/address.js';
import { type Link, signed, verified } from '../../subscribers/signed-link.js';
import { type Bearer, bearerOf, type Choices, choose, preferencesOf } from '../../subscribers/sign-up.service.js';
import type { Way } from '../../subscribers/subscription-request.service.js';
import type { Drawing } from '../server/public-route.js';
import { html } from '../html/html.js';
import { choicesFields, readChoices } from './choices.js';
import { addressField, formOf, isTrapped, type Problem, summaryOf, trap } from './form-fields.js';
import { linkFor } from './confirmation-messages.js';
import { answerBySending } from './send-confirmation.js';
import { invalidLink, sentence, sheetOf } from './form-page.js';
import { readAddress, ways } from './subscribe.js';
import type { Desk, Visit } from './subscribe-request.js';

/**
 * `preferences`: asks for an address, to which a link goes. `preferences/request/<token>`: asks for nothing, since the link in every message knows the address.
 * `preferences/<token>`: the choices themselves, for an hour.
 */
export async function preferences(visit: Visit, desk: Desk): Promise<Drawing> {
  const [first, second] = visit.token.split('/');
  if (!first) return ask(visit, desk);
  if (first === 'request') return askByLink(visit, desk, second ?? '');
  const link = verified(desk.key, 'preferences', visit.canvas.view.page.id, visit.token);
  const bearer = link && (await bearerOf(desk.database, link));
  if (!bearer?.valid || !bearer.active) return invalidLink(visit);
  const { componentsById } = visit.canvas.view;
  const chosen: Choices = {
    kinds: bearer.kinds,
    componentIds: bearer.componentIds.filter(id => componentsById.has(id)),
  };
  if (visit.method === 'GET') return draw(visit, desk, link!, bearer, chosen);
  const { choices, problems } = readChoices(visit.form, visit.canvas.view);
  if (problems.length) return draw(visit, desk, link!, bearer, choices, problems);
  return (await choose(desk.database, link!, choices))
    ? draw(visit, desk, link!, bearer, choices, [], true)
    : invalidLink(visit);
}

function draw(
  visit: Visit,
  desk: Desk,
  link: Link,
  bearer: Bearer,
  choices: Choices,
  problems: Problem[] = [],
  isSaved = false,
): Drawing {
  const { canvas, token } = visit;
  const { texts, view, to } = canvas;
  const leave = linkFor(canvas, desk.key, {
    purpose: 'unsubscribe',
    pageId: link.pageId,
    subscriberId: link.subscriberId,
  });
  return sheetOf(visit, {
    title: texts.t('preferences.title'),
    main: html`
      ${summaryOf(canvas, problems)}
      ${isSaved && html`<p class="done" role="status">${texts.t('preferences.saved')}</p>`}
      ${sentence(texts.t('subscribe.confirmedText', { address: masked(bearer.address), page: view.page.name }))}
      ${formOf(to(`preferences/${token}`), choicesFields(canvas, choices, problems), texts.t('preferences.save'))}
      <p><a href="${leave}">${texts.t('mail.unsubscribe')}</a></p>`,
    status: problems.length ? 422 : 200,
  });
}

async function ask(visit: Visit, desk: Desk): Promise<Drawing> {
  const { canvas, form, method, parameters } = visit;
  const way: Way = (method === 'POST' ? form.get('by') : parameters.get('by')) === 'sms' ? 'sms' : 'email';
  const { address, typed, problem } = readAddress(form, way);
  if (method === 'POST' && address) {
    const find = async () => (isTrapped(form) ? null : preferencesOf(desk.database, canvas.view.page.id, way, address));
    return answerBySending(visit, desk, { to: { way, address }, said: 'preferences.sent', find });
  }
  const problems = method === 'POST' && problem ? [problem] : [];
  const { texts, to } = canvas;
  const fields = [
    html`<input type="hidden" name="by" value="${way}">`,
    addressField(canvas, way, typed, problems),
    trap(canvas),
  ];
  return sheetOf(visit, {
    title: texts.t('preferences.title'),
    main: html`
      ${summaryOf(canvas, problems)}
      ${ways(visit, way)}
      ${sentence(texts.t('preferences.askText'))}
      ${formOf(to('preferences'), fields, texts.t('preferences.ask'))}`,
    status: problems.length ? 422 : 200,
  });
}

async function askByLink(visit: Visit, desk: Desk, token: string): Promise<Drawing> {
  const { canvas, method } = visit;
  const pageId = canvas.view.page.id;
  const link = verified(desk.key, 'request', pageId, token);
  const bearer = link && (await bearerOf(desk.database, link));
  if (!bearer?.active) return invalidLink(visit);
  const { way, address } = bearer;
  if (method === 'POST') {
    const ticket = html`<input type="hidden" name="ticket" value="${signed(desk.key, link!)}">`;
    const find = () => preferencesOf(desk.database, pageId, way, address);
    return answerBySending(visit, desk, {
      to: { way, address },
      said: way === 'email' ? 'subscribe.mailSent' : 'subscribe.codeSent',
      find,
      ticket,
    });
  }
  const { texts, view, to } = canvas;
  return sheetOf(visit, {
    title: texts.t('preferences.title'),
    main: html`
      ${sentence(texts.t('subscribe.confirmedText', { address: masked(address), page: view.page.name }))}
      ${sentence(texts.t('preferences.askText'))}
      ${formOf(to(`preferences/request/${token}`), null, texts.t('preferences.ask'))}`,
  });
}
