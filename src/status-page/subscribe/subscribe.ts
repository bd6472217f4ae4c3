import { parseEmailAddress, parsePhoneNumber } from '../../core/address.js';
import { type Choices, signUp } from '../../subscribers/sign-up.service.js';
import type { ContactMethod } from '../../subscribers/subscription-request.service.js';
import type { RenderedResponse } from '../routing/public-route.js';
import { renderText } from '../routing/responses.js';
import { html } from '../html/html.js';
import { offersPush } from '../view/offers-push.js';
import { renderChoicesFields, allChoices, parseChoices } from './choices.js';
import {
  renderAddressField,
  renderForm,
  isHoneypotFilled,
  type FieldError,
  renderHiddenField,
  renderHoneypot,
} from './form-fields.js';
import { renderContactMethods } from './contact-methods.js';
import { sendConfirmation } from './send-confirmation.js';
import { renderFormPage } from './form-page.js';
import type { SubscribeDependencies, SubscribeRequest } from './subscribe-request.js';
import { handleWebhookSubscription } from './subscribe-webhook.js';
import { handlePushSubscription } from './subscribe-push.js';
import { isWebhookMethod } from './webhook-methods.js';

/** `subscribe` and `subscribe?by=sms`. */
export async function handleSubscribe(
  request: SubscribeRequest,
  deps: SubscribeDependencies,
): Promise<RenderedResponse> {
  const { context, form, parameters, method } = request;
  const contactMethods = context.view.page.subscriptionOptions ?? [];
  const requested = (
    method === 'POST'
      ? (form.get('by') ?? (form.has('phone') && !form.has('email') ? 'sms' : 'email'))
      : parameters.get('by')
  ) as ContactMethod;
  const by = (method === 'POST' ? form : parameters).get('by');
  if (offersPush(context.view) && (by === 'push' || !contactMethods.length))
    return handlePushSubscription(request, deps, parsePreselection(request));
  // As any unknown path of a page.
  if (!contactMethods.length) return renderText(404, 'Not found.\n');
  if (isWebhookMethod(by) && context.view.page.offersWebhooks)
    return handleWebhookSubscription(request, deps, by, parsePreselection(request));
  const contactMethod = contactMethods.includes(requested) ? requested : contactMethods[0]!;
  if (method === 'GET') return renderSubscribeForm(request, contactMethod, '', parsePreselection(request), []);
  const { choices, errors } = parseChoices(form, context.view);
  const { address, typed, error } = parseAddress(form, contactMethod);
  if (error) errors.unshift(error);
  if (errors.length || !address) return renderSubscribeForm(request, contactMethod, typed, choices, errors);
  const messageKey = contactMethod === 'email' ? 'subscribe.mailSent' : 'subscribe.codeSent';
  // A bot gets the same response as a person.
  const findLink = async () =>
    isHoneypotFilled(form)
      ? null
      : signUp(deps.database, context.view.page.id, { method: contactMethod, address, ...choices });
  return sendConfirmation(request, deps, { recipient: { contactMethod, address }, messageKey, findLink });
}

/** `?components=12,13`: the components of a notice, whose page links to the form. */
function parsePreselection({ parameters, context: { view } }: SubscribeRequest): Choices {
  const ids = new Set(parameters.get('components')?.split(','));
  return { ...allChoices, componentIds: [...view.componentsById.keys()].filter(id => ids.has(String(id))) };
}

export function parseAddress(
  form: URLSearchParams,
  contactMethod: ContactMethod,
): { typed: string; address: string | null; error?: FieldError } {
  const typed = form.get(contactMethod === 'email' ? 'email' : 'phone') ?? '';
  // Rejected before the query: PostgreSQL cannot store NUL or lone surrogates in text.
  const address =
    /\p{Cc}/u.test(typed.trim()) || !typed.isWellFormed()
      ? null
      : contactMethod === 'email'
        ? parseEmailAddress(typed)
        : parsePhoneNumber(typed);
  return address
    ? { typed, address }
    : {
        typed,
        address,
        error:
          contactMethod === 'email'
            ? { field: 'email', key: 'problem.email' }
            : { field: 'phone', key: 'problem.phone' },
      };
}

function renderSubscribeForm(
  request: SubscribeRequest,
  contactMethod: ContactMethod,
  typed: string,
  choices: Choices,
  errors: FieldError[],
): RenderedResponse {
  const { context } = request;
  const { translator, urlFor } = context;
  const fields = [
    renderHiddenField('by', contactMethod),
    renderAddressField(context, contactMethod, typed, errors),
    renderChoicesFields(context, choices, errors),
    renderHoneypot(context),
  ];
  return renderFormPage(request, {
    title: translator.t('subscribe.title'),
    errors,
    main: html`
      ${renderContactMethods(request, contactMethod)}
      ${renderForm(urlFor('subscribe'), fields, translator.t('subscribe.button'))}
      <p><a href="${urlFor('preferences')}">${translator.t('preferences.change')}</a></p>`,
  });
}
