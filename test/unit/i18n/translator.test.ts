import { describe, expect, test } from '@jest/globals';
import { type Locale, locales } from '../../../src/i18n/locales.js';
import { Kept } from '../../../src/i18n/lru.js';
import { textsOf } from '../../../src/i18n/translator.js';

const berlin = 'Europe/Berlin';
const friday = new Date('2026-11-20T13:02:00Z');
const plain = (text: string) => text.replace(/[\u00a0\u202f\u2009]/g, ' ');

describe('dates and times', () => {
  const { date, day, days, shortDay, month, time, dateTime, window, zone } = textsOf('en');

  test('are written day before month in English, on a clock of 24 hours, with the zone', () => {
    expect(date(friday, berlin)).toBe('Friday, 20 November 2026');
    expect(day('2026-11-20')).toBe('Friday, 20 November 2026');
    expect(shortDay('2026-11-20')).toBe('20 Nov');
    expect(month('2026-11')).toBe('November 2026');
    expect(time(friday, berlin)).toBe('14:02 CET');
    expect(dateTime(friday, berlin)).toBe('20 November 2026, 14:02 CET');
    expect(plain(days('2026-03-03', '2026-03-09'))).toBe('3 – 9 March 2026');
  });

  test('are those of the zone, not of the server', () => {
    const late = new Date('2026-11-20T23:30:00Z');
    expect(date(late, 'UTC')).toBe('Friday, 20 November 2026');
    expect(date(late, berlin)).toBe('Saturday, 21 November 2026');
    expect(dateTime(late, 'America/New_York')).toBe('20 November 2026, 18:30 EST');
  });

  test('count the hour after midnight as 00', () => {
    expect(
      locales
        .map(locale => textsOf(locale).time(new Date('2026-11-20T00:05:00Z'), 'UTC'))
        .filter(text => !/^00[.:]05/.test(text)),
    ).toEqual([]);
  });

  test('follow the clocks when they go back: the same hour comes twice, in two zones', () => {
    expect(dateTime(new Date('2026-10-25T00:30:00Z'), berlin)).toBe('25 October 2026, 02:30 CEST');
    expect(dateTime(new Date('2026-10-25T01:30:00Z'), berlin)).toBe('25 October 2026, 02:30 CET');
  });

  test('follow the clocks when they go forward: an hour is left out', () => {
    expect(time(new Date('2026-03-29T00:59:00Z'), berlin)).toBe('01:59 CET');
    expect(time(new Date('2026-03-29T01:00:00Z'), berlin)).toBe('03:00 CEST');
  });

  test('name a zone as its own country does, and by its offset where it has no short name', () => {
    expect(
      ['America/New_York', 'Australia/Sydney', 'Asia/Kolkata', 'UTC', 'Asia/Tokyo'].map(id => zone(friday, id)),
    ).toEqual(['EST', 'AEDT', 'IST', 'UTC', 'GMT+9']);
    expect(textsOf('de').zone(friday, berlin)).toBe('MEZ');
  });

  test('say a window once where begin and end share the day', () => {
    const end = (text: string) => window(friday, new Date(text), berlin);
    expect(end('2026-11-20T14:30:00Z')).toBe('Friday, 20 November 2026, 14:02 – 15:30 CET');
    expect(end('2026-11-20T23:00:00Z')).toBe('Friday, 20 November 2026, 14:02 – Saturday, 21 November 2026, 00:00 CET');
  });

  test('say both zones of a window in which the clocks change', () => {
    const night = window(new Date('2026-10-25T00:30:00Z'), new Date('2026-10-25T01:30:00Z'), berlin);
    expect(night).toBe('Sunday, 25 October 2026, 02:30 CEST – 02:30 CET');
  });

  test.each<[Locale, string]>([
    ['ar', 'الجمعة، 20 نوفمبر 2026'],
    ['cs', 'pátek 20. listopadu 2026'],
    ['de', 'Freitag, 20. November 2026'],
    ['fr', 'vendredi 20 novembre 2026'],
    ['hu', '2026. november 20., péntek'],
    ['ja', '2026年11月20日金曜日'],
    ['pt-BR', 'sexta-feira, 20 de novembro de 2026'],
  ])('are written as %s writes them', (locale, expected) => {
    expect(plain(textsOf(locale).date(friday, berlin))).toBe(expected);
  });
});

