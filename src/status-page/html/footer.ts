import { locales } from '../../i18n/locales.js';
import { languageName } from '../../i18n/languages.js';
import type { Canvas } from './render-context.js';
import { subscriptions } from './header.js';
import { html, type Markup } from './html.js';

/** Where the page is, so that the switch of languages stays there. */
export interface Spot {
  path: string;
  query?: Record<string, string>;
}

export function footerOf(canvas: Canvas, { path, query = {} }: Spot): Markup {
  const { view, texts } = canvas;
  const short = texts.zone(view.now, view.page.zone);
  const zone = short === view.page.timezone ? short : `${view.page.timezone} (${short})`;
  const search = (lang: Record<string, string>) => new URLSearchParams({ ...query, ...lang }).toString();
  const languages = locales.map(locale => {
    const address = search(locale === view.page.locale ? {} : { lang: locale });
    const href = address ? `?${address}` : `${view.place.path}${path}`;
    return html`<li><a href="${href}" lang="${locale}" hreflang="${locale}"${locale === view.locale && html` aria-current="true"`}>${languageName(locale)}</a></li>`;
  });
  return html`
    <footer><div class="in">
      <nav aria-label="${texts.t('footer.feeds')}"><ul class="links">${subscriptions(canvas)}</ul></nav>
      <p class="quiet">${texts.t('footer.zone', { zone })}</p>
      <details class="fold">
        <summary>${texts.t('footer.language')}: ${languageName(view.locale)}</summary>
        <ul class="links">${languages}</ul>
      </details>
    </div></footer>`;
}
