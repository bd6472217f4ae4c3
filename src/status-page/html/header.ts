import { getBrandImagePath } from '../../pages/branding/brand-image.js';
import { offersPush } from '../view/offers-push.js';
import type { PageView } from '../view/view.js';
import type { RenderContext } from './render-context.js';
import { html, type Markup } from './html.js';

interface HeaderOptions {
  /** The name is the heading of the page. */
  isFrontPage?: boolean;
  /** Without links. */
  isClosed?: boolean;
}

/** The name (a heading on the front page) and the links to history and subscribe form. */
export function renderHeader(context: RenderContext, { isFrontPage, isClosed }: HeaderOptions): Markup {
  const { view, translator, urlFor, contentAttributes } = context;
  const name = html`<a href="${urlFor('')}"${contentAttributes}>${renderLogo(view) ?? view.page.name}</a>`;
  return html`
    <header class="top">
      <div class="nav"><div class="in">
        ${isFrontPage ? html`<h1 class="name">${name}</h1>` : html`<p class="name">${name}</p>`}
        ${
          !isClosed &&
          html`
        <a class="past-link" href="${urlFor('history')}">${translator.t('history.title')}</a>
        ${renderSubscribeMenu(context)}`
        }
      </div></div>
    </header>`;
}

/** The logo in place of the name, which it has as its alternative text. Null where the page has none. */
function renderLogo({ images: { logo, logoDark }, mount, page }: PageView): Markup | null {
  if (!logo) return null;
  const { width, height } = logo;
  const dark =
    logoDark &&
    html`<source media="(prefers-color-scheme:dark)" srcset="${mount.path}${getBrandImagePath('logoDark', logoDark)}">`;
  const source = `${mount.path}${getBrandImagePath('logo', logo)}`;
  const image = html`<img class="logo" src="${source}" alt="${page.name}" width="${width}" height="${height}">`;
  return html`<picture>${dark}${image}</picture>`;
}

export const methodLabels = { email: 'subscribe.byEmail', sms: 'subscribe.bySms', push: 'subscribe.byPush' } as const;

/** The ways to subscribe to messages, without webhooks. */
export const listMessageMethods = (view: PageView): (keyof typeof methodLabels)[] => [
  ...(view.page.subscriptionOptions ?? []),
  ...(offersPush(view) ? (['push'] as const) : []),
];

/** All ways to subscribe: by message, if the page sends any, by feed and by calendar. */
function renderSubscribeMenu(context: RenderContext): Markup {
  const { translator, urlFor, view } = context;
  const forms = listMessageMethods(view).map(method => {
    const url = urlFor('subscribe', method === 'email' ? {} : { by: method });
    return html`<li><a href="${url}">${translator.t(methodLabels[method])}</a></li>`;
  });
  if (view.page.offersWebhooks)
    forms.push(html`<li><a href="${urlFor('subscribe', { by: 'slack' })}">Slack, Teams, Discord, Webhook</a></li>`);
  return html`
    <details class="menu">
      <summary>${translator.t('subscribe.button')}</summary>
      <ul aria-label="${translator.t('subscribe.title')}">${forms}${renderSubscriptionLinks(context)}</ul>
    </details>`;
}

export const feeds = [
  ['feed.atom', 'Atom', 'application/atom+xml'],
  ['feed.rss', 'RSS', 'application/rss+xml'],
  ['feed.json', 'JSON Feed', 'application/feed+json'],
] as const;

export const renderBackLink = ({ translator, urlFor }: RenderContext): Markup =>
  html`<p class="back"><a href="${urlFor('')}">${translator.t('notice.back')}</a></p>`;

/** Links to the feeds and the calendar. The type lets the browser open the right application. */
export function renderSubscriptionLinks({ view, translator, urlFor }: RenderContext): Markup[] {
  // Programs need the key of the visitor, which is not on a page that all visitors share.
  if (view.page.access) return [html`<li><a href="${urlFor('access')}">${translator.t('private.feeds')}</a></li>`];
  const updates = translator.t('footer.feedOfUpdates');
  const [atom, rss, json] = feeds;
  const links = [
    ...[atom, rss].map(feed => [...feed, {}] as const),
    [rss[0], updates, rss[2], { updates: '1' }] as const,
    [...json, {}] as const,
    ['calendar.ics', translator.t('footer.calendar'), 'text/calendar', {}] as const,
  ];
  return links.map(
    ([path, name, type, query]) => html`<li><a href="${urlFor(path, query)}" type="${type}">${name}</a></li>`,
  );
}

/** The website, the privacy policy and the terms of use. */
export function renderPageLinks({ view: { page }, translator }: RenderContext): Markup | null {
  const links = [
    [page.websiteUrl, page.websiteUrl && toDisplayUrl(page.websiteUrl)],
    [page.privacyUrl, translator.t('footer.privacy')],
    [page.termsUrl, translator.t('footer.terms')],
  ].filter(([url]) => url && isWebAddress(url));
  if (!links.length) return null;
  return html`
    <ul class="links">${links.map(([url, text]) => html`<li><a href="${url}"><bdi>${text}</bdi></a></li>`)}</ul>`;
}

export function renderSupportLinks({ view: { page }, translator }: RenderContext): Markup | null {
  const contacts = [
    page.supportUrl && isWebAddress(page.supportUrl) && ([page.supportUrl, toDisplayUrl(page.supportUrl)] as const),
    page.supportEmail && ([`mailto:${page.supportEmail}`, page.supportEmail] as const),
    page.supportTelephone && ([`tel:${page.supportTelephone.replace(/[^\d+]/g, '')}`, page.supportTelephone] as const),
  ].filter(contact => contact !== null && typeof contact === 'object');
  if (!contacts.length) return null;
  return html`
    <nav aria-label="${translator.t('support.title')}"><ul class="links">
      ${contacts.map(([url, text]) => html`<li><a href="${url}"><bdi>${text}</bdi></a></li>`)}
    </ul></nav>`;
}

const isWebAddress = (url: string): boolean => /^https?:/i.test(url);

/** `https://help.example.com/` becomes `help.example.com`. */
function toDisplayUrl(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/\/$/, '');
}
