import type { Locale } from './locales.js';
import { Kept } from './lru.js';

/**
 * What Intl calls the language. Dates in English are written as most of the world reads them, day before month;
 * `pt` without a country is Brazilian there, and a page that says `pt` beside `pt-BR` means the other one.
 */
export function tagOf(locale: Locale): string {
  if (locale === 'en') return 'en-GB';
  return locale === 'pt' ? 'pt-PT' : locale;
}

/** Some 30 kB each: enough for the pages that are being drawn, not for every language times every zone. */
const formats = new Kept<Intl.DateTimeFormat>(200);

const shapes = {
  date: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  dateWithoutWeekday: { day: 'numeric', month: 'long', year: 'numeric' },
  shortDay: { day: 'numeric', month: 'short' },
  month: { month: 'long', year: 'numeric' },
  // 24 hours everywhere: a zone stands behind, and "2:02" beside it would want a third word.
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  zone: { timeZoneName: 'short' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

export type Shape = keyof typeof shapes;

export function formatOf(tag: string, shape: Shape, timeZone: string): Intl.DateTimeFormat {
  return formats.get(`${tag} ${shape} ${timeZone}`, () => new Intl.DateTimeFormat(tag, { ...shapes[shape], timeZone }));
}

/** Intl knows the short names of a country's own zones only: EST in the United States, AEDT in Australia. An English page may be of any of them. */
const englishOfTheWorld = ['en-GB', 'en-US', 'en-AU', 'en-IN', 'en-ZA'];

/** `CET`, `MEZ`, `EST`; where the language has no short name for the zone, `GMT+9` in its writing. */
export function zoneName(locale: Locale, moment: Date, timeZone: string): string {
  const nameIn = (tag: string) =>
    formatOf(tag, 'zone', timeZone)
      .formatToParts(moment)
      .find(({ type }) => type === 'timeZoneName')!.value;
  if (locale !== 'en') return nameIn(tagOf(locale));
  for (const tag of englishOfTheWorld) if (!/\d/.test(nameIn(tag))) return nameIn(tag);
  return nameIn(tagOf(locale));
}
