import type { PublicDay as HistoryDay } from '../../pages/public-page.js';
import { type OutageSpan, outageStates } from './outages.js';

export type { HistoryDay };

/** From best to worst: a day shows its worst state. `none`: the component did not exist yet. */
export const historyStates = ['none', 'operational', ...outageStates] as const;
export type HistoryState = (typeof historyStates)[number];

/** Every notice of a page may affect a root component on the same day: a day lists the first few. */
const maxNoticesPerDay = 3;

export interface DayBoundaries {
  days: readonly string[];
  /** In milliseconds. One entry more than `days`: the last is the end of the last day. */
  starts: readonly number[];
  ends: readonly number[];
}

/** An outage with the index of its state, and those of the first and the last day of the history that it affects. */
interface PlacedOutage extends OutageSpan {
  severity: number;
  firstDay: number;
  lastDay: number;
}

export interface SweptHistory {
  /** Null for days without an outage. A manual status is an outage without a notice. */
  days: (HistoryDay | null)[];
  /** When the earliest outage began; infinity when there is none. */
  since: number;
}

/**
 * The days of what is affected by these outages, in time proportional to outages plus days, and their sorting. They are
 * in the order in which a day lists their notices, those of a notice together and sorted by begin.
 */
export function sweepDays(outages: readonly OutageSpan[], boundaries: DayBoundaries): SweptHistory {
  const placed = placeOutages(outages, boundaries);
  const listed = listNotices(placed, boundaries);
  const counts = countOutages(placed, boundaries);
  const durations = sumDurations(outages, boundaries);
  const toMinutes = (state: number, day: number) => Math.round(durations[state]![day]! / 60_000);
  const days = boundaries.days.map((date, day): HistoryDay | null => {
    const state = outageStates[counts.findLastIndex(count => count[day]! > 0)];
    if (!state) return null;
    const minutes = Object.fromEntries(
      outageStates.map((each, index) => [each, toMinutes(index, day)]),
    ) as HistoryDay['minutes'];
    return { date, state, minutes, noticeCount: listed.counts[day]!, noticeIds: listed.ids[day]! };
  });
  return { days, since: outages.reduce((earliest, { from }) => Math.min(earliest, from), Number.POSITIVE_INFINITY) };
}

/** Without those that affect no day. */
function placeOutages(outages: readonly OutageSpan[], { starts, ends }: DayBoundaries): PlacedOutage[] {
  // At the very start of today, today has no duration yet and is left out.
  const dayCount = ends.findLastIndex((end, day) => starts[day]! < end) + 1;
  return outages.flatMap(outage => {
    const { from, to } = outage;
    const begin = starts.findLastIndex(start => start <= from);
    // An outage without duration counts on the day of its begin; before the first day, it counts on none.
    const firstDay = from === to ? begin : Math.max(0, begin);
    const end = from === to ? (begin < 0 ? -2 : begin) : starts.findLastIndex(start => start < to);
    const lastDay = Math.min(dayCount - 1, end);
    const severity = outageStates.indexOf(outage.state);
    return firstDay <= lastDay ? [{ ...outage, severity, firstDay, lastDay }] : [];
  });
}

/** Number of outages by state and day: a difference array of begins and ends, then a running sum. */
function countOutages(outages: readonly PlacedOutage[], { starts }: DayBoundaries): Int32Array[] {
  const counts = outageStates.map(() => new Int32Array(starts.length));
  for (const { severity, firstDay, lastDay } of outages) {
    counts[severity]![firstDay]!++;
    counts[severity]![lastDay + 1]!--;
  }
  for (const count of counts) addUp(count);
  return counts;
}

function addUp(count: Int32Array): void {
  for (let day = 1; day < count.length; day++) count[day]! += count[day - 1]!;
}

/**
 * The number of notices of each day, and the ids of the first of them. A day of several outages of a notice counts it
 * once. Full days are skipped by a union-find with path halving.
 */
function listNotices(
  outages: readonly PlacedOutage[],
  { starts }: DayBoundaries,
): { counts: Int32Array; ids: number[][] } {
  const counts = new Int32Array(starts.length);
  const ids: number[][] = starts.map(() => []);
  let previous: { noticeId: number; lastDay: number } | undefined;
  const next = Int32Array.from(starts.keys());
  const findDayWithRoom = (day: number): number => {
    let free = day;
    while (next[free] !== free) free = next[free] = next[next[free]!]!;
    return free;
  };
  for (const { noticeId, firstDay, lastDay } of outages) {
    if (noticeId === null) continue;
    const first = previous?.noticeId === noticeId ? Math.max(firstDay, previous.lastDay + 1) : firstDay;
    if (first > lastDay) continue;
    previous = { noticeId, lastDay };
    counts[first]!++;
    counts[lastDay + 1]!--;
    for (let day = findDayWithRoom(first); day <= lastDay; day = findDayWithRoom(day + 1))
      if (ids[day]!.push(noticeId) === maxNoticesPerDay) next[day] = day + 1;
  }
  addUp(counts);
  return { counts, ids };
}

/** Milliseconds by outage state and day. Time in which outages overlap counts once. */
function sumDurations(outages: readonly OutageSpan[], { starts, ends }: DayBoundaries): Float64Array[] {
  const durations = outageStates.map(() => new Float64Array(ends.length));
  const cursors = outageStates.map(() => ({ until: starts[0]!, day: 0 }));
  for (const { from, to, state } of outages.toSorted((one, other) => one.from - other.from)) {
    const duration = durations[outageStates.indexOf(state)]!;
    const cursor = cursors[outageStates.indexOf(state)]!;
    const begin = Math.max(from, cursor.until);
    const end = Math.min(to, ends.at(-1)!);
    if (end <= begin) continue;
    while (starts[cursor.day + 1]! <= begin) cursor.day++;
    for (let day = cursor.day; day < ends.length && starts[day]! < end; day++) {
      duration[day]! += Math.max(0, Math.min(end, ends[day]!) - Math.max(begin, starts[day]!));
    }
    cursor.until = end;
  }
  return durations;
}
