/** A time as a field `datetime-local` has it, "2026-12-03T09:00", in a zone of IANA; by default that of the browser. */
export function toLocalTime(time: string, timeZone?: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).formatToParts(new Date(time));
  const { year, month, day, hour, minute } = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  return `${year!.padStart(4, '0')}-${month}-${day}T${hour}:${minute}`;
}

/** The opposite. The offset of a local time is that of the moment it stands for, which is one or two offsets away. */
export function fromLocalTime(local: string, timeZone?: string): string {
  const asUtc = Date.parse(`${local}Z`);
  const offsetAt = (ms: number) => Date.parse(`${toLocalTime(new Date(ms).toISOString(), timeZone)}Z`) - ms;
  return new Date(asUtc - offsetAt(asUtc - offsetAt(asUtc))).toISOString();
}
