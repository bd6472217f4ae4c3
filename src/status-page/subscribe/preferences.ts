import { maskAddress } from '../../core/address.js';
import { createMessageLink, hashAddress, type Link, verifyLink } from '../../subscribers/signed-link.js';
import {
  type LinkHolder,
  loadLinkHolder,
  type Choices,
  saveChoices,
  createPreferencesLink,
  signUp,
} from '../../subscribers/sign-up.service.js';
import type { ContactMethod } from '../../subscribers/subscription-request.service.js';
import type { RenderedResponse } from '../routing/public-route.js';
import { renderRedirect } from '../routing/responses.js';
import { html, type Markup } from '../html/html.js';
import { renderChoicesFields, parseChoices } from './choices.js';
import {
  renderAddressField,
  renderEmailField,
  renderForm,
  isHoneypotFilled,
  type FieldError,
  renderHiddenField,
  renderHoneypot,
} from './form-fields.js';
import { createLinkUrl } from './link-url.js';
import { sendConfirmation } from './send-confirmation.js';
import { renderInvalidLink, paragraph, renderFormPage } from './form-page.js';
import { renderContactMethods } from './contact-methods.js';
import { parseAddress } from './subscribe.js';
import type { SubscribeDependencies, SubscribeRequest } from './subscribe-request.js';

/**
 * `preferences/<token>`, the link in every message, shows the choices. `preferences` asks for an address and sends it
 * such a link, which expires after an hour. `preferences/request/<token>` was the link of earlier messages.
 */
export async function handlePreferences(
  request: SubscribeRequest,
  deps: SubscribeDependencies,
): Promise<RenderedResponse> {
  const [first, second] = request.token.split('/');
  if (!first) return handleAddressForm(request, deps);
  if (first === 'request') return redirectEarlierLink(request, deps, second ?? '');
  const link = verifyLink(deps.linkKey, 'preferences', request.context.view.page.id, request.token);
  const holder = link && (await loadLinkHolder(deps.database, deps.linkKey, link));
  if (!holder?.valid || !holder.active) return renderInvalidLink(request);
  const { componentsById } = request.context.view;
  const storedChoices: Choices = {
    kinds: holder.kinds,
    componentIds: holder.componentIds.filter(id => componentsById.has(id)),
  };
  if (request.method === 'GET') return renderPreferences(request, deps, link!, holder, storedChoices);
  if (canChangeAddress(request, holder) && request.form.has('email'))
    return handleNewAddress(request, deps, link!, holder, storedChoices);
  const { choices, errors } = parseChoices(request.form, request.context.view);
  if (errors.length) return renderPreferences(request, deps, link!, holder, choices, errors);
  return (await saveChoices(deps.database, link!, choices))
    ? renderPreferences(request, deps, link!, holder, choices, [], true)
    : renderInvalidLink(request);
}

const canChangeAddress = ({ context: { view } }: SubscribeRequest, { hasEmailOnly }: LinkHolder): boolean =>
  hasEmailOnly && (view.page.subscriptionOptions?.includes('email') ?? false);

/** Only the new address gets a mail; the old one is subscribed until its link is used. */
function handleNewAddress(
  request: SubscribeRequest,
  deps: SubscribeDependencies,
  link: Link,
  holder: LinkHolder,
  choices: Choices,
): RenderedResponse | Promise<RenderedResponse> {
  const { address, error } = parseAddress(request.form, 'email');
  if (!address) return renderPreferences(request, deps, link, holder, choices, error ? [error] : []);
  const findLink = async () => {
    const { pageId, subscriberId: id } = link;
    const replaces = { id, address: hashAddress(deps.linkKey, holder.address) };
    const signedUp = await signUp(deps.database, pageId, { method: 'email', address, ...choices });
    return signedUp?.link.purpose === 'confirm' ? { ...signedUp, link: { ...signedUp.link, replaces } } : signedUp;
  };
  return sendConfirmation(request, deps, {
    recipient: { contactMethod: 'email', address },
    messageKey: 'subscribe.mailSent',
    findLink,
  });
}

