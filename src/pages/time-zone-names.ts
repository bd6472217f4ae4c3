import { findIana, WINDOWS_TO_IANA_MAP } from 'windows-iana';
import { suggest } from '../core/suggest.js';
import { findOffset, timeZones } from './time-zones.js';

/**
 * Finds the name of the list that a name, a tz database identifier or a Windows name means, links such as US/Pacific
 * included. Where several names share the zone, the name of its city is preferred: Europe/London is London, not
 * Edinburgh.
 */
export function findTimeZoneName(id: string): string | undefined {
  const listed = findByLabel(id);
  if (listed) return listed;
  const zone = findListedZone(id) ?? findWindowsZone(id) ?? findCalendarZone(id);
  if (zone === undefined) return undefined;
  const city = zone.split('/').at(-1)!.replaceAll('_', ' ');
  const sharing = timeZones.filter(listed => listed.zone === zone);
  return (sharing.find(({ name }) => name === city) ?? sharing[0]!).name;
}

const names = new Set(timeZones.map(({ name }) => name));

/** A name, or one with its offset: `(GMT+01:00) Berlin`, and `(UTC+01:00) Amsterdam, Berlin, Bern` of Windows. */
function findByLabel(label: string): string | undefined {
  const name = label.replace(/^\((?:GMT|UTC)([+-]\d\d:\d\d)?\) */, '');
  if (name === 'Coordinated Universal Time') return 'UTC';
  if (names.has(name)) return name;
  return name === label ? undefined : name.split(/, */).find(part => names.has(part));
}

const windowsNames = new Map(WINDOWS_TO_IANA_MAP.map(({ windowsName }) => [windowsName.toLowerCase(), windowsName]));

/** The zone of a Windows name such as `W. Europe Standard Time`, by the table of CLDR: the first of the list. */
function findWindowsZone(name: string): string | undefined {
  const windowsName = windowsNames.get(name.toLowerCase());
  if (!windowsName) return undefined;
  for (const zone of findIana(windowsName)) {
    const listed = findListedZone(zone);
    if (listed) return listed;
  }
  return undefined;
}

/** The zone at the end of an id of a calendar program: `/freeassociation.sourceforge.net/Europe/Berlin`. */
function findCalendarZone(id: string): string | undefined {
  if (/^tzone:\/\/microsoft\/utc$/i.test(id)) return findListedZone('UTC');
  const parts = id.startsWith('/') ? id.split('/') : [];
  return [2, 3].map(count => findListedZone(parts.slice(-count).join('/'))).find(Boolean);
}

function findListedZone(id: string): string | undefined {
  if (timeZones.some(({ zone }) => zone === id)) return id;
  const canonical = findCanonicalZone(id);
  // ICU's canonical name can be an older one than that of the list: Asia/Calcutta for Asia/Kolkata.
  return canonical && timeZones.find(({ zone }) => findCanonicalZone(zone) === canonical)?.zone;
}

/** The identifier that Intl uses for a zone and its links; undefined if it does not know the zone. */
function findCanonicalZone(id: string): string | undefined {
  // Intl would accept an offset such as +01:00, which is not a name.
  if (!/^[A-Za-z]/.test(id) || id.length > 60) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: id }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** What to send in place of a name that the list does not have. */
export function adviseTimeZone(id: string): string {
  const nearest = suggestTimeZones(id);
  return nearest.length ? `the nearest are: ${nearest.join(', ')}` : 'for example Berlin or Europe/Berlin';
}

/**
 * Up to three names that are nearest to one that the list does not have: those of the nearest time, if it is a zone,
 * the city of one or an offset, else those that are called so, such as CEST or Central European Time, else those of a
 * similar spelling.
 */
export function suggestTimeZones(id: string, year = new Date().getUTCFullYear()): string[] {
  const find = [findCanonicalZone, findCityZone, findOffsetZone, findUnlistedWindowsZone];
  const zone = find.reduce<string | undefined>((found, search) => found ?? search(id), undefined);
  if (zone) return sortByDistance(zone, year).slice(0, 3);
  const called = listCalled(id, year);
  const found = called.length ? called : listSimilar(id.slice(0, 60));
  return [...new Set(found)].slice(0, 3);
}

/** The zone that is named after a city: America/New_York for New York. */
function findCityZone(text: string): string | undefined {
  const city = `/${text.trim().replaceAll(/\s+/g, '_').toLowerCase()}`;
  return Intl.supportedValuesOf('timeZone').find(zone => zone.toLowerCase().endsWith(city));
}

/** `UTC+1`, `GMT-05:00` and `+0530`; the tz database has whole hours, with the opposite sign. */
function findOffsetZone(text: string): string | undefined {
  const [, sign, hours] = /^(?:UTC|GMT)? ?([+-])(\d{1,2})(?::?\d\d)?$/i.exec(text) ?? [];
  return sign && findCanonicalZone(`Etc/GMT${sign === '+' ? '-' : '+'}${Number(hours)}`);
}

const findUnlistedWindowsZone = (name: string) =>
  findIana(windowsNames.get(name.toLowerCase()) ?? '').find(zone => findCanonicalZone(zone));

/** The names whose zone English calls so in winter, in summer, or in general. */
function listCalled(id: string, year: number): string[] {
  const text = id.toLowerCase();
  if (!/^[a-z][a-z. ]{1,58}$/.test(text)) return [];
  const moments = [0, 6].map(month => new Date(Date.UTC(year, month, 1)));
  const forms = (['short', 'long', 'longGeneric'] as const).flatMap(timeZoneName =>
    ['en-GB', 'en-US'].map(locale => ({ timeZoneName, locale })),
  );
  return timeZones
    .filter(({ zone }) =>
      forms.some(({ timeZoneName, locale }) => {
        const formatter = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName });
        return moments.some(
          moment =>
            formatter
              .formatToParts(moment)
              .find(({ type }) => type === 'timeZoneName')
              ?.value.toLowerCase() === text,
        );
      }),
    )
    .map(({ name }) => name);
}

/** Those of a spelling that differs in at most a third; Windows names lead to their zone. */
const listSimilar = (text: string): string[] =>
  suggest(text, spellings, Math.max(1, text.length / 3))
    .slice(0, 12)
    .flatMap(spelling => namesBySpelling.get(spelling) ?? findTimeZoneName(spelling) ?? []);

const namesBySpelling = new Map(timeZones.flatMap(({ name, zone }) => [[zone, name] as const, [name, name] as const]));
const spellings = [...namesBySpelling.keys(), ...windowsNames.values()];

const sortByDistance = (id: string, year: number): string[] =>
  timeZones
    .map(({ name, zone }) => ({ name, distance: measureDistance(id, zone, year) }))
    .sort((one, other) => one.distance - other.distance)
    .map(({ name }) => name);

/** In minutes of winter and summer together; a zone of another continent is farther than one of the same. */
function measureDistance(one: string, other: string, year: number): number {
  const differenceIn = (month: number) => {
    const moment = new Date(Date.UTC(year, month, 1));
    return Math.abs(findOffset(one, moment) - findOffset(other, moment));
  };
  const isSameContinent = one.split('/')[0] === other.split('/')[0];
  return differenceIn(0) + differenceIn(6) + (isSameContinent ? 0 : 0.5);
}
