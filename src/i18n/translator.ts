import { LRUCache } from 'lru-cache';
import type { PluralForms, TextArguments, TextKey } from './languages/catalogue.js';
import { type DateFormatName, formatZoneInFull, formatZoneName, getDateTimeFormat, toIntlLocale } from './dates.js';
import { toDistance } from './distance.js';
import { catalogue as en } from './languages/en.js';
import { catalogues } from './languages.js';
import type { Locale } from './locales.js';
import { toRelativeTimeUnit } from './relative-time.js';

/**
 * Texts and formats of one language. The functions need no `this`: `const { t, formatDate } = getTranslator('de')`.
 * Zones are ids of the tz database, days are `2026-11-20`.
 */
export interface Translator {
  locale: Locale;
  direction: 'ltr' | 'rtl';
  /** The text with its placeholders filled in; numbers are formatted. Callers that write HTML escape it. */
  t<Key extends TextKey>(key: Key, ...values: TextArguments<Key>): string;
  /** `Friday, 20 November 2026` */
  formatDate(moment: Date, zone: string): string;
  /** The same for a calendar day. */
  formatDay(day: string): string;
  /** `20 Nov` */
  formatShortDay(day: string): string;
  /** `3 – 9 March 2026` */
  formatDayRange(first: string, last: string): string;
  /** `18 – 20 Nov` */
  formatShortDayRange(first: string, last: string): string;
  /** `November 2026`, given `2026-11` */
  formatMonth(month: string): string;
  /** `14:02 CET` */
  formatTime(moment: Date, zone: string): string;
  /** `20 November 2026, 14:02 CET` */
  formatDateTime(moment: Date, zone: string): string;
  /** `20 Nov, 14:02 CET`; with the year where it is not that of `now`. */
  formatShortDateTime(moment: Date, zone: string, now: Date): string;
  /** `Friday, 20 November 2026, 22:00 – 23:30 CET`, and both dates where they differ. */
  formatTimeRange(begin: Date, end: Date, zone: string): string;
  /** `CET` */
  formatZone(moment: Date, zone: string): string;
  /** `Central European Time (CET)` */
  formatZoneInFull(moment: Date, zone: string): string;
  /** Exact to the minute, below one minute to the second: `1 hour, 30 minutes`. */
  formatDuration(milliseconds: number): string;
  /** `about 2 hours`. For "ago" or "in" use `formatRelativeTime`: most languages change the noun, too. */
  formatDistance(seconds: number): string;
  /** `32 minutes ago`, `in 3 days`, `now` */
  formatRelativeTime(moment: Date, now: Date): string;
  /** `Search, Checkout and API` */
  formatList(items: Iterable<string>): string;
  formatNumber(number: number): string;
  formatDecimal(number: number, places: number): string;
  /** From 0 to 1, with up to two decimals. */
  formatPercentage(share: number): string;
  /** `Affected components: API`, with the colon of the language. */
  label(label: string, value: string): string;
  /** Upper-cases the first letter: many languages write dates and months in lower case, also at the start of a line. */
  capitalize(text: string): string;
}

/** The first of a month is an ordinal in French, which `Intl` does not know: `mardi 1er décembre`. */
const writeFirst = (locale: Locale, date: string): string =>
  locale === 'fr' ? date.replace(/(?<!\d)1 (?=\p{Letter})/u, '1er ') : date;

/** The scripts of living languages that are written from right to left. */
const rightToLeft = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg']);

/** Unbounded: at most one per language. */
const translators = new Map<Locale, Translator>();

export function getTranslator(locale: Locale): Translator {
  let translator = translators.get(locale);
  if (!translator) {
    translator = createTranslator(locale);
    translators.set(locale, translator);
  }
  return translator;
}

