import { locales } from '../../i18n/locales.js';
import { getLanguageName } from '../../i18n/languages.js';
import type { RenderContext } from './render-context.js';
import { renderPageLinks, renderSubscriptionLinks, renderSupportLinks } from './header.js';
import { html, type Markup } from './html.js';

const byTag = locales.toSorted();

/** Path and query of the current page, which the language menu links to in each language. */
export interface PageLocation {
  path: string;
  query?: Record<string, string>;
  isClosed?: boolean;
}

export function renderFooter(context: RenderContext, { path, query = {}, isClosed }: PageLocation): Markup {
  const { view, translator } = context;
  const zone = translator.formatZoneInFull(view.now, view.page.zone);
  const languages = byTag.map(locale => {
    const lang: Record<string, string> = locale === view.page.locale ? {} : { lang: locale };
    const search = new URLSearchParams({ ...query, ...lang }).toString();
    const href = search ? `?${search}` : `${view.mount.path}${path}`;
    const current = locale === view.locale && html` aria-current="true"`;
    return html`
      <li><a href="${href}" lang="${locale}"${current}>${getLanguageName(locale)}</a></li>`;
  });
  return html`
    <footer><div class="in">
      ${
        !isClosed &&
        html`
      <div class="title">
        <nav aria-label="${translator.t('footer.feeds')}"><ul class="links">${renderSubscriptionLinks(
          context,
        )}</ul></nav>
        ${renderSupportLinks(context)}
      </div>
      ${renderPageLinks(context)}
      <p class="quiet" data-named="${zone}">${translator.t('footer.zone', { zone })}</p>`
      }
      <button type="button" class="scheme" hidden>${translator.t('footer.dark')}</button>
      <details class="fold">
        <summary>${translator.t('footer.language', { language: getLanguageName(view.locale) })}</summary>
        <ul class="links">${languages}</ul>
      </details>
    </div></footer>`;
}
