import { getBrandImagePath } from '../../pages/branding/brand-image.js';
import { imageTypes } from '../../pages/images/measure.js';
import { readBrowserScript } from '../../core/browser-script.js';
import { toIntlLocale } from '../../i18n/dates.js';
import type { RenderedResponse } from '../routing/public-route.js';
import { createAnalytics } from './analytics.js';
import { renderStaleWarning } from './banner-panel.js';
import type { RenderContext } from './render-context.js';
import { renderFooter, type PageLocation } from './footer.js';
import { feeds, renderHeader } from './header.js';
import { html, Markup, renderToString } from './html.js';
import { renderIconDefinitions } from './icons.js';
import { buildContentSecurityPolicy } from './content-security-policy.js';
import { socialImageSize } from './social-image.js';
import { buildStylesheet } from './style.js';

const schemeScript = readBrowserScript('scheme');
const clientScript = readBrowserScript('page');

interface DocumentOptions extends PageLocation {
  title: string;
  description: string | null;
  main: Markup;
  /** On the front page the name in the header is the h1. */
  isFrontPage?: boolean;
  /** In a frame on another site: without header, footer and analytics, and with links that leave the frame. */
  isEmbedded?: boolean;
  /** For visitors who may not see the page: header and footer lead nowhere but to other languages. */
  isClosed?: boolean;
  /** For one visitor: the URL may contain a secret, so it is hidden from search engines, referrers and analytics. */
  isPrivate?: boolean;
  /**
   * False: no site may frame it, against clickjacking. Any site may frame the others: they have no session and no
   * actions to hijack, and operators embed them in their portals.
   */
  isFramable?: boolean;
  style?: string;
  /** Registers a service worker of the page. */
  script?: string;
  /** The path of the canonical URL, if other paths show the same content. */
  canonical?: string;
}

/** Renders a document with inline style and script: the browser fetches nothing but the favicon. */
export function renderDocument(context: RenderContext, options: DocumentOptions): RenderedResponse {
  const { view, translator } = context;
  const renderMain = (heading: Markup | null) => {
    const content = html`${heading}${renderStaleWarning(context)}${options.main}`;
    return html`<main id="main" class="in" tabindex="-1" data-state="${view.banner.kind}">${content}</main>`;
  };
  const body = options.isEmbedded
    ? renderMain(html`<h1 class="unseen"${context.contentAttributes}>${view.page.name}</h1>`)
    : html`
    <a class="skip" href="#main">${translator.t('page.skip')}</a>
    ${renderHeader(context, options)}
    ${renderMain(null)}
    ${renderFooter(context, options)}`;
  const style = buildStylesheet(view, options.style);
  const analytics = options.isPrivate || options.isEmbedded ? null : createAnalytics(view.page.vendorAnalyticsId);
  const headScripts = options.isEmbedded ? [] : [schemeScript];
  const scripts = [clientScript, options.script, analytics?.script].filter(script => script !== undefined);
  const localTime = translator.t('time.yours');
  const intlLocale = toIntlLocale(view.locale);
  // A form must not be replaced while somebody fills it in.
  const hasEvents = view.changeCount !== null && !options.isPrivate;
  const eventAttributes =
    hasEvents && html` data-events="${view.mount.path}events?after=" data-after="${view.changeCount}"`;
  const document = html`
    <!doctype html>
    <html lang="${view.locale}" dir="${translator.direction}">
    <head>
      ${options.isPrivate ? renderPrivateHead(context, options) : renderHead(context, options)}
      <style>${new Markup(style)}</style>
      ${headScripts.map(renderScript)}
      ${analytics?.loader}
    </head>
    <body data-tag="${intlLocale}" data-zone="${view.page.zone}" data-yours="${localTime}"${eventAttributes}>
      ${renderIconDefinitions(body)}${body}
      ${scripts.map(renderScript)}
    </body>
    </html>`;
  return {
    type: 'text/html; charset=utf-8',
    body: renderToString(document),
    headers: {
      'Content-Security-Policy': buildContentSecurityPolicy({
        style,
        scripts: [...headScripts, ...scripts],
        hasEvents,
        isFramable: options.isFramable ?? true,
        additional: options.script ? { 'worker-src': ["'self'"] } : analytics?.sources,
      }),
      'Referrer-Policy': options.isPrivate ? 'no-referrer' : 'strict-origin-when-cross-origin',
    },
  };
}

const renderScript = (text: string): Markup => html`<script>${new Markup(text)}</script>`;

function renderHead(
  { view, translator, urlFor }: RenderContext,
  { path, title, description, canonical = path, isEmbedded }: DocumentOptions,
): Markup {
  const { page, mount } = view;
  const canonicalUrl = `${mount.canonical}${canonical}`;
  const calendarTitle = translator.t('feed.calendarTitle', { page: page.name });
  const feedTitle = translator.t('feed.title', { page: page.name });
  return html`
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    ${
      description &&
      html`
      <meta name="description" content="${description}">
      <meta property="og:description" content="${description}">`
    }
    ${!page.isVisibleToSearch && html`<meta name="robots" content="noindex, nofollow">`}
    ${isEmbedded && html`<base target="_blank">`}
    <link rel="canonical" href="${canonicalUrl}">
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="${getSiteTitle(view)}">
    <meta property="og:title" content="${title}">
    <meta property="og:url" content="${canonicalUrl}">
    <meta property="og:image" content="${mount.canonical}og.png?${view.banner.kind}">
    <meta property="og:image:width" content="${socialImageSize.width}">
    <meta property="og:image:height" content="${socialImageSize.height}">
    <meta name="twitter:card" content="summary_large_image">
    ${renderIconLink(view)}
    ${
      !page.access && [
        ...feeds.map(([path, name, type]) => renderAlternate(type, `${feedTitle} (${name})`, urlFor(path))),
        renderAlternate('text/calendar', calendarTitle, urlFor('calendar.ics')),
      ]
    }`;
}

function renderAlternate(type: string, title: string, url: string): Markup {
  return html`<link rel="alternate" type="${type}" title="${title}" href="${url}">`;
}

function renderPrivateHead({ view }: RenderContext, { title, isClosed }: DocumentOptions): Markup {
  return html`
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <meta name="robots" content="noindex, nofollow">
    <meta name="referrer" content="no-referrer">
    ${isClosed ? noIconLink : renderIconLink(view)}`;
}

/** The icons of the page are refused, too; without a link browsers ask for /favicon.ico. */
const noIconLink = html`<link rel="icon" href="data:,">`;

/** The icon of the brand, or one that shows the state. */
function renderIconLink({ mount, banner, images: { favicon } }: RenderContext['view']): Markup {
  const [type, path] = favicon
    ? [imageTypes[favicon.format], getBrandImagePath('favicon', favicon)]
    : [imageTypes.svg, `favicon.svg?${banner.kind}`];
  return html`<link rel="icon" type="${type}" href="${mount.path}${path}">`;
}

/** The name of the page for search engines and browser tabs. */
export function getSiteTitle({ page }: RenderContext['view']): string {
  return page.metaTitle ?? page.name;
}
