import type { Locale } from '../pages/locales.js';
import { ar } from './ar.js';
import { bg } from './bg.js';
import { cs } from './cs.js';
import { da } from './da.js';
import { de } from './de.js';
import { el } from './el.js';
import { en } from './en.js';
import { es } from './es.js';
import { et } from './et.js';
import { fi } from './fi.js';
import { fr } from './fr.js';
import { hu } from './hu.js';
import { ja } from './ja.js';
import { lt } from './lt.js';
import { nb } from './nb.js';
import { nl } from './nl.js';
import { pl } from './pl.js';
import { pt } from './pt.js';
import { ptBrazilian } from './pt-BR.js';
import { ro } from './ro.js';
import { ru } from './ru.js';
import { sk } from './sk.js';
import { sv } from './sv.js';
import type { Words } from './words.js';
import { zh } from './zh.js';

export const wordsOf: Record<Locale, Words> = {
  ar,
  bg,
  cs,
  da,
  de,
  el,
  en,
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
  'pt-BR': ptBrazilian,
  ro,
  ru,
  sk,
  sv,
  zh,
};

/** What a language calls itself, as it stands in a menu: `Français`. */
export function languageName(locale: Locale): string {
  const name = new Intl.DisplayNames(locale, { type: 'language' }).of(locale)!;
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}
