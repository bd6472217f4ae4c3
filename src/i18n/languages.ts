import type { Catalogue } from './languages/catalogue.js';
import { type Locale, locales } from './locales.js';

/** Computed imports, so that a language has one line, in `locales`. A file that is missing fails at start. */
const modules = await Promise.all(
  locales.map(async (locale): Promise<[Locale, Catalogue]> => {
    const module = (await import(`./languages/${locale}.js`)) as { catalogue: Catalogue };
    return [locale, module.catalogue];
  }),
);

export const catalogues = Object.fromEntries(modules) as Record<Locale, Catalogue>;

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
