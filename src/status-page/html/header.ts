import type { Canvas } from './render-context.js';
import { html, type Markup } from './html.js';

/** The name (the heading of the front page, else the way back to it), how to reach the people behind, and how to hear of what happens. */
export function headerOf(canvas: Canvas, isFront: boolean): Markup {
  const { view, texts, to, own } = canvas;
  const name = html`<a href="${to('')}"${own}>${view.page.name}</a>`;
  return html`
    <header class="top">
      <div class="nav"><div class="in">
        ${isFront ? html`<h1 class="name">${name}</h1>` : html`<p class="name">${name}</p>`}
        <a class="past-link" href="${to('history')}">${texts.t('history.title')}</a>
        ${view.page.subscriptionOptions?.length ? html`<p class="menu"><a href="${to('subscribe')}">${texts.t('subscribe.button')}</a></p>` : feedMenu(canvas)}
      </div></div>
      ${supportOf(canvas)}
    </header>`;
}

/** Where the page sends nothing, a visitor can still have it fetched. */
function feedMenu(canvas: Canvas): Markup {
  const { texts } = canvas;
  return html`
    <details class="menu">
      <summary>${texts.t('subscribe.button')}</summary>
      <ul aria-label="${texts.t('subscribe.title')}">${subscriptions(canvas)}</ul>
    </details>`;
}

export const feeds = [
  ['feed.atom', 'Atom', 'application/atom+xml'],
  ['feed.rss', 'RSS', 'application/rss+xml'],
  ['feed.json', 'JSON Feed', 'application/feed+json'],
] as const;

/** Each with its type, so that a browser hands it to the program that reads it. */
export function subscriptions({ texts, to }: Canvas): Markup[] {
  const links = [...feeds, ['calendar.ics', texts.t('footer.calendar'), 'text/calendar'] as const];
  return links.map(([path, name, type]) => html`<li><a href="${to(path)}" type="${type}">${name}</a></li>`);
}

function supportOf({ view: { page }, texts }: Canvas): Markup | null {
  const ways = [
    page.supportUrl &&
      /^https?:/i.test(page.supportUrl) &&
      ([page.supportUrl, readableAddress(page.supportUrl)] as const),
    page.supportEmail && ([`mailto:${page.supportEmail}`, page.supportEmail] as const),
    page.supportTelephone && ([`tel:${page.supportTelephone.replace(/[^\d+]/g, '')}`, page.supportTelephone] as const),
  ].filter(way => way !== null && typeof way === 'object');
  if (!ways.length) return null;
  return html`
    <nav class="in support" aria-label="${texts.t('support.title')}"><ul>
      ${ways.map(([address, text]) => html`<li><a href="${address}"><bdi>${text}</bdi></a></li>`)}
    </ul></nav>`;
}

/** `https://help.example.com/` reads `help.example.com`. */
function readableAddress(url: string): string {
  return url.replace(/^https?:\/\//i, '').replace(/\/$/, '');
}
