/** What a field `datetime-local` has, in the zone of the browser, as a time with its offset. */
export const fromLocal = (value: string): string => new Date(value).toISOString();

/** As `datetime-local` wants it: in the zone of the browser, without it. */
export function toLocal(time: string): string {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
