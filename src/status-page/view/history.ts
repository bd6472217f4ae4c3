import { dayOf, shiftDay, startOfDay } from './days.js';
import { reachesOf, type Trouble } from './notice-impact.js';
import { type Swept, sweepOf } from './history-sweep.js';
import type { PageSnapshot } from './snapshot.js';

/** From well to bad; the worst of a day is what the day shows. `none`: the component was not there yet. */
export const historyStates = ['none', 'operational', 'maintenance', 'partially-degraded', 'degraded'] as const;
export type HistoryState = (typeof historyStates)[number];

export interface DayOfHistory {
  /** `2026-11-20`, in the page's zone. */
  date: string;
  state: HistoryState;
  /** Whole minutes in each of the states that are not operational. */
  minutes: Record<Trouble, number>;
  /** How many notices made it so: those that name the component or one above or below it. */
  noticeCount: number;
  /** The first of them, in the order of the snapshot. */
  noticeIds: number[];
}

export const daysOfHistory = 90;

type Source = Pick<PageSnapshot, 'components' | 'notices'> & { page: Pick<PageSnapshot['page'], 'zone'>; now: Date };

/**
 * By component, its last 90 days, today included: what its notices say. A maintenance counts while it was under way.
 * An open notice on a root touches every component on every day: so what a component and another have in common is worked out once and is one array,
 * and of each it takes the number of notices, not that times the days.
 */
export function historyOf({ page: { zone }, components, notices, now }: Source): Map<number, DayOfHistory[]> {
  const today = dayOf(now, zone);
  const days = Array.from({ length: daysOfHistory }, (_, index) => shiftDay(today, index + 1 - daysOfHistory));
  const starts = [...days.map(day => startOfDay(day, zone).getTime()), startOfDay(shiftDay(today, 1), zone).getTime()];
  const ends = days.map((_, index) => Math.min(starts[index + 1]!, now.getTime()));
  // Most days of most components are alike: they share one object each.
  const [none, operational] = (['none', 'operational'] as const).map(state =>
    days.map(date => ({ date, state, minutes: noMinutes, noticeCount: 0, noticeIds: [] })),
  );
  const sweep = sweepOf(notices, { days, starts, ends }, now.getTime());
  const swept = new Map<string, Swept>();
  const histories = new Map<string, DayOfHistory[]>();
  const reaches = reachesOf(components, notices);
  return new Map(
    components.map(({ id, createdAt }, place) => {
      const reach = reaches[place]!;
      const known = swept.get(reach.key) ?? sweep(reach);
      swept.set(reach.key, known);
      // A back-dated notice tells of a time before the component was written down.
      const since = Math.min(known.since, Date.parse(createdAt));
      const unknown = ends.findIndex(end => end > since);
      const key = `${unknown} ${reach.key}`;
      const history =
        histories.get(key) ??
        known.days.map((day, index) => day ?? (ends[index]! <= since ? none![index]! : operational![index]!));
      histories.set(key, history);
      return [id, history];
    }),
  );
}

const noMinutes = { maintenance: 0, 'partially-degraded': 0, degraded: 0 };
