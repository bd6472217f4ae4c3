import { limitResetSeconds } from '../../subscribers/subscription-request.service.js';
import type { RenderedResponse } from '../routing/public-route.js';
import { renderDocument, getSiteTitle } from '../html/document.js';
import { renderBackLink } from '../html/header.js';
import { html, type Markup, type TemplateValue } from '../html/html.js';
import { type FieldError, renderErrorSummary } from './form-fields.js';
import { formStyle } from './style-forms.js';
import type { SubscribeRequest } from './subscribe-request.js';

interface FormPage {
  title: string;
  main: TemplateValue;
  /** What is wrong with the submitted form. Listed above it, with status 422. */
  errors?: readonly FieldError[];
  status?: number;
  headers?: Record<string, string>;
  /** One that registers a service worker. */
  script?: string;
}

/** A private page in the design of the status page. */
export function renderFormPage(
  { context, path, token }: SubscribeRequest,
  { title, main, errors = [], status = errors.length ? 422 : 200, headers = {}, script }: FormPage,
): RenderedResponse {
  const document = renderDocument(context, {
    path,
    title: `${title} – ${getSiteTitle(context.view)}`,
    description: null,
    main: html`
      <div class="leaf">
        ${renderBackLink(context)}
        <h1>${title}</h1>
        ${renderErrorSummary(context, errors)}
        ${main}
      </div>`,
    isPrivate: true,
    isFramable: token === '',
    style: formStyle,
    script,
  });
  return { ...document, status, headers: { ...document.headers, ...headers } };
}

/** A page that only shows a message. */
export function renderMessagePage(
  request: SubscribeRequest,
  title: string,
  content: TemplateValue,
  options: Partial<FormPage> = {},
): RenderedResponse {
  return renderFormPage(request, { title, main: html`${content}`, ...options });
}

export const paragraph = (text: TemplateValue): Markup => html`<p>${text}</p>`;

/** Expired, used or forged: the response does not distinguish them. */
export function renderInvalidLink(
  request: SubscribeRequest,
  text = request.context.translator.t('problem.linkText'),
): RenderedResponse {
  const { translator, urlFor, view } = request.context;
  const retryPath = view.page.subscriptionOptions?.length ? 'subscribe' : 'preferences';
  const label = translator.t(retryPath === 'subscribe' ? 'subscribe.title' : 'preferences.change');
  const link = html`<p><a href="${urlFor(retryPath)}">${label}</a></p>`;
  return renderMessagePage(request, translator.t('problem.link'), [paragraph(text), link], { status: 410 });
}

export function renderTooManyRequests(request: SubscribeRequest): RenderedResponse {
  const { translator } = request.context;
  return renderMessagePage(request, translator.t('problem.tooOften'), paragraph(translator.t('problem.tooOftenText')), {
    status: 429,
    headers: { 'Retry-After': String(limitResetSeconds) },
  });
}

export function renderUnavailable(request: SubscribeRequest, retryAfterSeconds = 30): RenderedResponse {
  const { translator } = request.context;
  return renderMessagePage(request, translator.t('problem.away'), paragraph(translator.t('problem.awayText')), {
    status: 503,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}
