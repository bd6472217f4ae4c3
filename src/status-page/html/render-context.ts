import { type Translator, getTranslator } from '../../i18n/translator.js';
import type { PageView } from '../view/view.js';
import { html, Markup } from './html.js';

/** What every section needs to render: the view, the texts of its language, and URLs within the page. */
export interface RenderContext {
  view: PageView;
  translator: Translator;
  /** The URL of a route of this page. Keeps the language that the visitor chose. */
  urlFor(path: string, query?: Record<string, string>): string;
  /** Attributes of an element with text of the operator: `dir`, and `lang` where it differs from the document's. */
  contentAttributes: Markup;
  /** The page with the list of components; '' on that page itself. */
  componentsUrl: string;
  /** The level of the first headings of texts: one below the heading above them. */
  textHeadings: 3 | 4;
}

export function createRenderContext(view: PageView): RenderContext {
  const isOwnLanguage = view.locale === view.page.locale;
  const urlFor: RenderContext['urlFor'] = (path, query = {}) => {
    const search = new URLSearchParams(isOwnLanguage ? query : { ...query, lang: view.locale }).toString();
    return `${view.mount.path}${path}${search && `?${search}`}`;
  };
  return {
    view,
    translator: getTranslator(view.locale),
    urlFor,
    componentsUrl: urlFor(''),
    textHeadings: 4,
    contentAttributes: isOwnLanguage ? html` dir="auto"` : html` lang="${view.page.locale}" dir="auto"`,
  };
}

/** A placeholder for markup in a translated text: a control character, which no text contains. */
export const slot = '\u0001';

/** Replaces the slot of a text with markup. */
export function fillSlot(text: string, markup: Markup): Markup {
  const [before = '', after = ''] = text.split(slot);
  return html`${before}${markup}${after}`;
}
