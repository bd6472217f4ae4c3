import { describe, expect, test } from '@jest/globals';
import { findTimeZoneName, suggestTimeZones } from '../../../src/pages/time-zone-names.js';
import { timeZones } from '../../../src/pages/time-zones.js';

describe('the name of a time zone', () => {
  test.each(timeZones)('$name is itself, and its identifier finds a name of the same zone', ({ name, zone }) => {
    expect(findTimeZoneName(name)).toBe(name);
    const found = findTimeZoneName(zone);
    expect(timeZones.find(listed => listed.name === found)?.zone).toBe(zone);
  });

  test.each([
    ['Europe/London', 'London'],
    ['Europe/Zurich', 'Bern'],
    ['America/New_York', 'Eastern Time (US & Canada)'],
    ['Asia/Kolkata', 'Kolkata'],
    ['US/Pacific', 'Pacific Time (US & Canada)'],
    ['Asia/Calcutta', 'Kolkata'],
    ['Asia/Katmandu', 'Kathmandu'],
    ['Europe/Kiev', 'Kyiv'],
    ['Europe/Belfast', 'London'],
    ['europe/paris', 'Paris'],
    ['Zulu', 'UTC'],
  ])('of the tz database, %s, is %s', (id, name) => expect(findTimeZoneName(id)).toBe(name));

  test.each(['Europe/Oslo', 'Nowhere', 'london', '+01:00', '', '\0', 'Europe/'.repeat(20)])('%j has none', id =>
    expect(findTimeZoneName(id)).toBeUndefined(),
  );
});

describe('the nearest time zones', () => {
  test.each([
    ['Berln', 'Berlin'],
    ['Europe/Berln', 'Berlin'],
    ['Pacific Time', 'Pacific Time (US & Canada)'],
    ['new delhi', 'New Delhi'],
    ['America/Detroit', 'Eastern Time (US & Canada)'],
    ['Australia/Lord_Howe', 'Sydney'],
  ])('of %s contain %s', (id, name) => {
    const nearest = suggestTimeZones(id, 2026);
    expect(nearest).toHaveLength(3);
    expect(nearest).toContain(name);
  });

  test('of a zone of the tz database have its time', () => {
    const zones = suggestTimeZones('Europe/Oslo', 2026).map(name => timeZones.find(zone => zone.name === name)!.zone);
    for (const zone of zones) expect(zone).toMatch(/^Europe\//);
    expect(zones.map(zone => toHours(zone))).toEqual(Array(3).fill(toHours('Europe/Oslo')));
  });

  test.each(['', '?', 'x'.repeat(100_000), '\ud800'])('are names of the list for %#', id => {
    const names = timeZones.map(({ name }) => name);
    for (const name of suggestTimeZones(id, 2026)) expect(names).toContain(name);
  });
});

const toHours = (zone: string) =>
  [0, 6].map(month =>
    new Intl.DateTimeFormat('en', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(
      Date.UTC(2026, month, 1),
    ),
  );
