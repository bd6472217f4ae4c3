import { describe, expect, test } from '@jest/globals';
import { type Locale, locales } from '../../../src/i18n/locales.js';
import { getTranslator } from '../../../src/i18n/translator.js';

const berlin = 'Europe/Berlin';
const friday = new Date('2026-11-20T13:02:00Z');
const plain = (text: string) => text.replace(/[\u00a0\u202f\u2009]/g, ' ');

describe('the formats of dates and times', () => {
  const {
    formatDate,
    formatDay,
    formatDayRange,
    formatShortDay,
    formatMonth,
    formatTime,
    formatDateTime,
    formatTimeRange,
    formatZone,
  } = getTranslator('en');

  test('put the day before the month in English, with a 24-hour clock and the zone', () => {
    expect(formatDate(friday, berlin)).toBe('Friday, 20 November 2026');
    expect(formatDay('2026-11-20')).toBe('Friday, 20 November 2026');
    expect(formatShortDay('2026-11-20')).toBe('20 Nov');
    expect(formatMonth('2026-11')).toBe('November 2026');
    expect(formatTime(friday, berlin)).toBe('14:02 CET');
    expect(formatDateTime(friday, berlin)).toBe('20 November 2026, 14:02 CET');
    expect(plain(formatDayRange('2026-03-03', '2026-03-09'))).toBe('3 – 9 March 2026');
  });

  test('use the given zone, not the zone of the server', () => {
    const late = new Date('2026-11-20T23:30:00Z');
    expect(formatDate(late, 'UTC')).toBe('Friday, 20 November 2026');
    expect(formatDate(late, berlin)).toBe('Saturday, 21 November 2026');
    expect(formatDateTime(late, 'America/New_York')).toBe('20 November 2026, 18:30 EST');
  });

  test('write the hour after midnight as 00 in every language with 24 hours', () => {
    expect(
      locales
        .filter(locale => locale !== 'en-US')
        .map(locale => getTranslator(locale).formatTime(new Date('2026-11-20T00:05:00Z'), 'UTC'))
        .filter(text => !/^00[.:]05/.test(text)),
    ).toEqual([]);
  });

  test('name the zone of a repeated hour when summer time ends', () => {
    expect(formatDateTime(new Date('2026-10-25T00:30:00Z'), berlin)).toBe('25 October 2026, 02:30 CEST');
    expect(formatDateTime(new Date('2026-10-25T01:30:00Z'), berlin)).toBe('25 October 2026, 02:30 CET');
  });

  test('skip an hour when summer time begins', () => {
    expect(formatTime(new Date('2026-03-29T00:59:00Z'), berlin)).toBe('01:59 CET');
    expect(formatTime(new Date('2026-03-29T01:00:00Z'), berlin)).toBe('03:00 CEST');
  });

  test('use the short name of a zone, or its offset where English has none', () => {
    expect(
      ['America/New_York', 'Australia/Sydney', 'Asia/Kolkata', 'UTC', 'Asia/Tokyo'].map(id => formatZone(friday, id)),
    ).toEqual(['EST', 'AEDT', 'IST', 'UTC', 'GMT+9']);
    expect(getTranslator('de').formatZone(friday, berlin)).toBe('MEZ');
  });

  test('name the zone in full in the language, and GMT without an offset', () => {
    const inFull = (locale: Locale, zone: string) => plain(getTranslator(locale).formatZoneInFull(friday, zone));
    expect([inFull('en', berlin), inFull('de', berlin), inFull('ja', berlin)]).toEqual([
      'Central European Time (CET)',
      'Mitteleuropäische Zeit (MEZ)',
      '中央ヨーロッパ時間 (GMT+1)',
    ]);
    expect([inFull('en', 'UTC'), inFull('fr', 'Etc/UTC')]).toEqual(['UTC', 'UTC']);
    const london = (['en', 'de', 'ja', 'fr'] as const).map(one =>
      getTranslator(one).formatZone(friday, 'Europe/London'),
    );
    expect(london).toEqual(['GMT', 'GMT', 'GMT', 'UTC']);
  });

  test('are American in American English', () => {
    const american = getTranslator('en-US');
    const newYork = 'America/New_York';
    expect(plain(american.formatDateTime(friday, newYork))).toBe('November 20, 2026, 8:02 AM EST');
    expect(plain(american.formatShortDay('2026-11-20'))).toBe('Nov 20');
    expect(plain(american.formatTimeRange(friday, new Date('2026-11-20T18:30:00Z'), newYork))).toBe(
      'Friday, November 20, 2026, 8:02 AM – 1:30 PM EST',
    );
  });

  test('write the day of a time range once when begin and end share it', () => {
    const end = (text: string) => formatTimeRange(friday, new Date(text), berlin);
    expect(end('2026-11-20T14:30:00Z')).toBe('Friday, 20 November 2026, 14:02 – 15:30 CET');
    expect(end('2026-11-20T23:00:00Z')).toBe('Friday, 20 November 2026, 14:02 – Saturday, 21 November 2026, 00:00 CET');
  });

  test('write both zones of a time range in which the clocks change', () => {
    const night = formatTimeRange(new Date('2026-10-25T00:30:00Z'), new Date('2026-10-25T01:30:00Z'), berlin);
    expect(night).toBe('Sunday, 25 October 2026, 02:30 CEST – 02:30 CET');
  });

  test.each<[Locale, string]>([
    ['ar', 'الجمعة، 20 نوفمبر 2026'],
    ['cs', 'pátek 20. listopadu 2026'],
    ['de', 'Freitag, 20. November 2026'],
    ['fr', 'vendredi 20 novembre 2026'],
    ['hu', '2026. november 20., péntek'],
    ['ja', '2026年11月20日(金)'],
    ['pt-BR', 'sexta-feira, 20 de novembro de 2026'],
  ])('follow the conventions of %s', (locale, expected) => {
    expect(plain(getTranslator(locale).formatDate(friday, berlin))).toBe(expected);
  });
});

