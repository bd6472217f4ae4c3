import { tagOf } from '../../i18n/dates.js';
import type { Drawing } from '../server/public-route.js';
import { analyticsOf } from './analytics.js';
import { staleness } from './banner-panel.js';
import type { Canvas } from './render-context.js';
import { footerOf, type Spot } from './footer.js';
import { feeds, headerOf } from './header.js';
import { html, Markup, textOf } from './html.js';
import { shapesOf } from './icons.js';
import { policyOf } from './content-security-policy.js';
import { script } from './script.js';
import { styleOf } from './style.js';

export interface Sheet extends Spot {
  title: string;
  description: string | null;
  main: Markup;
  /** The front page says so in its header. */
  isFront?: boolean;
  /** In a frame on another site: nothing around the content, links that leave the frame, and no count of visits, which are that site's. */
  embedded?: boolean;
  /** For one visitor: its address may be a secret, and nobody else is to learn of it, or to find it. */
  personal?: boolean;
  /** Style that only this document needs. */
  style?: string;
  /** Addresses that say the same name this one. */
  canonical?: string;
}

/** A whole document in one answer: its style and script are in it, and nothing is fetched but the sign in the browser's tab. */
export function documentOf(canvas: Canvas, sheet: Sheet): Drawing {
  const { view, texts } = canvas;
  const main = (heading: Markup | null) =>
    html`<main id="main" class="in" tabindex="-1">${heading}${staleness(canvas)}${sheet.main}</main>`;
  const body = sheet.embedded
    ? main(html`<h1 class="unseen"${canvas.own}>${view.page.name}</h1>`)
    : html`
    <a class="skip" href="#main">${texts.t('page.skip')}</a>
    ${headerOf(canvas, sheet.isFront ?? false)}
    ${main(null)}
    ${footerOf(canvas, sheet)}`;
  const style = styleOf(view, sheet.style);
  const analytics = sheet.personal || sheet.embedded ? null : analyticsOf(view.page.vendorAnalyticsId);
  const scripts = [script, ...(analytics ? [analytics.script] : [])];
  const document = html`
    <!doctype html>
    <html lang="${view.locale}" dir="${texts.direction}">
    <head>
      ${sheet.personal ? personalHeadOf(canvas, sheet) : headOf(canvas, sheet)}
      <style>${new Markup(style)}</style>
      ${analytics?.loader}
    </head>
    <body data-tag="${tagOf(view.locale)}" data-zone="${view.page.zone}" data-yours="${texts.t('time.yours')}">
      ${shapesOf(body)}${body}
      ${scripts.map(text => html`<script>${new Markup(text)}</script>`)}
    </body>
    </html>`;
  return {
    type: 'text/html; charset=utf-8',
    body: textOf(document),
    headers: {
      'Content-Security-Policy': policyOf(style, scripts, analytics?.sources),
      'Referrer-Policy': sheet.personal ? 'no-referrer' : 'strict-origin-when-cross-origin',
    },
  };
}

function headOf({ view, texts, to }: Canvas, { path, title, description, canonical = path, embedded }: Sheet): Markup {
  const { page, place } = view;
  const address = `${place.canonical}${canonical}`;
  return html`
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    ${description && html`<meta name="description" content="${description}"><meta property="og:description" content="${description}">`}
    ${!page.visibleToSearch && html`<meta name="robots" content="noindex, nofollow">`}
    ${embedded && html`<base target="_blank">`}
    <link rel="canonical" href="${address}">
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="${siteTitle(view)}">
    <meta property="og:title" content="${title}">
    <meta property="og:url" content="${address}">
    <meta name="twitter:card" content="summary">
    <link rel="icon" type="image/svg+xml" href="${place.path}favicon.svg?${view.banner.kind}">
    ${feeds.map(([feed, name, type]) => html`<link rel="alternate" type="${type}" title="${texts.t('feed.title', { page: page.name })} (${name})" href="${to(feed)}">`)}
    <link rel="alternate" type="text/calendar" title="${texts.t('feed.calendarTitle', { page: page.name })}" href="${to('calendar.ics')}">`;
}

function personalHeadOf({ view: { place, banner } }: Canvas, { title }: Sheet): Markup {
  return html`
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <meta name="robots" content="noindex, nofollow">
    <meta name="referrer" content="no-referrer">
    <link rel="icon" type="image/svg+xml" href="${place.path}favicon.svg?${banner.kind}">`;
}

/** What the page is called to search engines and in tabs. */
export function siteTitle({ page }: Canvas['view']): string {
  return page.metaTitle ?? page.name;
}
