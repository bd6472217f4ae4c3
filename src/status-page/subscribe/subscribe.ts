import { emailAddress, phoneNumber } from '../../subscribers/address.js';
import { type Choices, signUp } from '../../subscribers/sign-up.service.js';
import type { Way } from '../../subscribers/subscription-request.service.js';
import type { Drawing } from '../server/public-route.js';
import { html, type Markup } from '../html/html.js';
import { choicesFields, everything, readChoices } from './choices.js';
import { addressField, formOf, isTrapped, type Problem, summaryOf, trap } from './form-fields.js';
import { answerBySending } from './send-confirmation.js';
import { nothingHere, sheetOf } from './form-page.js';
import type { Desk, Visit } from './subscribe-request.js';

/** `subscribe`, and `subscribe?by=sms`. */
export async function subscribe(visit: Visit, desk: Desk): Promise<Drawing> {
  const { canvas, form, parameters, method } = visit;
  const open = canvas.view.page.subscriptionOptions ?? [];
  const wanted = (
    method === 'POST'
      ? (form.get('by') ?? (form.has('phone') && !form.has('email') ? 'sms' : 'email'))
      : parameters.get('by')
  ) as Way;
  if (!open.length) return nothingHere;
  const way = open.includes(wanted) ? wanted : open[0]!;
  if (method === 'GET') return draw(visit, way, '', everything, []);
  const { choices, problems } = readChoices(form, canvas.view);
  const { address, typed, problem } = readAddress(form, way);
  if (problem) problems.unshift(problem);
  if (problems.length || !address) return draw(visit, way, typed, choices, problems);
  const said = way === 'email' ? 'subscribe.mailSent' : 'subscribe.codeSent';
  // A program that fills in every field is answered as people are.
  const find = async () =>
    isTrapped(form) ? null : signUp(desk.database, canvas.view.page.id, { way, address, ...choices });
  return answerBySending(visit, desk, { to: { way, address }, said, find });
}

export function readAddress(
  form: URLSearchParams,
  way: Way,
): { typed: string; address: string | null; problem?: Problem } {
  const typed = form.get(way === 'email' ? 'email' : 'phone') ?? '';
  // The form of an address is looked at before the database is, which knows no text with these.
  const address =
    /\p{Cc}/u.test(typed.trim()) || !typed.isWellFormed()
      ? null
      : way === 'email'
        ? emailAddress(typed)
        : phoneNumber(typed);
  return address
    ? { typed, address }
    : {
        typed,
        address,
        problem: way === 'email' ? { field: 'email', key: 'problem.email' } : { field: 'phone', key: 'problem.phone' },
      };
}

function draw(visit: Visit, way: Way, typed: string, choices: Choices, problems: Problem[]): Drawing {
  const { canvas } = visit;
  const { texts, to } = canvas;
  const fields = [
    html`<input type="hidden" name="by" value="${way}">`,
    addressField(canvas, way, typed, problems),
    choicesFields(canvas, choices, problems),
    trap(canvas),
  ];
  return sheetOf(visit, {
    title: texts.t('subscribe.title'),
    main: html`
      ${summaryOf(canvas, problems)}
      ${ways(visit, way)}
      ${formOf(to('subscribe'), fields, texts.t('subscribe.button'))}
      <p><a href="${to('preferences')}">${texts.t('preferences.change')}</a></p>`,
    status: problems.length ? 422 : 200,
  });
}

/** Each way has a form of its own, so that each has the one field that it needs. */
export function ways({ canvas, path }: Visit, way: Way): Markup | null {
  const { texts, to, view } = canvas;
  const open = view.page.subscriptionOptions ?? [];
  if (open.length < 2) return null;
  const names = { email: texts.t('subscribe.byEmail'), sms: texts.t('subscribe.bySms') };
  return html`
    <nav class="ways" aria-label="${texts.t('subscribe.title')}">
      ${open.map(one => html`<a href="${to(path, { by: one })}"${one === way && html` aria-current="page"`}>${names[one]}</a>`)}
    </nav>`;
}
