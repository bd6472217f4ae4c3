/**
 * The languages of a public page, each with a file in `languages`; `en` is the default, and `en-US` has American dates
 * and times. The descriptions of the API name them in this order.
 */
export const locales = [
  'bg',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'en-US',
  'es',
  'et',
  'fi',
  'fr',
  'hu',
  'lt',
  'nb',
  'nl',
  'pl',
  'pt',
  'pt-BR',
  'ro',
  'ru',
  'sk',
  'sv',
  'ar',
  'ja',
  'zh',
] as const;

export type Locale = (typeof locales)[number];

/** The language of a code in upper or lower case; null if there is none. */
export function findLocale(code: string | null | undefined): Locale | null {
  const lowerCase = code?.toLowerCase();
  return locales.find(locale => locale.toLowerCase() === lowerCase) ?? null;
}
