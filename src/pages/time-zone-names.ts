import { suggest } from '../core/suggest.js';
import { findOffset, timeZones } from './time-zones.js';

/**
 * Finds the name of the list that a name or a tz database identifier means, links such as US/Pacific included. Where
 * several names share the zone, the name of its city is preferred: Europe/London is London, not Edinburgh.
 */
export function findTimeZoneName(id: string): string | undefined {
  if (timeZones.some(({ name }) => name === id)) return id;
  const zone = findListedZone(id);
  if (zone === undefined) return undefined;
  const city = zone.split('/').at(-1)!.replaceAll('_', ' ');
  const sharing = timeZones.filter(listed => listed.zone === zone);
  return (sharing.find(({ name }) => name === city) ?? sharing[0]!).name;
}

function findListedZone(id: string): string | undefined {
  if (timeZones.some(({ zone }) => zone === id)) return id;
  const canonical = findCanonicalZone(id);
  // ICU's canonical name can be an older one than that of the list: Asia/Calcutta for Asia/Kolkata.
  return canonical && timeZones.find(({ zone }) => findCanonicalZone(zone) === canonical)?.zone;
}

/** The identifier that Intl uses for a zone and its links; undefined if it does not know the zone. */
function findCanonicalZone(id: string): string | undefined {
  // Intl would accept an offset such as +01:00, which is no name.
  if (!/^[A-Za-z]/.test(id) || id.length > 60) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: id }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/**
 * The three names that are nearest to one that the list does not have: those of the nearest time, if it is a zone of
 * the tz database, else those of the most similar spelling.
 */
export function suggestTimeZones(id: string, year = new Date().getUTCFullYear()): string[] {
  const zone = findCanonicalZone(id);
  const names = zone ? sortByDistance(zone, year) : suggest(id.slice(0, 60), [...namesBySpelling.keys()]);
  return [...new Set(names.map(name => namesBySpelling.get(name)!))].slice(0, 3);
}

const namesBySpelling = new Map(timeZones.flatMap(({ name, zone }) => [[zone, name] as const, [name, name] as const]));

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
