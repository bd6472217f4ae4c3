import type { RenderedResponse } from '../routing/public-route.js';
import { renderDocument, getSiteTitle } from '../html/document.js';
import { html, type Markup, type TemplateValue } from '../html/html.js';
import { formStyle } from './style-forms.js';
import type { SubscribeRequest } from './subscribe-request.js';

interface FormPage {
  title: string;
  main: TemplateValue;
  status?: number;
  headers?: Record<string, string>;
  /** One that registers a service worker. */
  script?: string;
}

/** A private page in the design of the status page. Behind a signed link it is not framed, against clickjacking. */
export function renderFormPage(
  { context, path, token }: SubscribeRequest,
  { title, main, status = 200, headers = {}, script }: FormPage,
): RenderedResponse {
  const document = renderDocument(context, {
    path,
    title: `${title} – ${getSiteTitle(context.view)}`,
    description: null,
    main: html`
      <div class="leaf">
        <p class="back"><a href="${context.urlFor('')}">${context.translator.t('notice.back')}</a></p>
        <h1>${title}</h1>
        ${main}
      </div>`,
    isPrivate: true,
    style: formStyle,
    script,
  });
  const policy = document.headers!['Content-Security-Policy']!;
  return {
    ...document,
    status,
    headers: {
      ...document.headers,
      'Content-Security-Policy': token ? policy.replace('frame-ancestors *', `frame-ancestors 'none'`) : policy,
      ...headers,
    },
  };
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

/** The response of every unknown path of a page. */
export const notFound: RenderedResponse = { type: 'text/plain; charset=utf-8', status: 404, body: 'Not found.\n' };

/** To the same visitor, by GET. */
export const redirect = (url: string): RenderedResponse => ({
  type: 'text/plain; charset=utf-8',
  body: '',
  status: 303,
  headers: { Location: url },
});

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

/** The caps of callers are hourly. */
const secondsToWait = 3_600;

export function renderTooManyRequests(request: SubscribeRequest, retryAfterSeconds = secondsToWait): RenderedResponse {
  const { translator } = request.context;
  return renderMessagePage(request, translator.t('problem.tooOften'), paragraph(translator.t('problem.tooOftenText')), {
    status: 429,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}

export function renderUnavailable(request: SubscribeRequest, retryAfterSeconds = 30): RenderedResponse {
  const { translator } = request.context;
  return renderMessagePage(request, translator.t('problem.away'), paragraph(translator.t('problem.awayText')), {
    status: 503,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}
