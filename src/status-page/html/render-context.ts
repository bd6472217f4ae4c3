import { type Texts, textsOf } from '../../i18n/translator.js';
import type { PageView } from '../view/view.js';
import { html, Markup } from './html.js';

/** What every section is drawn with: what the page says, the words for it, and addresses within it. */
export interface Canvas {
  view: PageView;
  texts: Texts;
  /** The address of a face of this page. The language that a visitor chose goes with it. */
  to(path: string, query?: Record<string, string>): string;
  /** Attributes of an element that holds the operator's own words: their language where it is another one, and their direction. */
  own: Markup;
}

export function canvasOf(view: PageView): Canvas {
  const isOwnLanguage = view.locale === view.page.locale;
  return {
    view,
    texts: textsOf(view.locale),
    to: (path, query = {}) => {
      const search = new URLSearchParams(isOwnLanguage ? query : { ...query, lang: view.locale }).toString();
      return `${view.place.path}${path}${search && `?${search}`}`;
    },
    own: isOwnLanguage ? html` dir="auto"` : html` lang="${view.page.locale}" dir="auto"`,
  };
}

/** Stands where markup will, while a text is made: no text has this character. */
export const slot = '\u0001';

/** A text that was made with a slot, and what goes there. */
export function filled(text: string, markup: Markup): Markup {
  const [before = '', after = ''] = text.split(slot);
  return html`${before}${markup}${after}`;
}