function renderPreferences(
  request: SubscribeRequest,
  deps: SubscribeDependencies,
  link: Link,
  holder: LinkHolder,
  choices: Choices,
  errors: FieldError[] = [],
  isSaved = false,
): RenderedResponse {
  const { context } = request;
  const { t } = context.translator;
  const { pageId, subscriberId } = link;
  const unsubscribeUrl = createLinkUrl(
    context,
    deps.linkKey,
    createMessageLink(deps.linkKey, 'unsubscribe', pageId, subscriberId, holder.address),
  );
  return renderChoicesForm(request, {
    text: t('subscribe.confirmedText', { address: maskAddress(holder.address), page: context.view.page.name }),
    choices,
    errors,
    isSaved,
    more: html`
      ${canChangeAddress(request, holder) && renderNewAddressForm(request, errors)}
      <p><a href="${unsubscribeUrl}">${t('mail.unsubscribe')}</a></p>`,
  });
}

interface ChoicesForm {
  text: string;
  choices: Choices;
  errors: readonly FieldError[];
  isSaved: boolean;
  more: Markup;
}

/** What the holder of the link chose, as a form. `more` follows it. */
export function renderChoicesForm(
  request: SubscribeRequest,
  { text, choices, errors, isSaved, more }: ChoicesForm,
): RenderedResponse {
  const { context, path } = request;
  const { t } = context.translator;
  return renderFormPage(request, {
    title: t('preferences.title'),
    errors,
    main: html`
      ${isSaved && html`<p class="done" role="status">${t('preferences.saved')}</p>`}
      ${paragraph(text)}
      ${renderForm(context.urlFor(path), renderChoicesFields(context, choices, errors), t('preferences.save'))}
      ${more}`,
  });
}

function renderNewAddressForm({ context, form, path }: SubscribeRequest, errors: readonly FieldError[]): Markup {
  const { t } = context.translator;
  const value = form.get('email') ?? '';
  const field = renderEmailField(context, { label: t('preferences.newAddress'), value }, errors);
  return renderForm(context.urlFor(path), field, t('preferences.ask'));
}

async function handleAddressForm(request: SubscribeRequest, deps: SubscribeDependencies): Promise<RenderedResponse> {
  const { context, form, method, parameters } = request;
  const contactMethod: ContactMethod =
    (method === 'POST' ? form.get('by') : parameters.get('by')) === 'sms' ? 'sms' : 'email';
  const { address, typed, error } = parseAddress(form, contactMethod);
  if (method === 'POST' && address) {
    const findLink = async () =>
      isHoneypotFilled(form)
        ? null
        : createPreferencesLink(deps.database, context.view.page.id, contactMethod, address);
    return sendConfirmation(request, deps, {
      recipient: { contactMethod, address },
      messageKey: 'preferences.sent',
      findLink,
    });
  }
  const errors = method === 'POST' && error ? [error] : [];
  const { translator, urlFor } = context;
  const fields = [
    renderHiddenField('by', contactMethod),
    renderAddressField(context, contactMethod, typed, errors),
    renderHoneypot(context),
  ];
  return renderFormPage(request, {
    title: translator.t('preferences.title'),
    errors,
    main: html`
      ${renderContactMethods(request, contactMethod, false)}
      ${paragraph(translator.t('preferences.askText'))}
      ${renderForm(urlFor('preferences'), fields, translator.t('preferences.ask'))}`,
  });
}

function redirectEarlierLink(
  request: SubscribeRequest,
  { linkKey }: SubscribeDependencies,
  token: string,
): RenderedResponse {
  const link = verifyLink(linkKey, 'request', request.context.view.page.id, token);
  return link
    ? renderRedirect(303, createLinkUrl(request.context, linkKey, { ...link, purpose: 'preferences' }))
    : renderInvalidLink(request);
}
