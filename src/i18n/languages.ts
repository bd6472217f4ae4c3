import type { Locale } from './locales.js';
import { ar } from './languages/ar.js';
import { bg } from './languages/bg.js';
import { cs } from './languages/cs.js';
import { da } from './languages/da.js';
import { de } from './languages/de.js';
import { el } from './languages/el.js';
import { en } from './languages/en.js';
import { enUS } from './languages/en-US.js';
import { es } from './languages/es.js';
import { et } from './languages/et.js';
import { fi } from './languages/fi.js';
import { fr } from './languages/fr.js';
import { hu } from './languages/hu.js';
import { ja } from './languages/ja.js';
import { lt } from './languages/lt.js';
import { nb } from './languages/nb.js';
import { nl } from './languages/nl.js';
import { pl } from './languages/pl.js';
import { pt } from './languages/pt.js';
import { ptBR } from './languages/pt-BR.js';
import { ro } from './languages/ro.js';
import { ru } from './languages/ru.js';
import { sk } from './languages/sk.js';
import { sv } from './languages/sv.js';
import type { Catalogue } from './catalogue.js';
import { zh } from './languages/zh.js';

export const catalogues: Record<Locale, Catalogue> = {
  ar,
  bg,
  cs,
  da,
  de,
  el,
  en,
  'en-US': enUS,
  es,
  et,
  fi,
  fr,
  hu,
  ja,
  lt,
  nb,
  nl,
  pl,
  pt,
  'pt-BR': ptBR,
  ro,
  ru,
  sk,
  sv,
  zh,
};

/** By locale. Every page lists all of them, and looking them up takes longer than rendering the rest of the list. */
const languageNames = new Map<Locale, string>();

/** The name of a language in that language, capitalized for a menu: `Français`. */
export function getLanguageName(locale: Locale): string {
  let name = languageNames.get(locale);
  if (!name) {
    name = new Intl.DisplayNames(locale, { type: 'language' }).of(locale)!;
    name = name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
    languageNames.set(locale, name);
  }
  return name;
}