test('French writes the first of a month as an ordinal, and no other day', () => {
  const { formatDate, formatDateTime, formatShortDay } = getTranslator('fr');
  expect(plain(formatDate(new Date('2026-12-01T12:00:00Z'), 'UTC'))).toBe('mardi 1er décembre 2026');
  expect(plain(formatDateTime(new Date('2026-12-01T12:00:00Z'), 'UTC'))).toContain('1er décembre 2026');
  expect(plain(formatShortDay('2026-12-01'))).toBe('1er déc.');
  for (const day of ['2026-12-11', '2026-12-21', '2026-12-31']) expect(formatShortDay(day)).not.toContain('er');
});

describe('the formats of durations', () => {
  const { formatDuration, formatRelativeTime } = getTranslator('en');

  test('are exact to the minute, and to the second below one', () => {
    const seconds = [0, 59, 60, 5_400, 86_400, 93_784];
    expect(seconds.map(count => formatDuration(count * 1000))).toEqual([
      '0 seconds',
      '59 seconds',
      '1 minute',
      '1 hour, 30 minutes',
      '1 day',
      '1 day, 2 hours, 3 minutes',
    ]);
    expect(getTranslator('de').formatDuration(5_400_000)).toBe('1 Stunde, 30 Minuten');
    expect(getTranslator('pl').formatDuration(2 * 3_600_000)).toBe('2 godziny');
  });

  test('are never negative, also when two clocks disagree', () => {
    expect(formatDuration(-5000)).toBe('0 seconds');
  });

  test('use the grammatical case of the language in relative times', () => {
    const at = (minutes: number) => new Date(friday.getTime() + minutes * 60_000);
    expect([0, -32, 90, 3 * 1440, -1440].map(minutes => formatRelativeTime(at(minutes), friday))).toEqual([
      'now',
      '32 minutes ago',
      'in 2 hours',
      'in 3 days',
      '24 hours ago',
    ]);
    expect(getTranslator('de').formatRelativeTime(at(-2 * 1440), friday)).toBe('vor 2 Tagen');
    expect(getTranslator('fi').formatRelativeTime(at(180), friday)).toBe('3 tunnin päästä');
  });
});

describe('t', () => {
  test('has the direction rtl in Arabic alone', () => {
    expect(locales.filter(locale => getTranslator(locale).direction === 'rtl')).toEqual(['ar']);
  });

  test('fills in placeholders by name and escapes nothing', () => {
    expect(getTranslator('en').t('banner.degraded.one', { component: '<Search> {count} $&' })).toBe(
      'Degraded: <Search> {count} $&',
    );
    expect(getTranslator('de').t('banner.degraded.one', { component: 'Suche' })).toBe('Beeinträchtigt: Suche');
  });

  test('selects the plural form by the count and formats numbers for the language', () => {
    expect([0, 1, 2].map(count => getTranslator('en').t('notice.earlierUpdates', { count }))).toEqual([
      '0 earlier updates',
      '1 earlier update',
      '2 earlier updates',
    ]);
    expect([0, 1, 2].map(count => getTranslator('fr').t('distance.minutes', { count }))).toEqual([
      '0 minute',
      '1 minute',
      '2 minutes',
    ]);
    expect(getTranslator('de').t('history.lastDays', { count: 12_345 })).toBe('Letzte 12.345 Tage');
    expect(getTranslator('de').formatNumber(12_345.6)).toBe('12.345,6');
  });

  test('has its key and placeholders checked by the compiler', () => {
    const { t } = getTranslator('en');
    // @ts-expect-error no such key
    const unknown = () => t('banner.nothing');
    // @ts-expect-error the value of {component} is missing
    const incomplete = t('banner.degraded.one');
    expect(unknown).toThrow();
    expect(incomplete).toBe('Degraded: ');
  });

  test('has formatters for lists and for the first letter of a line', () => {
    expect(getTranslator('en').formatList(['Search', 'Checkout', 'API'])).toBe('Search, Checkout and API');
    expect(getTranslator('ar').formatList(['A', 'B'])).toBe('A وB');
    expect(getTranslator('fr').capitalize(getTranslator('fr').formatMonth('2026-11'))).toBe('Novembre 2026');
  });
});
