import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { ZonesDocument, type ZonesQuery } from '../api/documents.ts';
import { request } from '../api/transport.ts';
import { TextField } from '../ui/field.tsx';

type Zone = NonNullable<ZonesQuery['timezones']>['nodes'][number];

interface Props {
  /** The name of the service for the zone, or that of IANA. */
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** All zones that the service knows; none while they are read. */
export const useZones = (): Zone[] => useQuery({ queryKey: [ZonesDocument.toString()], queryFn: readZones }).data ?? [];

/** The time zone of a page, by the names of the service. */
export function TimezoneField({ value, error, onChange }: Props) {
  const list = useId();
  const zones = useZones();
  return (
    <>
      <TextField
        label="Time zone"
        hint="Your page shows times in this zone to visitors without JavaScript, and in messages."
        list={list}
        value={zones.find(({ id }) => id === value)?.name ?? value}
        error={error}
        onChange={event => onChange(event.target.value)}
      />
      <datalist id={list}>
        {zones.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
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
