/** The languages of a public page; `en` is the default. */
export const locales = [
  'ar',
  'bg',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'et',
  'fi',
  'fr',
  'hu',
  'ja',
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
  'zh',
] as const;

export type Locale = (typeof locales)[number];
