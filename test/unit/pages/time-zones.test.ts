import { describe, expect, test } from '@jest/globals';
import { listTimeZones, findStandardOffset, timeZones } from '../../../src/pages/time-zones.js';

describe('time zones', () => {
  test('are 149 with unique names', () => {
    expect(timeZones).toHaveLength(149);
    expect(new Set(timeZones.map(({ name }) => name)).size).toBe(149);
  });

  test('are all known to Intl', () => {
    for (const { zone } of timeZones) expect(() => findStandardOffset(zone, 2026)).not.toThrow();
  });

  test('contain UTC, the default of a page', () => {
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
    expect(findStandardOffset(zone, 2026)).toBe(minutes),
  );

  test('exclude summer time in the southern hemisphere too', () => {
    expect(findStandardOffset('Australia/Sydney', 2026)).toBe(600);
    expect(findStandardOffset('America/Santiago', 2026)).toBe(-240);
  });

  test('have the offset of the given year', () => {
    expect(findStandardOffset('Europe/Istanbul', 2010)).toBe(120);
    expect(findStandardOffset('Europe/Istanbul', 2026)).toBe(180);
  });

  test.each([
    ['UTC', 'Etc/UTC', '(GMT+00:00) UTC'],
    ['Mumbai', 'Asia/Kolkata', '(GMT+05:30) Mumbai'],
    ['Eastern Time (US & Canada)', 'America/New_York', '(GMT-05:00) Eastern Time (US & Canada)'],
    ['Newfoundland', 'America/St_Johns', '(GMT-03:30) Newfoundland'],
  ])('%s is formatted with its offset', (name, zone, offset) =>
    expect(listTimeZones(2026)).toContainEqual(expect.objectContaining({ name, zone, offset })),
  );

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