describe('lengths of time', () => {
  const { duration, relative } = textsOf('en');

  test('are exact to the minute, and to the second below one', () => {
    const seconds = [0, 59, 60, 5_400, 86_400, 93_784];
    expect(seconds.map(count => duration(count * 1000))).toEqual([
      '0 seconds',
      '59 seconds',
      '1 minute',
      '1 hour, 30 minutes',
      '1 day',
      '1 day, 2 hours, 3 minutes',
    ]);
    expect(textsOf('de').duration(5_400_000)).toBe('1 Stunde, 30 Minuten');
    expect(textsOf('pl').duration(2 * 3_600_000)).toBe('2 godziny');
  });

  test('are never negative, whatever two clocks say', () => {
    expect(duration(-5000)).toBe('0 seconds');
  });

  test('from now are said with the case that the language wants', () => {
    const at = (minutes: number) => new Date(friday.getTime() + minutes * 60_000);
    expect([0, -32, 90, 3 * 1440, -1440].map(minutes => relative(at(minutes), friday))).toEqual([
      'now',
      '32 minutes ago',
      'in 2 hours',
      'in 3 days',
      '1 day ago',
    ]);
    expect(textsOf('de').relative(at(-2 * 1440), friday)).toBe('vor 2 Tagen');
    expect(textsOf('fi').relative(at(180), friday)).toBe('3 tunnin päästä');
  });
});

describe('texts', () => {
  test('read from right to left in Arabic alone', () => {
    expect(locales.filter(locale => textsOf(locale).direction === 'rtl')).toEqual(['ar']);
  });

  test('take their values by name, and leave markup to who prints them', () => {
    expect(textsOf('en').t('banner.degraded.one', { component: '<Search> {count} $&' })).toBe(
      '<Search> {count} $& is degraded',
    );
    expect(textsOf('de').t('banner.degraded.one', { component: 'Suche' })).toBe('Suche ist beeinträchtigt');
  });

  test('choose the plural by the count, and write numbers as the language does', () => {
    expect([0, 1, 2].map(count => textsOf('en').t('notice.earlierUpdates', { count }))).toEqual([
      '0 earlier updates',
      '1 earlier update',
      '2 earlier updates',
    ]);
    expect([0, 1, 2].map(count => textsOf('fr').t('distance.minutes', { count }))).toEqual([
      '0 minute',
      '1 minute',
      '2 minutes',
    ]);
    expect(textsOf('de').t('history.lastDays', { count: 12_345 })).toBe('Letzte 12.345 Tage');
    expect(textsOf('de').number(12_345.6)).toBe('12.345,6');
  });

  test('are checked by their key and placeholders when they are compiled', () => {
    const { t } = textsOf('en');
    // @ts-expect-error there is no such text
    const unknown = () => t('banner.nothing');
    // @ts-expect-error the component is missing
    const incomplete = t('banner.degraded.one');
    expect(unknown).toThrow();
    expect(incomplete).toBe(' is degraded');
  });

  test('join lists, and begin a line with a capital', () => {
    expect(textsOf('en').list(['Search', 'Checkout', 'API'])).toBe('Search, Checkout and API');
    expect(textsOf('ar').list(['A', 'B'])).toBe('A وB');
    expect(textsOf('fr').capital(textsOf('fr').month('2026-11'))).toBe('Novembre 2026');
  });
});

test('what is kept is bounded, and what was asked for longest ago goes first', () => {
  const kept = new Kept<string>(2);
  for (const name of ['a', 'b', 'a', 'c']) kept.get(name, () => `${name} first`);
  expect(kept.size).toBe(2);
  expect(['a', 'b'].map(name => kept.get(name, () => `${name} again`))).toEqual(['a first', 'b again']);
});
