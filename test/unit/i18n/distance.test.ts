import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { locales } from '../../../src/i18n/locales.js';
import { getTranslator } from '../../../src/i18n/translator.js';

const { formatDistance } = getTranslator('en');
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** Every text in ascending order: a distance below `below` seconds reads `text`. */
const table: [below: number, text: string][] = [
  [30, 'less than a minute'],
  [90, '1 minute'],
  ...range(2, 44).map((count): [number, string] => [count * minute + 30, `${count} minutes`]),
  [90 * minute - 30, 'about 1 hour'],
  ...range(2, 23).map((count): [number, string] => [count * hour + 30 * minute - 30, `about ${count} hours`]),
  [24 * hour - 30, 'about 24 hours'],
  [42 * hour - 30, '1 day'],
  ...range(2, 29).map((count): [number, string] => [count * day + 12 * hour - 30, `${count} days`]),
  [30 * day - 30, '30 days'],
  [45 * day - 30, 'about 1 month'],
  [60 * day - 30, 'about 2 months'],
  ...range(2, 11).map((count): [number, string] => [(count * 30 + 15) * day - 30, `${count} months`]),
  [year - 30, '12 months'],
  ...range(1, 40).flatMap((count): [number, string][] => [
    [(count + 1 / 4) * year - 30, count === 1 ? 'about 1 year' : `about ${count} years`],
    [(count + 3 / 4) * year - 30, count === 1 ? 'over 1 year' : `over ${count} years`],
    [(count + 1) * year - 30, `almost ${count + 1} years`],
  ]),
];

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

const lookUp = (seconds: number) => table.find(([below]) => seconds < below)![1];
const anySeconds = fc.oneof(
  fc.integer({ min: 0, max: 2 * hour }),
  fc.integer({ min: 0, max: 70 * day }),
  fc.integer({ min: 0, max: Math.floor(39 * year) }),
  fc.constantFrom(
    ...table
      .slice(0, -1)
      .flatMap(([below]) => [Math.floor(below) - 1, Math.floor(below), Math.ceil(below), Math.ceil(below) + 1]),
  ),
);

describe('formatDistance', () => {
  test('returns the text of the table for any number of seconds', () => {
    fc.assert(
      fc.property(anySeconds, seconds => {
        expect([seconds, formatDistance(seconds)]).toEqual([seconds, lookUp(seconds)]);
      }),
      { numRuns: 3000 },
    );
  });

  test('never returns a shorter distance for more seconds', () => {
    const order = new Map(table.map(([, text], index) => [text, index]));
    fc.assert(
      fc.property(anySeconds, anySeconds, (one, other) => {
        expect(order.get(formatDistance(Math.min(one, other)))!).toBeLessThanOrEqual(
          order.get(formatDistance(Math.max(one, other)))!,
        );
      }),
      { numRuns: 3000 },
    );
  });

  test('ignores the sign', () => {
    expect(formatDistance(-2 * hour)).toBe('about 2 hours');
  });

  test('uses the plural forms of languages with more than two', () => {
    const format = (locale: Parameters<typeof getTranslator>[0], ...minutes: number[]) =>
      minutes.map(count => getTranslator(locale).formatDistance(count * minute));
    expect(format('ru', 1, 2, 5, 21, 22, 25)).toEqual([
      '1 минута',
      '2 минуты',
      '5 минут',
      '21 минута',
      '22 минуты',
      '25 минут',
    ]);
    expect(format('pl', 1, 2, 5, 12, 22)).toEqual(['1 minuta', '2 minuty', '5 minut', '12 minut', '22 minuty']);
    expect(format('ar', 1, 2, 3, 11)).toEqual(['دقيقة واحدة', 'دقيقتان', '3 دقائق', '11 دقيقة']);
    expect(format('lt', 1, 2, 11, 21)).toEqual(['1 minutė', '2 minutės', '11 minučių', '21 minutė']);
    expect(format('ro', 1, 2, 20)).toEqual(['1 minut', '2 minute', '20 de minute']);
    expect(format('ja', 1, 2)).toEqual(['1 分', '2 分']);
  });

  test('returns a different text for each unit in every language', () => {
    const steps = [
      10,
      minute,
      32 * minute,
      hour,
      5 * hour,
      day,
      4 * day,
      31 * day,
      100 * day,
      year,
      1.5 * year,
      1.9 * year,
    ];
    for (const locale of locales)
      expect(new Set(steps.map(getTranslator(locale).formatDistance)).size).toBe(steps.length);
  });
});
