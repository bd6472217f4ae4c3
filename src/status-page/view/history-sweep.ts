import type { DayOfHistory } from './history.js';
import { type Reach, tells } from './notice-impact.js';
import type { PageSnapshot } from './snapshot.js';

/** From well to bad, as in `historyStates`. */
const troubles = ['maintenance', 'partially-degraded', 'degraded'] as const;

/** A day of a root may be told of by every notice of the page. */
const noticesADay = 3;

/** When each notice was under way, by its place in the list, and the first and the last day of the history that it touches; none where these cross. */
interface Spans {
  from: Float64Array;
  to: Float64Array;
  first: Int32Array;
  last: Int32Array;
  /** Places, what began first first. */
  byBegin: readonly number[];
}

export interface Calendar {
  days: readonly string[];
  /** One more than days. */
  starts: readonly number[];
  ends: readonly number[];
}

/** The days that have trouble; null for the others. */
export interface Swept {
  days: (DayOfHistory | null)[];
  /** The earliest moment that a notice tells of. */
  since: number;
}

function spansOf(notices: PageSnapshot['notices'], { starts, ends }: Calendar, now: number): Spans {
  const from = Float64Array.from(notices, ({ beganAt }) => (beganAt ? Date.parse(beganAt) : 0));
  const to = Float64Array.from(notices, ({ endedAt }, place) =>
    Math.max(from[place]!, endedAt ? Date.parse(endedAt) : now),
  );
  // What took no time counts on the day it stands on.
  const first = Int32Array.from(from, (moment, place) =>
    to[place] === moment ? dayAt(starts, moment) : Math.max(0, dayAt(starts, moment)),
  );
  // Today has no length yet where it is the very start of it.
  const days = ends.findLastIndex((end, day) => starts[day]! < end) + 1;
  const last = Int32Array.from(to, (moment, place) =>
    Math.min(
      days - 1,
      moment === from[place] ? (first[place]! < 0 ? -2 : first[place]!) : starts.findLastIndex(start => start < moment),
    ),
  );
  const byBegin = notices
    .flatMap((notice, place) => (tells(notice) ? [place] : []))
    .sort((one, other) => from[one]! - from[other]!);
  return { from, to, first, last, byBegin };
}

const dayAt = (starts: readonly number[], moment: number): number => starts.findLastIndex(start => start <= moment);

/** Works out the days of a component from what touches it, in time that grows with the notices and the days, not with the one times the other. */
export function sweepOf(notices: PageSnapshot['notices'], calendar: Calendar, now: number): (reach: Reach) => Swept {
  const spans = spansOf(notices, calendar, now);
  /** By notice: 0 where it does not touch the component, else one more than the place of its trouble. */
  const touched = new Uint8Array(notices.length);
  return ({ touches }) => {
    touched.fill(0);
    for (const { notices: places, state } of touches)
      for (const place of places) touched[place] = troubles.indexOf(state) + 1;
    const counts = countsOf(touched, spans, calendar);
    const noticeIds = namesOf(touched, spans, calendar, notices);
    const minutes = minutesOf(touched, spans, calendar);
    const rounded = (trouble: number, day: number) => Math.round(minutes[trouble]![day]! / 60_000);
    const first = spans.byBegin.find(place => touched[place]);
    const days = calendar.days.map((date, day): DayOfHistory | null => {
      const [maintained, partly, wholly] = [counts[0]![day]!, counts[1]![day]!, counts[2]![day]!];
      const noticeCount = maintained + partly + wholly;
      if (!noticeCount) return null;
      return {
        date,
        state: wholly ? 'degraded' : partly ? 'partially-degraded' : 'maintenance',
        minutes: { maintenance: rounded(0, day), 'partially-degraded': rounded(1, day), degraded: rounded(2, day) },
        noticeCount,
        noticeIds: noticeIds[day]!,
      };
    });
    return { days, since: first === undefined ? Number.POSITIVE_INFINITY : spans.from[first]! };
  };
}

/** How many notices of each trouble touch each day: each says where it begins and where it ends. */
function countsOf(touched: Uint8Array, { first, last }: Spans, { starts }: Calendar): Int32Array[] {
  const counts = troubles.map(() => new Int32Array(starts.length));
  for (let place = 0; place < touched.length; place++) {
    if (!touched[place] || first[place]! > last[place]!) continue;
    const count = counts[touched[place]! - 1]!;
    count[first[place]!]!++;
    count[last[place]! + 1]!--;
  }
  for (const count of counts) for (let day = 1; day < count.length; day++) count[day]! += count[day - 1]!;
  return counts;
}

/** The first few notices of each day. A day that has enough is not looked at again: what follows jumps over it. */
function namesOf(
  touched: Uint8Array,
  { first, last }: Spans,
  { starts }: Calendar,
  notices: PageSnapshot['notices'],
): number[][] {
  const names: number[][] = starts.map(() => []);
  const next = Int32Array.from(starts.keys());
  const open = (day: number): number => {
    let found = day;
    while (next[found] !== found) found = next[found] = next[next[found]!]!;
    return found;
  };
  for (let place = 0; place < touched.length; place++) {
    if (!touched[place] || first[place]! > last[place]!) continue;
    for (let day = open(first[place]!); day <= last[place]!; day = open(day + 1)) {
      if (names[day]!.push(notices[place]!.id) === noticesADay) next[day] = day + 1;
    }
  }
  return names;
}

/** Milliseconds of each trouble on each day; where notices overlap, once. */
function minutesOf(touched: Uint8Array, { from, to, byBegin }: Spans, { starts, ends }: Calendar): Float64Array[] {
  const sums = troubles.map(() => new Float64Array(ends.length));
  const reached = troubles.map(() => ({ until: starts[0]!, day: 0 }));
  for (const place of byBegin) {
    if (!touched[place]) continue;
    const sum = sums[touched[place]! - 1]!;
    const run = reached[touched[place]! - 1]!;
    const begin = Math.max(from[place]!, run.until);
    const stop = Math.min(to[place]!, ends.at(-1)!);
    if (stop <= begin) continue;
    while (starts[run.day + 1]! <= begin) run.day++;
    for (let day = run.day; day < ends.length && starts[day]! < stop; day++) {
      sum[day]! += Math.max(0, Math.min(stop, ends[day]!) - Math.max(begin, starts[day]!));
    }
    run.until = stop;
  }
  return sums;
}