function createTranslator(locale: Locale): Translator {
  const intlLocale = toIntlLocale(locale);
  const catalogue = catalogues[locale];
  const pluralRules = new Intl.PluralRules(intlLocale);
  const numberFormat = new Intl.NumberFormat(intlLocale);
  const percentFormat = new Intl.NumberFormat(intlLocale, { style: 'percent', maximumFractionDigits: 2 });
  const listFormat = new Intl.ListFormat(intlLocale);
  const durationFormat = new Intl.DurationFormat(intlLocale, { style: 'long' });
  const secondsFormat = new Intl.DurationFormat(intlLocale, { style: 'long', secondsDisplay: 'always' });
  const relativeTimeFormat = new Intl.RelativeTimeFormat(intlLocale);
  const relativeNowFormat = new Intl.RelativeTimeFormat(intlLocale, { numeric: 'auto' });
  /** By minutes: `DurationFormat` is the slowest formatter, and a page repeats the same few durations. */
  const formattedDurations = new LRUCache<number, string>({ max: 2_000 });

  /** The untyped body of `t`. */
  const translate = (key: TextKey, values: Readonly<Record<string, string | number>> = {}): string => {
    const text: string | PluralForms = catalogue[key] ?? en[key];
    const form = typeof text === 'string' ? text : (text[pluralRules.select(Number(values.count))] ?? text.other);
    return form.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      return typeof value === 'number' ? numberFormat.format(value) : (value ?? '');
    });
  };
  const formatMoment = (name: DateFormatName, moment: Date, zone: string) =>
    writeFirst(locale, getDateTimeFormat(intlLocale, name, zone).format(moment));
  const parseDay = (day: string) => new Date(`${day}T00:00:00Z`);

  const translator: Translator = {
    locale,
    direction: rightToLeft.has(new Intl.Locale(locale).maximize().script!) ? 'rtl' : 'ltr',
    t: (key, ...[values]) => translate(key, values),
    formatDate: (moment, zone) => formatMoment('date', moment, zone),
    formatDay: day => formatMoment('date', parseDay(day), 'UTC'),
    formatShortDay: day => formatMoment('shortDay', parseDay(day), 'UTC'),
    formatDayRange: (first, last) =>
      getDateTimeFormat(intlLocale, 'dateWithoutWeekday', 'UTC').formatRange(parseDay(first), parseDay(last)),
    formatShortDayRange: (first, last) =>
      getDateTimeFormat(intlLocale, 'shortDay', 'UTC').formatRange(parseDay(first), parseDay(last)),
    formatMonth: month => formatMoment('month', parseDay(`${month}-01`), 'UTC'),
    formatTime: (moment, zone) =>
      translate('time.clock', {
        clock: formatMoment('clock', moment, zone),
        zone: formatZoneName(locale, moment, zone),
      }),
    formatDateTime: (moment, zone) =>
      translate('time.moment', {
        date: formatMoment('dateWithoutWeekday', moment, zone),
        time: translator.formatTime(moment, zone),
      }),
    formatShortDateTime: (moment, zone, now) => {
      const [year, thisYear] = [moment, now].map(one => getDateTimeFormat('en', 'year', zone).format(one));
      return translate('time.moment', {
        date: formatMoment(year === thisYear ? 'shortDay' : 'shortDate', moment, zone),
        time: translator.formatTime(moment, zone),
      });
    },
    formatTimeRange: (begin, end, zone) => {
      const [beginDate, endDate] = [begin, end].map(moment => formatMoment('date', moment, zone)) as [string, string];
      // Where the clocks change in between, each side names its zone.
      const isOneZone = formatZoneName(locale, begin, zone) === formatZoneName(locale, end, zone);
      const beginTime = isOneZone ? formatMoment('clock', begin, zone) : translator.formatTime(begin, zone);
      const endTime = translator.formatTime(end, zone);
      if (beginDate === endDate) {
        const time = translate('time.range', { begin: beginTime, end: endTime });
        return translate('time.moment', { date: beginDate, time });
      }
      return translate('time.range', {
        begin: translate('time.moment', { date: beginDate, time: beginTime }),
        end: translate('time.moment', { date: endDate, time: endTime }),
      });
    },
    formatZone: (moment, zone) => formatZoneName(locale, moment, zone),
    formatZoneInFull: (moment, zone) => formatZoneInFull(locale, moment, zone),
    formatDuration: milliseconds => {
      const seconds = Math.max(0, Math.round(milliseconds / 1000));
      if (seconds < 60) return secondsFormat.format({ seconds });
      const minutes = Math.floor(seconds / 60);
      let text = formattedDurations.get(minutes);
      if (text === undefined) {
        text = durationFormat.format({
          days: Math.floor(minutes / 1440),
          hours: Math.floor(minutes / 60) % 24,
          minutes: minutes % 60,
        });
        formattedDurations.set(minutes, text);
      }
      return text;
    },
    formatDistance: seconds => {
      const [key, count] = toDistance(seconds);
      return translate(key, { count });
    },
    formatRelativeTime: (moment, now) => {
      const [unit, count] = toRelativeTimeUnit((moment.getTime() - now.getTime()) / 1000);
      return (count ? relativeTimeFormat : relativeNowFormat).format(count, unit);
    },
    formatList: items => listFormat.format(items),
    formatDecimal: (number, places) =>
      number.toLocaleString(intlLocale, { minimumFractionDigits: places, maximumFractionDigits: places }),
    formatNumber: number => numberFormat.format(number),
    formatPercentage: share => percentFormat.format(share),
    label: (label, value) => translate('label.value', { label, value }),
    capitalize: text => text.charAt(0).toLocaleUpperCase(intlLocale) + text.slice(1),
  };
  return translator;
}
