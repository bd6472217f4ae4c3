/** Minutes below an hour, hours below two days, then days. The script of the public page rounds alike. */
export function toRelativeTimeUnit(seconds: number): [unit: Intl.RelativeTimeFormatUnit, count: number] {
  const minutes = Math.round(seconds / 60);
  const size = Math.abs(minutes);
  if (!size) return ['second', 0];
  if (size < 60) return ['minute', minutes];
  return size < 2880 ? ['hour', Math.round(minutes / 60)] : ['day', Math.round(minutes / 1440)];
}
