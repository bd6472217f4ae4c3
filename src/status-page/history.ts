import { componentStates } from '../components/component.state.js';
import { dayOf, shiftDay, startOfDay } from './days.js';
import type { PageSnapshot } from './snapshot.js';

/** From well to bad; the worst of a day is what the day shows. `none`: the component was not there yet. */
export const historyStates = ['none', 'operational', 'maintenance', 'partially-degraded', 'degraded'] as const;
export type HistoryState = (typeof historyStates)[number];

export interface DayOfHistory {
  /** `2026-11-20`, in the page's zone. */
  date: string;
  state: HistoryState;
  /** Whole minutes in each of the states that are not operational. */
  minutes: { maintenance: number; 'partially-degraded': number; degraded: number };
  /** The notices that made it so, those that name the component or one above or below it. */
  noticeIds: number[];
}

export const daysOfHistory = 90;

type Source = Pick<PageSnapshot, 'components' | 'notices'> & { page: Pick<PageSnapshot['page'], 'zone'>; now: Date };

interface Mark {
  from: number;
  to: number;
  state: 'maintenance' | 'partially-degraded' | 'degraded';
  noticeId: number;
}

/**
 * By component, its last 90 days, today included: what its notices say, by the rule of states (named: degraded; above or below a named one: partially).
 * A maintenance counts while it was under way, and only for what it names. A false alarm was nothing; a maintenance that never began neither.
 */
export function historyOf({ page: { zone }, components, notices, now }: Source): Map<number, DayOfHistory[]> {
  const today = dayOf(now, zone);
  const days = Array.from({ length: daysOfHistory }, (_, index) => shiftDay(today, index + 1 - daysOfHistory));
  const starts = [...days.map(day => startOfDay(day, zone).getTime()), startOfDay(shiftDay(today, 1), zone).getTime()];
  const marks = marksOf(components, notices, now.getTime());
  return new Map(
    components.map(({ id, createdAt }) => {
      const own = marks.get(id) ?? [];
      // A back-dated notice tells of a time before the component was written down.
      const since = Math.min(Date.parse(createdAt), ...own.map(({ from }) => from));
      return [id, days.map((date, index) => dayOfHistory(date, starts[index]!, Math.min(starts[index + 1]!, now.getTime()), own, since))];
    }),
  );
}

function dayOfHistory(date: string, start: number, end: number, marks: readonly Mark[], since: number): DayOfHistory {
  // A mark of no length counts on the day it stands on.
  const here = marks.filter(({ from, to }) => from < end && (to > start || (from === to && from >= start)));
  const minutes = { maintenance: 0, 'partially-degraded': 0, degraded: 0 };
  for (const state of Object.keys(minutes) as (keyof typeof minutes)[]) minutes[state] = Math.round(covered(here, state, start, end) / 60_000);
  const worst = here.reduce<HistoryState>(
    (state, mark) => (historyStates.indexOf(mark.state) > historyStates.indexOf(state) ? mark.state : state),
    end <= since ? 'none' : 'operational',
  );
  return { date, state: worst, minutes, noticeIds: [...new Set(here.map(({ noticeId }) => noticeId))] };
}

/** Milliseconds covered by the marks of a state, where they overlap once. */
function covered(marks: readonly Mark[], state: Mark['state'], start: number, end: number): number {
  let sum = 0;
  let until = start;
  for (const { from, to } of marks.filter(mark => mark.state === state).sort((one, other) => one.from - other.from)) {
    const begin = Math.max(from, until);
    const stop = Math.min(to, end);
    if (stop > begin) {
      sum += stop - begin;
      until = stop;
    }
  }
  return sum;
}

function marksOf(components: PageSnapshot['components'], notices: PageSnapshot['notices'], now: number): Map<number, Mark[]> {
  const marks = new Map<number, Mark[]>(components.map(({ id }) => [id, []]));
  for (const { id: noticeId, type, state, beganAt, endedAt, componentIds } of notices) {
    if (type === 'general' || state === 'false_alarm' || !beganAt) continue;
    const span = { from: Date.parse(beganAt), to: endedAt ? Date.parse(endedAt) : now, noticeId };
    if (type === 'planned') for (const id of componentIds) marks.get(id)?.push({ ...span, state: 'maintenance' });
    else for (const [id, hit] of componentStates(components, new Set(componentIds))) if (hit !== 'operational') marks.get(id)!.push({ ...span, state: hit });
  }
  return marks;
}
