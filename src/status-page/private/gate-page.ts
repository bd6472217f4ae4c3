import { findLocale } from '../../i18n/locales.js';
import { renderDocument } from '../html/document.js';
import { html, type TemplateValue } from '../html/html.js';
import { createRenderContext, type RenderContext } from '../html/render-context.js';
import { renderText } from '../routing/responses.js';
import { privateCacheControl } from '../server/compressed-response.js';
import type { UncachedRequest, UncachedResponse } from '../server/uncached-response.js';
import {
  type FieldError,
  renderCodeField,
  renderEmailField,
  renderErrorSummary,
  renderForm,
  renderHiddenField,
  renderTextField,
} from '../subscribe/form-fields.js';
import { formStyle } from '../subscribe/style-forms.js';
import { feeds } from '../html/header.js';
import type { PageAccess } from '../view/snapshot.js';

const headers = { 'Cache-Control': privateCacheControl };

/** What programs get, and everybody who does not ask for HTML. */
export const plainText = (status: number, body: string, more: Record<string, string> = {}): UncachedResponse =>
  renderText(status, body, { ...headers, ...more });

export const redirectTo = (url: string, cookies: string[] = []): UncachedResponse => ({
  ...plainText(303, '', { Location: url }),
  cookies,
});

/** The language that a visitor chose, and the page as somebody sees it who may not see what is on it. */
export function createGateContext({ generation, mountType, parameters }: UncachedRequest): RenderContext {
  const locale = findLocale(parameters.get('lang'));
  return createRenderContext(generation.withoutContent().getView(mountType, locale));
}

/** Where the visitor wanted to go, relative to the mount. Not another host, whatever the form says. */
export const parseDestination = (given: string | null): string =>
  given && given.length <= 500 && /^(?!\/|.*(?:\/\/|\.\.))[\x21-\x5b\x5d-\x7e]*$/.test(given) ? given : '';

interface GatePage {
  destination: string;
  main?: TemplateValue;
  errors?: readonly FieldError[];
  status?: number;
  /** Where people sign in. */
  signInUrl?: string | null;
}

/** A page in the design of the status page, with its name and nothing that is on it. */
export function renderGate(
  context: RenderContext,
  access: PageAccess,
  { destination, main, errors = [], status = 403, signInUrl = null }: GatePage,
): UncachedResponse {
  const { translator } = context;
  return renderClosedDocument(
    context,
    { title: translator.t('private.title'), path: destination.replace(/\?.*/, ''), status },
    html`
    ${renderErrorSummary(context, errors)}
    ${main ?? renderProof[access.by](context, destination, errors, signInUrl)}`,
  );
}

/** The form by which visitors prove that they may see the page. */
const renderProof: Record<
  PageAccess['by'],
  (context: RenderContext, to: string, errors: readonly FieldError[], signInUrl: string | null) => TemplateValue
> = {
  password: (context, destination, errors) => {
    const { translator, urlFor } = context;
    const attributes = html` autocomplete="current-password" maxlength="255"`;
    const field = { name: 'password', type: 'password' as const, label: translator.t('private.password'), attributes };
    const content = [renderHiddenField('to', destination), renderTextField(context, field, errors)];
    return renderForm(urlFor('access'), content, translator.t('private.open'));
  },
  email_domain: (context, destination, errors) => {
    const { translator, urlFor } = context;
    const content = [renderHiddenField('to', destination), renderEmailField(context, {}, errors)];
    return html`<p>${translator.t('private.emailText')}</p>
      ${renderForm(urlFor('access'), content, translator.t('preferences.ask'))}`;
  },
  members: ({ translator }, _destination, _errors, signInUrl) => html`
    <p>${translator.t('private.members')}</p>
    ${signInUrl && html`<p><a class="act" href="${signInUrl}">${translator.t('private.signIn')}</a></p>`}`,
};

/** The form for the code that was sent to an address. */
export function renderAccessCode(
  context: RenderContext,
  access: PageAccess,
  email: string,
  destination: string,
  errors: readonly FieldError[] = [],
): UncachedResponse {
  const { translator, urlFor } = context;
  const content = [
    renderHiddenField('to', destination),
    renderHiddenField('email', email),
    renderCodeField(context, errors),
  ];
  const main = html`
    <p>${translator.t('private.codeSent', { address: email })}</p>
    ${renderForm(urlFor('access'), content, translator.t('private.open'))}
    <p class="hint">${translator.t('subscribe.notThere')}</p>`;
  return renderGate(context, access, { destination, main, errors, status: errors.length ? 422 : 200 });
}

/** The addresses of the feeds with the key of the visitor, for programs that cannot prove anything. */
export function renderFeedAddresses(context: RenderContext, key: string): UncachedResponse {
  const { translator, urlFor, view } = context;
  const paths = [
    ...feeds.map(([path, name]) => [path, name] as const),
    ['calendar.ics', translator.t('footer.calendar')] as const,
    ['api/v1/status', 'JSON'] as const,
  ];
  const items = paths.map(([path, name]) => {
    const url = `${view.mount.origin}${urlFor(path, { key })}`;
    return html`<li><a href="${url}">${name}</a><br><small class="key" dir="ltr">${url}</small></li>`;
  });
  return renderClosedDocument(
    context,
    { title: translator.t('private.feeds'), path: 'access', status: 200 },
    html`
    <p>${translator.t('private.feedsText')}</p>
    <ul class="chosen">${items}</ul>
    <p><a href="${urlFor('')}">${translator.t('notice.back')}</a></p>`,
  );
}

const gateStyle = `${formStyle}.key{overflow-wrap:anywhere;color:var(--quiet)}`;

function renderClosedDocument(
  context: RenderContext,
  { title, path, status }: { title: string; path: string; status: number },
  content: TemplateValue,
): UncachedResponse {
  const document = renderDocument(context, {
    path,
    title: `${title} – ${context.view.page.name}`,
    description: null,
    isPrivate: true,
    isClosed: true,
    isFramable: false,
    style: gateStyle,
    main: html`<div class="leaf"><h1>${title}</h1>${content}</div>`,
  });
  return { ...document, status, headers: { ...document.headers, ...headers } };
}
