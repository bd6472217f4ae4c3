import { LRUCache } from 'lru-cache';
import type { Locale } from './locales.js';

/**
 * The locale that `Intl` gets. English dates use `en-GB`, since most of the world writes the day before the month.
 * `pt` is European Portuguese here: `Intl` takes it for Brazilian, which is `pt-BR` beside it.
 */
export function toIntlLocale(locale: Locale): string {
  if (locale === 'en') return 'en-GB';
  return locale === 'pt' ? 'pt-PT' : locale;
}

const formatOptions = {
  date: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  dateWithoutWeekday: { day: 'numeric', month: 'long', year: 'numeric' },
  shortDay: { day: 'numeric', month: 'short' },
  shortDate: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  year: { year: 'numeric' },
  // 24 hours in every language but American English: the zone follows the time, as in "14:02 CET".
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  zone: { timeZoneName: 'short' },
  zoneInFull: { timeZoneName: 'longGeneric' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

export type DateFormatName = keyof typeof formatOptions;

/** What a language writes otherwise: `2026年11月22日(日)`, `2:02 PM`. */
const overrides: Record<string, Partial<Record<DateFormatName, Intl.DateTimeFormatOptions>>> = {
  ja: { date: { weekday: 'short' } },
  'en-US': { clock: { hour: 'numeric', hourCycle: 'h12' } },
};

/** About 30 kB each: enough for the pages being rendered, not for every language times every zone. */
const dateTimeFormats = new LRUCache<string, Intl.DateTimeFormat>({ max: 200 });

export function getDateTimeFormat(intlLocale: string, name: DateFormatName, timeZone: string): Intl.DateTimeFormat {
  const key = `${intlLocale} ${name} ${timeZone}`;
  let format = dateTimeFormats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(intlLocale, {
      ...formatOptions[name],
      ...overrides[intlLocale]?.[name],
      timeZone,
    });
    dateTimeFormats.set(key, format);
  }
  return format;
}

/** `Intl` has short zone names only for the country of a locale: EST in `en-US`, AEDT in `en-AU`. */
const englishLocales = ['en-GB', 'en-US', 'en-AU', 'en-IN', 'en-ZA'];

/** `CET`, `MEZ`, `EST`; without a short name in the language, the offset as the language writes it: `GMT+9`. */
export function formatZoneName(locale: Locale, moment: Date, timeZone: string): string {
  const nameIn = (intlLocale: string) => findZonePart(intlLocale, 'zone', moment, timeZone);
  const own = toIntlLocale(locale);
  const isEnglish = locale === 'en' || locale === 'en-US';
  const named = isEnglish && [own, ...englishLocales].find(candidate => !/\d/.test(nameIn(candidate)));
  const name = nameIn(named || own);
  // London in winter is "GMT+0" in languages that have no name for its zone.
  return name.replace(/\+0$/, '');
}

/** `Central European Time (CET)`: the name in the language, where it has one, and the short name. */
export function formatZoneInFull(locale: Locale, moment: Date, timeZone: string): string {
  const short = formatZoneName(locale, moment, timeZone);
  const full = findZonePart(toIntlLocale(locale), 'zoneInFull', moment, timeZone);
  return /\d/.test(full) || full === short ? short : `${full} (${short})`;
}

const findZonePart = (intlLocale: string, name: DateFormatName, moment: Date, timeZone: string): string =>
  getDateTimeFormat(intlLocale, name, timeZone)
    .formatToParts(moment)
    .find(({ type }) => type === 'timeZoneName')!.value;

/** Whether the clocks of a zone show UTC at these moments, whatever the zone is called: London in winter. */
export function showsUtc(moments: readonly Date[], timeZone: string): boolean {
  const [local, utc] = [timeZone, 'UTC'].map(zone => getDateTimeFormat('en', 'clock', zone));
  return moments.every(moment => local!.format(moment) === utc!.format(moment));
}
