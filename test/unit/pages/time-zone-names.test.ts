import { describe, expect, test } from '@jest/globals';
import { WINDOWS_TO_IANA_MAP } from 'windows-iana';
import { adviseTimeZone, findTimeZoneName, suggestTimeZones } from '../../../src/pages/time-zone-names.js';
import { findOffset, findZone, timeZones } from '../../../src/pages/time-zones.js';

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

  test.each([
    ['W. Europe Standard Time', 'Berlin'],
    ['w. europe standard time', 'Berlin'],
    ['Romance Standard Time', 'Paris'],
    ['GMT Standard Time', 'London'],
    ['Greenwich Standard Time', 'Monrovia'],
    ['India Standard Time', 'Kolkata'],
    ['Eastern Standard Time', 'Eastern Time (US & Canada)'],
    ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', 'Amsterdam'],
    ['(UTC-08:00) Pacific Time (US & Canada)', 'Pacific Time (US & Canada)'],
    ['(GMT+01:00) Berlin', 'Berlin'],
    ['(UTC) Dublin, Edinburgh, Lisbon, London', 'Dublin'],
    ['(UTC) Coordinated Universal Time', 'UTC'],
    ['tzone://Microsoft/Utc', 'UTC'],
    ['/freeassociation.sourceforge.net/Europe/Berlin', 'Berlin'],
    ['/mozilla.org/20050126_1/America/Argentina/Buenos_Aires', 'Buenos Aires'],
  ])('of Windows and in lists, %s, is %s', (label, name) => expect(findTimeZoneName(label)).toBe(name));

  test('of Windows has the present time of the zone that CLDR names for it', () => {
    const now = new Date('2026-07-01T00:00:00Z');
    const found = WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === '001').flatMap(
      ({ windowsName, iana }) => {
        const name = findTimeZoneName(windowsName);
        return name
          ? [{ windowsName, offset: findOffset(findZone(name), now), expected: findOffset(iana[0], now) }]
          : [];
      },
    );
    expect(found.length).toBeGreaterThan(90);
    for (const { windowsName, offset, expected } of found)
      expect([windowsName, offset]).toEqual([windowsName, expected]);
  });

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
    ['W. Europe Standrd Time', 'Berlin'],
    ['CEST', 'Belgrade'],
    ['New York', 'Eastern Time (US & Canada)'],
    ['sao paulo', 'Brasilia'],
    ['Central European Time', 'Belgrade'],
    ['UTC+1', 'West Central Africa'],
    ['PDT', 'Pacific Time (US & Canada)'],
  ])('of %s contain %s', (id, name) => {
    const nearest = suggestTimeZones(id, 2026);
    expect(nearest.length).toBeGreaterThan(0);
    expect(nearest.length).toBeLessThan(4);
    expect(nearest).toContain(name);
  });

  test('of a zone of the tz database have its time', () => {
    const zones = suggestTimeZones('Europe/Oslo', 2026).map(name => timeZones.find(zone => zone.name === name)!.zone);
    for (const zone of zones) expect(zone).toMatch(/^Europe\//);
    expect(zones.map(zone => toHours(zone))).toEqual(Array(3).fill(toHours('Europe/Oslo')));
  });

  test.each(['Customized Time Zone', 'Nowhere at all'])('of %s are none, and an example is named', id => {
    expect(adviseTimeZone(id)).toBe('for example Berlin or Europe/Berlin');
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
