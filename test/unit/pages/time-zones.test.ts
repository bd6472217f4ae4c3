import { describe, expect, test } from '@jest/globals';
import { listTimeZones, offsetAt, offsetText, timeZones } from '../../../src/pages/time-zones.js';

describe('the time zones', () => {
  test('are 149, each named once', () => {
    expect(timeZones).toHaveLength(149);
    expect(new Set(timeZones.map(({ name }) => name)).size).toBe(149);
  });

  test('are all known to the machine', () => {
    for (const { zone } of timeZones) expect(() => offsetAt(zone, 2026)).not.toThrow();
  });

  test('hold UTC, the default of a page', () => {
    expect(timeZones).toContainEqual({ name: 'UTC', zone: 'Etc/UTC' });
  });

  test.each([
    ['Etc/UTC', 0],
    ['Europe/London', 0],
    ['Europe/Berlin', 60],
    ['Asia/Kolkata', 330],
    ['Asia/Kathmandu', 345],
    ['America/New_York', -300],
    ['America/St_Johns', -210],
    ['Etc/GMT+12', -720],
    ['Pacific/Chatham', 765],
  ])('%s is %i minutes from UTC without its summer time', (zone, minutes) =>
    expect(offsetAt(zone, 2026)).toBe(minutes),
  );

  test('south of the equator summer time is left out just so', () => {
    expect(offsetAt('Australia/Sydney', 2026)).toBe(600);
    expect(offsetAt('America/Santiago', 2026)).toBe(-240);
  });

  test('have the offset of the year that is asked for', () => {
    expect(offsetAt('Europe/Istanbul', 2010)).toBe(120);
    expect(offsetAt('Europe/Istanbul', 2026)).toBe(180);
  });

  test.each([
    ['UTC', 'Etc/UTC', '(GMT+00:00) UTC'],
    ['Mumbai', 'Asia/Kolkata', '(GMT+05:30) Mumbai'],
    ['Eastern Time (US & Canada)', 'America/New_York', '(GMT-05:00) Eastern Time (US & Canada)'],
    ['Newfoundland', 'America/St_Johns', '(GMT-03:30) Newfoundland'],
  ])('%s is written with its offset', (name, zone, expected) => expect(offsetText(name, zone, 2026)).toBe(expected));

  test('are listed from west to east, then by name', () => {
    const list = listTimeZones(2026);
    expect(list).toHaveLength(149);
    expect(list[0]).toEqual({
      name: 'International Date Line West',
      zone: 'Etc/GMT+12',
      offset: '(GMT-12:00) International Date Line West',
      offsetMinutes: -720,
    });
    for (const [index, { name, offsetMinutes }] of list.entries()) {
      const before = list[index - 1];
      if (before)
        expect([
          before.offsetMinutes < offsetMinutes,
          before.offsetMinutes === offsetMinutes && before.name < name,
        ]).toContain(true);
    }
  });
});
