import type { HistoryDay } from './history-day.js';
import { type ComponentImpact, countsAsOutage, type HistoryNotice, outageStates } from './notice-impact.js';

/** Every notice of a page may affect a root component on the same day: a day lists the first few. */
const maxNoticesPerDay = 3;

/**
 * The span of each notice, by its index in the list: begin and end in milliseconds, and the indexes of the first and
 * the last day of the history that it affects. It affects no day if the first is after the last.
 */
interface NoticeSpans {
  from: Float64Array;
  to: Float64Array;
  firstDay: Int32Array;
  lastDay: Int32Array;
  /** Indexes of the notices that count, sorted by begin. */
  byBegin: readonly number[];
}

interface DayBoundaries {
  days: readonly string[];
  /** In milliseconds. One entry more than `days`: the last is the end of the last day. */
  starts: readonly number[];
  ends: readonly number[];
}

interface SweptHistory {
  /** Null for days without an outage. A manual status is an outage without a notice. */
  days: (HistoryDay | null)[];
  /** When the earliest notice began; infinity when there is none. */
  since: number;
}

function computeSpans(notices: readonly HistoryNotice[], { starts, ends }: DayBoundaries, now: number): NoticeSpans {
  const from = Float64Array.from(notices, ({ beganAt }) => (beganAt ? Date.parse(beganAt) : 0));
  const to = Float64Array.from(notices, ({ endedAt }, notice) =>
    Math.max(from[notice]!, endedAt ? Date.parse(endedAt) : now),
  );
  // A notice without duration counts on the day of its begin; before the first day, it counts on none.
  const firstDay = Int32Array.from(from, (moment, notice) =>
    to[notice] === moment ? findDay(starts, moment) : Math.max(0, findDay(starts, moment)),
  );
  // At the very start of today, today has no duration yet and is left out.
  const dayCount = ends.findLastIndex((end, day) => starts[day]! < end) + 1;
  const lastDay = Int32Array.from(to, (moment, notice) =>
    Math.min(
      dayCount - 1,
      moment === from[notice]
        ? firstDay[notice]! < 0
          ? -2
          : firstDay[notice]!
        : starts.findLastIndex(start => start < moment),
    ),
  );
  const byBegin = notices
    .flatMap((notice, index) => (countsAsOutage(notice) ? [index] : []))
    .sort((one, other) => from[one]! - from[other]!);
  return { from, to, firstDay, lastDay, byBegin };
}

const findDay = (starts: readonly number[], moment: number): number => starts.findLastIndex(start => start <= moment);

/** Returns a function that computes the days of an impact, in time proportional to notices plus days. */
export function createHistorySweep(
  notices: readonly HistoryNotice[],
  boundaries: DayBoundaries,
  now: number,
): (impact: Pick<ComponentImpact, 'outages'>) => SweptHistory {
  const spans = computeSpans(notices, boundaries, now);
  /** By notice: 0 if it does not affect the component, otherwise 1 + the index of its outage state. Reused by calls. */
  const severities = new Uint8Array(notices.length);
  return ({ outages }) => {
    severities.fill(0);
    for (const { notices: affecting, state } of outages)
      for (const notice of affecting) severities[notice] = outageStates.indexOf(state) + 1;
    const listed = listNotices(severities, spans, boundaries, notices);
    const counts = countOutages(severities, spans, boundaries);
    const durations = sumDurations(severities, spans, boundaries);
    const toMinutes = (state: number, day: number) => Math.round(durations[state]![day]! / 60_000);
    const first = spans.byBegin.find(notice => severities[notice]);
    const days = boundaries.days.map((date, day): HistoryDay | null => {
      const state = outageStates[counts.findLastIndex(count => count[day]! > 0)];
      if (!state) return null;
      const minutes = Object.fromEntries(
        outageStates.map((state, index) => [state, toMinutes(index, day)]),
      ) as HistoryDay['minutes'];
      return {
        date,
        state,
        minutes,
        noticeCount: listed.counts[day]!,
        noticeIds: listed.ids[day]!,
      };
    });
    return { days, since: first === undefined ? Number.POSITIVE_INFINITY : spans.from[first]! };
  };
}

/** Number of outages by state and day: a difference array of begins and ends, then a running sum. */
function countOutages(
  severities: Uint8Array,
  { firstDay, lastDay }: NoticeSpans,
  { starts }: DayBoundaries,
): Int32Array[] {
  const counts = outageStates.map(() => new Int32Array(starts.length));
  for (let notice = 0; notice < severities.length; notice++) {
    if (!severities[notice] || firstDay[notice]! > lastDay[notice]!) continue;
    const count = counts[severities[notice]! - 1]!;
    count[firstDay[notice]!]!++;
    count[lastDay[notice]! + 1]!--;
  }
  for (const count of counts) addUp(count);
  return counts;
}

function addUp(count: Int32Array): void {
  for (let day = 1; day < count.length; day++) count[day]! += count[day - 1]!;
}

/**
 * The number of notices of each day, and the ids of the first of them. The pieces of a notice follow each other: a day
 * of two of them counts once. Full days are skipped by a union-find with path halving.
 */
function listNotices(
  severities: Uint8Array,
  { firstDay, lastDay }: NoticeSpans,
  { starts }: DayBoundaries,
  notices: readonly HistoryNotice[],
): { counts: Int32Array; ids: number[][] } {
  const counts = new Int32Array(starts.length);
  const ids: number[][] = starts.map(() => []);
  let previous: { id: number; lastDay: number } | undefined;
  const next = Int32Array.from(starts.keys());
  const findDayWithRoom = (day: number): number => {
    let free = day;
    while (next[free] !== free) free = next[free] = next[next[free]!]!;
    return free;
  };
  for (let notice = 0; notice < severities.length; notice++) {
    if (!severities[notice] || firstDay[notice]! > lastDay[notice]!) continue;
    const { id } = notices[notice]!;
    if (id === null) continue;
    const first = previous?.id === id ? Math.max(firstDay[notice]!, previous.lastDay + 1) : firstDay[notice]!;
    const last = lastDay[notice]!;
    if (first > last) continue;
    previous = { id, lastDay: last };
    counts[first]!++;
    counts[last + 1]!--;
    for (let day = findDayWithRoom(first); day <= last; day = findDayWithRoom(day + 1))
      if (ids[day]!.push(id) === maxNoticesPerDay) next[day] = day + 1;
  }
  addUp(counts);
  return { counts, ids };
}

/** Milliseconds by outage state and day. Time in which notices overlap counts once. */
function sumDurations(
  severities: Uint8Array,
  { from, to, byBegin }: NoticeSpans,
  { starts, ends }: DayBoundaries,
): Float64Array[] {
  const durations = outageStates.map(() => new Float64Array(ends.length));
  const cursors = outageStates.map(() => ({ until: starts[0]!, day: 0 }));
  for (const notice of byBegin) {
    if (!severities[notice]) continue;
    const duration = durations[severities[notice]! - 1]!;
    const cursor = cursors[severities[notice]! - 1]!;
    const begin = Math.max(from[notice]!, cursor.until);
    const end = Math.min(to[notice]!, ends.at(-1)!);
    if (end <= begin) continue;
    while (starts[cursor.day + 1]! <= begin) cursor.day++;
    for (let day = cursor.day; day < ends.length && starts[day]! < end; day++) {
      duration[day]! += Math.max(0, Math.min(end, ends[day]!) - Math.max(begin, starts[day]!));
    }
    cursor.until = end;
  }
  return durations;
}
