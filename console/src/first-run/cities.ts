import type { ZonesQuery } from '../api/documents.ts';
import type { Option } from '../ui/combobox.tsx';

export type Zone = NonNullable<ZonesQuery['timezones']>['nodes'][number];

/** "GMT-5" */
const formatOffset = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')!.value;

/** "America/Argentina/Buenos_Aires" is Buenos Aires. */
const toCity = (id: string): string => id.slice(id.lastIndexOf('/') + 1).replaceAll('_', ' ');
const toRegion = (id: string): string => id.slice(0, id.indexOf('/'));

const stepMs = 14 * 24 * 3_600_000;
/** The offsets of a year: zones of the same are one clock. */
function toClock(timeZone: string, from: number): string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'shortOffset' });
  return Array.from({ length: 26 }, (_, step) =>
    format
      .format(from + step * stepMs)
      .split(' ')
      .at(-1),
  ).join();
}

/**
 * The zones of the service, and the other cities that the browser knows, each with the zone that has the same clock, in
 * its own part of the world where there is one: Toronto is Eastern Time.
 */
export function listCities(zones: Zone[], now = Date.now()): (Option & { zone: string })[] {
  const own = zones.map(({ id, name }) => ({
    value: name,
    label: name,
    detail: `${id.replaceAll('_', ' ')} · ${formatOffset(id, now)}`,
    zone: name,
  }));
  const byClock = Map.groupBy(zones, ({ id }) => toClock(id, now));
  const known = new Set(zones.flatMap(({ id, name }) => [id, name]));
  const others = Intl.supportedValuesOf('timeZone').flatMap(id => {
    if (known.has(id) || known.has(toCity(id)) || !id.includes('/')) return [];
    const same = byClock.get(toClock(id, now));
    const zone = same?.find(each => toRegion(each.id) === toRegion(id)) ?? same?.[0];
    if (!zone) return [];
    return [{ value: id, label: toCity(id), detail: `${zone.name} · ${formatOffset(id, now)}`, zone: zone.name }];
  });
  return [...own, ...others];
}

/** The zone of the service for one of IANA, such as that of the browser. */
export const findZoneName = (zones: Zone[], id: string): string | undefined =>
  zones.find(zone => zone.id === id)?.name ?? listCities(zones).find(({ value }) => value === id)?.zone;
