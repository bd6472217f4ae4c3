import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatTimestamp, parseTimestamp } from '../../../src/core/timestamp.js';

describe('parseTimestamp', () => {
  test.each([
    ['2026-01-01T10:00:00.123Z', '2026-01-01T10:00:00.123Z'],
    ['2026-01-01T10:00:00Z', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01t10:00:00z', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01T10:00Z', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01T10:00', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01 10:00:00', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01T10:00:00+01:00', '2026-01-01T09:00:00.000Z'],
    ['2026-01-01T10:00:00+0100', '2026-01-01T09:00:00.000Z'],
    ['2026-01-01T10:00:00+01', '2026-01-01T09:00:00.000Z'],
    ['2026-01-01T10:00+05:30', '2026-01-01T04:30:00.000Z'],
    ['2026-01-01T10:00:00-05:30', '2026-01-01T15:30:00.000Z'],
    ['2026-01-01T10:00:00-00:00', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000Z'],
    ['2026-01-01T10:00:00.5Z', '2026-01-01T10:00:00.500Z'],
    ['2026-01-01T10:00:00,25Z', '2026-01-01T10:00:00.250Z'],
    ['2026-01-01T10:00:00.999999999Z', '2026-01-01T10:00:00.999Z'],
    ['2026-01-01', '2026-01-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['0099-06-01', '0099-06-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2012-12-06 23:57:00 +0000', '2012-12-06T23:57:00.000Z'],
    ['2012-12-06 23:57:00 -0130', '2012-12-07T01:27:00.000Z'],
    ['2012-12-06 23:57:00 UTC', '2012-12-06T23:57:00.000Z'],
    ['2012-12-06 23:57:00 +0000 UTC', '2012-12-06T23:57:00.000Z'],
    ['2012-12-06 23:57:00.5 -0130 NST', '2012-12-07T01:27:00.500Z'],
    ['/Date(1354838220000)/', '2012-12-06T23:57:00.000Z'],
    ['/Date(1354838220123+0100)/', '2012-12-06T23:57:00.123Z'],
  ])('parses %j as %s', (text, expected) => expect(parseTimestamp(text)?.toISOString()).toBe(expected));

  test.each([
    ['2026-01-01T10:00:00 01:00', '2026-01-01T09:00:00.000Z'],
    ['2026-01-01T10:00:00.5 0100', '2026-01-01T09:00:00.500Z'],
    ['2026-01-01T10:00 01', '2026-01-01T09:00:00.000Z'],
    ['2012-12-06 23:57:00  0000', '2012-12-06T23:57:00.000Z'],
  ])('parses %j, in which form encoding replaced the plus by a space', (text, expected) => {
    expect(parseTimestamp(text)?.toISOString()).toBe(expected);
  });

  test.each([
    '',
    'yesterday',
    '/Date(1e9)/',
    '/Date(999999999999999)/',
    '2012-12-06 23:57:00 +0000 UT',
    '2012-12-06 23:57:00 CET',
    '1735689600',
    '2026',
    '2026-01',
    '2026-1-1',
    '20260101',
    '2026-00-01',
    '2026-13-01',
    '2026-01-00',
    '2026-02-29',
    '2026-02-30',
    '2026-04-31',
    '1900-02-29',
    '0000-01-01',
    '10000-01-01',
    '-2026-01-01',
    '2026-01-01T',
    '2026-01-01T10',
    '2026-01-01T24:00',
    '2026-01-01T25:00:00Z',
    '2026-01-01T10:60:00Z',
    '2026-01-01T10:00:60Z',
    '2026-01-01T10:00:00.Z',
    '2026-01-01T10:00.5Z',
    '2026-01-01T10:00:00+24:00',
    '2026-01-01T10:00:00+01:60',
    '2026-01-01T10:00:00+1',
    '2026-01-01T10:00:00+01:00Z',
    '2026-01-01T10:00:00 CET',
    '2026-01-01Z',
    '2026-01-01+01:00',
    '2026-01-01T10:00:00Z\n',
    ' 2026-01-01',
    '2026-01-01  10:00:00',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '２026-01-01',
    '2026-W01-1',
  ])('returns null for %j', text => expect(parseTimestamp(text)).toBeNull());

  const instants = fc.date({
    min: new Date('0001-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });

  test('parses what formatTimestamp returns', () => {
    fc.assert(fc.property(instants, instant => expect(parseTimestamp(formatTimestamp(instant))).toEqual(instant)));
  });

  test('parses the same instant in any offset', () => {
    const offsets = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
    const inner = fc.date({
      min: new Date('0001-01-03T00:00:00.000Z'),
      max: new Date('9999-12-29T00:00:00.000Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(inner, offsets, (instant, offset) => {
        const local = new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const pad = (number: number) => String(number).padStart(2, '0');
        const hours = Math.floor(Math.abs(offset) / 60);
        const minutes = Math.abs(offset) % 60;
        const text = `${local}${offset < 0 ? '-' : '+'}${pad(hours)}:${pad(minutes)}`;
        expect(parseTimestamp(text)).toEqual(instant);
        expect(parseTimestamp(text.replace('+', ' '))).toEqual(instant);
      }),
    );
  });

  test('refuses a text of more than 100 characters, which no time needs', () => {
    expect(parseTimestamp(`2026-01-01T00:00:00.${'1'.repeat(79)}Z`)).toEqual(new Date('2026-01-01T00:00:00.111Z'));
    expect(parseTimestamp(`2026-01-01T00:00:00.${'1'.repeat(80)}Z`)).toBeNull();
  });

  test('returns null or a valid date for any text', () => {
    fc.assert(fc.property(fc.string(), text => expect(parseTimestamp(text)?.getTime()).not.toBeNaN()));
  });
});
