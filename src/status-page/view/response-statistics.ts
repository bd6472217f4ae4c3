/** What response statistics are computed from: public data of a page, with times in ISO 8601. */
export interface Responses {
  /** Incidents that began in the period, without false alarms and those that were over when they were entered. */
  incidents: { id: number; beganAt: string; firstUpdateAt: string }[];
  /** The deadlines of next updates that lie in the period. */
  deadlines: { noticeId: number; dueAt: string; settledAt: string | null }[];
}

interface ResponseStatistics {
  incidents: number;
  /** From the beginning of an incident to its first update, in seconds. Null: there were no incidents. */
  medianSeconds: number | null;
  longestSeconds: number | null;
  deadlines: { made: number; onTime: number; late: number; open: number };
}

export const computeSecondsToFirstUpdate = ({
  beganAt,
  firstUpdateAt,
}: Omit<Responses['incidents'][number], 'id'>): number =>
  Math.max(0, Math.round((Date.parse(firstUpdateAt) - Date.parse(beganAt)) / 1000));

/** The median of an even number of values is the mean of the two in the middle. */
function findMedian(sorted: readonly number[]): number | null {
  if (!sorted.length) return null;
  const middle = sorted.length / 2;
  return Math.round((sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2);
}

export function computeResponseStatistics({ incidents, deadlines }: Responses, now: Date): ResponseStatistics {
  const seconds = incidents.map(computeSecondsToFirstUpdate).sort((one, other) => one - other);
  const count = (matches: (dueAt: number, settledAt: number | null) => boolean) =>
    deadlines.filter(({ dueAt, settledAt }) => matches(Date.parse(dueAt), settledAt ? Date.parse(settledAt) : null))
      .length;
  return {
    incidents: seconds.length,
    medianSeconds: findMedian(seconds),
    longestSeconds: seconds.at(-1) ?? null,
    deadlines: {
      made: deadlines.length,
      onTime: count((dueAt, settledAt) => settledAt !== null && settledAt <= dueAt),
      late: count((dueAt, settledAt) => (settledAt ?? now.getTime()) > dueAt),
      open: count((dueAt, settledAt) => settledAt === null && dueAt >= now.getTime()),
    },
  };
}
