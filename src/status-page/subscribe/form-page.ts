import type { Drawing } from '../server/public-route.js';
import { documentOf, siteTitle } from '../html/document.js';
import { html, type Markup, type Value } from '../html/html.js';
import { formStyle } from './style-forms.js';
import type { Visit } from './subscribe-request.js';

export interface Leaf {
  title: string;
  main: Value;
  status?: number;
  headers?: Record<string, string>;
}

/** A page for one visitor, in the look of the page. Forms in it go nowhere else, and those behind a signed link are not shown within other pages. */
export function sheetOf({ canvas, path, token }: Visit, { title, main, status = 200, headers = {} }: Leaf): Drawing {
  const document = documentOf(canvas, {
    path,
    title: `${title} – ${siteTitle(canvas.view)}`,
    description: null,
    main: html`<div class="leaf"><h1>${title}</h1>${main}<p><a href="${canvas.to('')}">${canvas.texts.t('notice.back')}</a></p></div>`,
    personal: true,
    style: formStyle,
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

/** A heading, a sentence, and perhaps a way on. */
export function saying(visit: Visit, title: string, sentences: Value, more: Partial<Leaf> = {}): Drawing {
  return sheetOf(visit, { title, main: html`${sentences}`, ...more });
}

/** As at every address that a page does not have. */
export const nothingHere: Drawing = { type: 'text/plain; charset=utf-8', status: 404, body: 'Not found.\n' };

export const sentence = (text: Value): Markup => html`<p>${text}</p>`;

/** Expired, used, or never signed by us: the same answer to all. */
export function invalidLink(visit: Visit): Drawing {
  const { texts, to, view } = visit.canvas;
  const again = view.page.subscriptionOptions?.length ? 'subscribe' : 'preferences';
  const link = html`<p><a href="${to(again)}">${texts.t(again === 'subscribe' ? 'subscribe.title' : 'preferences.change')}</a></p>`;
  return saying(visit, texts.t('problem.link'), [sentence(texts.t('problem.linkText')), link], { status: 410 });
}

export function tooOften(visit: Visit, seconds: number): Drawing {
  const { texts } = visit.canvas;
  return saying(visit, texts.t('problem.tooOften'), sentence(texts.t('problem.tooOftenText')), {
    status: 429,
    headers: { 'Retry-After': String(seconds) },
  });
}

export function away(visit: Visit, seconds = 30): Drawing {
  const { texts } = visit.canvas;
  return saying(visit, texts.t('problem.away'), sentence(texts.t('problem.awayText')), {
    status: 503,
    headers: { 'Retry-After': String(seconds) },
  });
}
