import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ZonesDocument, type ZonesQuery } from '../api/documents.ts';
import { request } from '../api/transport.ts';
import { Combobox } from '../ui/combobox.tsx';
import { listCities, type Zone } from './cities.ts';

interface Props {
  label?: string;
  hint?: string;
  /** The name of the service for the zone, or that of IANA. */
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** All zones that the service knows; none while they are read. */
export const useZones = (): Zone[] => useQuery({ queryKey: [ZonesDocument.toString()], queryFn: readZones }).data ?? [];

/** The time zone of a page, searched by the names of the service, zones of IANA and cities. */
export function TimezoneField({
  label = 'Time zone',
  hint = 'Your page shows times in this zone to visitors without JavaScript, and in messages.',
  value,
  error,
  onChange,
}: Props) {
  const zones = useZones();
  const options = useMemo(() => listCities(zones), [zones]);
  const name = zones.find(({ id }) => id === value)?.name;
  return (
    <Combobox
      label={label}
      hint={hint}
      options={options}
      value={name ?? value}
      error={error}
      onChange={chosen => onChange(options.find(option => option.value === chosen)!.zone)}
    />
  );
}

async function readZones(): Promise<Zone[]> {
  const zones: Zone[] = [];
  for (let after: string | null = null, isMore = true; isMore; ) {
    const { timezones }: ZonesQuery = await request(ZonesDocument, { after });
    zones.push(...timezones!.nodes);
    isMore = timezones!.pageInfo.hasNextPage;
    after = timezones!.pageInfo.endCursor ?? null;
  }
  return zones;
}
