/** `2026-10` as "October 2026". */
export const describeMonth = (month: string): string =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

/** The last 12 months, and the chosen one if it is an earlier one. */
export function listMonths(chosen: string): string[] {
  const now = new Date();
  const months = Array.from({ length: 12 }, (_, index) =>
    new Date(Date.UTC(now.getFullYear(), now.getMonth() - index)).toISOString().slice(0, 7),
  );
  return months.includes(chosen) ? months : [...months, chosen].sort().reverse();
}
