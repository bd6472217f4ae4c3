import type { Locale } from './locales.js';
import { formatOf, tagOf, zoneName } from './dates.js';
import { distanceOf } from './durations.js';
import { en } from './languages/en.js';
import { Kept } from './lru.js';
import { wordsOf } from './languages.js';
import { relativeUnit } from './relative-time.js';
import type { ArgumentsFor, Plural, TextKey } from './catalogue.js';

/** What a language says. The functions need no `this`: `const { t, date } = textsOf('de')`. Zones are ids of the tz database, days `2026-11-20`. */
export interface Texts {
  locale: Locale;
  direction: 'ltr' | 'rtl';
  /** Nothing in it is escaped, neither the text nor the values: who writes HTML escapes the result. Numbers are written as the language writes them. */
  t<Key extends TextKey>(key: Key, ...values: ArgumentsFor<Key>): string;
  /** `Friday, 20 November 2026` */
  date(moment: Date, zone: string): string;
  /** The same of a calendar day. */
  day(day: string): string;
  /** `20 Nov` */
  shortDay(day: string): string;
  /** `3 – 9 March 2026` */
  days(first: string, last: string): string;
  /** `November 2026`, of `2026-11` */
  month(month: string): string;
  /** `14:02 CET` */
  time(moment: Date, zone: string): string;
  /** `20 November 2026, 14:02 CET` */
  dateTime(moment: Date, zone: string): string;
  /** `Friday, 20 November 2026, 22:00 – 23:30 CET`, and both dates where they differ. */
  window(begin: Date, end: Date, zone: string): string;
  /** `CET` */
  zone(moment: Date, zone: string): string;
  /** Exact to the minute, below one to the second: `1 hour, 30 minutes`. */
  duration(milliseconds: number): string;
  /** `about 2 hours`: the distance in words. To say "ago" or "in" use `relative`: no language but English makes it by adding a word. */
  about(seconds: number): string;
  /** `32 minutes ago`, `in 3 days`, `now` */
  relative(moment: Date, now: Date): string;
  /** `Search, Checkout and API` */
  list(items: Iterable<string>): string;
  number(number: number): string;
  /** With a capital in front: dates and months at the beginning of a line begin small in many languages. */
  capital(text: string): string;
}

const made = new Map<Locale, Texts>();

/** There are as many as languages, so all are kept. */
export function textsOf(locale: Locale): Texts {
  let texts = made.get(locale);
  if (!texts) {
    texts = makeTexts(locale);
    made.set(locale, texts);
  }
  return texts;
}

function makeTexts(locale: Locale): Texts {
  const tag = tagOf(locale);
  const words = wordsOf[locale];
  const plurals = new Intl.PluralRules(tag);
  const numbers = new Intl.NumberFormat(tag);
  const lists = new Intl.ListFormat(tag);
  const durations = new Intl.DurationFormat(tag, { style: 'long' });
  /** By minutes: the dearest of the formatters, and a page says the same few again and again. */
  const saidDurations = new Kept<string>(2_000);
  const underAMinute = new Intl.DurationFormat(tag, { style: 'long', secondsDisplay: 'always' });
  const relatives = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });
  const exactRelatives = new Intl.RelativeTimeFormat(tag);

  /** The untyped inside of `t`. */
  const say = (key: TextKey, values: Readonly<Record<string, string | number>> = {}): string => {
    const text: string | Plural = words[key] ?? en[key];
    const form = typeof text === 'string' ? text : (text[plurals.select(Number(values.count))] ?? text.other);
    return form.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      return typeof value === 'number' ? numbers.format(value) : (value ?? '');
    });
  };
  const inZone = (shape: Parameters<typeof formatOf>[1], moment: Date, zone: string) =>
    formatOf(tag, shape, zone).format(moment);
  const onDay = (day: string) => new Date(`${day}T00:00:00Z`);
  const withZone = (clock: string, moment: Date, zone: string) =>
    say('time.clock', { clock, zone: zoneName(locale, moment, zone) });

  const texts: Texts = {
    locale,
    direction: locale === 'ar' ? 'rtl' : 'ltr',
    t: (key, ...[values]) => say(key, values),
    date: (moment, zone) => inZone('date', moment, zone),
    day: day => inZone('date', onDay(day), 'UTC'),
    shortDay: day => inZone('shortDay', onDay(day), 'UTC'),
    days: (first, last) => formatOf(tag, 'dateWithoutWeekday', 'UTC').formatRange(onDay(first), onDay(last)),
    month: month => inZone('month', onDay(`${month}-01`), 'UTC'),
    time: (moment, zone) => withZone(inZone('clock', moment, zone), moment, zone),
    dateTime: (moment, zone) =>
      say('time.moment', { date: inZone('dateWithoutWeekday', moment, zone), time: texts.time(moment, zone) }),
    window: (begin, end, zone) => {
      const dayOf = (moment: Date) => inZone('date', moment, zone);
      // Where the clocks change in between, each side names its zone.
      const isOneZone = zoneName(locale, begin, zone) === zoneName(locale, end, zone);
      const beginTime = isOneZone ? inZone('clock', begin, zone) : texts.time(begin, zone);
      if (dayOf(begin) === dayOf(end)) {
        return say('time.moment', {
          date: dayOf(begin),
          time: say('time.range', { begin: beginTime, end: texts.time(end, zone) }),
        });
      }
      return say('time.range', {
        begin: say('time.moment', { date: dayOf(begin), time: beginTime }),
        end: say('time.moment', { date: dayOf(end), time: texts.time(end, zone) }),
      });
    },
    zone: (moment, zone) => zoneName(locale, moment, zone),
    duration: milliseconds => {
      const seconds = Math.max(0, Math.round(milliseconds / 1000));
      if (seconds < 60) return underAMinute.format({ seconds });
      const minutes = Math.floor(seconds / 60);
      return saidDurations.get(`${minutes}`, () =>
        durations.format({
          days: Math.floor(minutes / 1440),
          hours: Math.floor(minutes / 60) % 24,
          minutes: minutes % 60,
        }),
      );
    },
    about: seconds => {
      const [text, count] = distanceOf(seconds);
      return say(text, { count });
    },
    relative: (moment, now) => {
      const [unit, count] = relativeUnit((moment.getTime() - now.getTime()) / 1000);
      return (count ? exactRelatives : relatives).format(count, unit);
    },
    list: items => lists.format(items),
    number: number => numbers.format(number),
    capital: text => text.charAt(0).toLocaleUpperCase(tag) + text.slice(1),
  };
  return texts;
}
