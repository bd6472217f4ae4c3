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
  const ends = days.map((_, index) => Math.min(starts[index + 1]!, now.getTime()));
  // Most days of most components are alike: they share one object each.
  const [none, operational] = (['none', 'operational'] as const).map(state => days.map(date => ({ date, state, minutes: noMinutes, noticeIds: [] })));
  const marks = marksOf(components, notices, now.getTime());
  return new Map(
    components.map(({ id, createdAt }) => {
      const own = marks.get(id)!;
      // A back-dated notice tells of a time before the component was written down.
      const since = own.reduce((earliest, { from }) => Math.min(earliest, from), Date.parse(createdAt));
      const history: DayOfHistory[] = days.map((_, index) => (ends[index]! <= since ? none![index]! : operational![index]!));
      for (const [index, here] of byDay(own, starts)) {
        if (starts[index]! < ends[index]!) history[index] = dayOfHistory(days[index]!, starts[index]!, ends[index]!, here);
      }
      return [id, history];
    }),
  );
}

const noMinutes = { maintenance: 0, 'partially-degraded': 0, degraded: 0 };

/** The marks of each day that has any, by the place of the day. A mark of no length counts on the day it stands on. */
function byDay(marks: readonly Mark[], starts: readonly number[]): Map<number, Mark[]> {
  const found = new Map<number, Mark[]>();
  const last = starts.length - 2;
  for (const mark of marks) {
    let index = Math.max(
      0,
      starts.findLastIndex(start => start <= mark.from),
    );
    for (; index <= last && (starts[index]! < mark.to || mark.from === mark.to); index++) {
      if (starts[index + 1]! > mark.from && (mark.to > starts[index]! || mark.from >= starts[index]!)) found.set(index, [...(found.get(index) ?? []), mark]);
      if (mark.from === mark.to) break;
    }
  }
  return found;
}

function dayOfHistory(date: string, start: number, end: number, here: readonly Mark[]): DayOfHistory {
  const minutes = { ...noMinutes };
  for (const state of Object.keys(minutes) as (keyof typeof minutes)[]) minutes[state] = Math.round(covered(here, state, start, end) / 60_000);
  const state = here.reduce<HistoryState>(
    (worst, mark) => (historyStates.indexOf(mark.state) > historyStates.indexOf(worst) ? mark.state : worst),
    'operational',
  );
  return { date, state, minutes, noticeIds: [...new Set(here.map(({ noticeId }) => noticeId))] };
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
  const relatives = relativesIn(components);
  for (const { id: noticeId, type, state, beganAt, endedAt, componentIds } of notices) {
    if (type === 'general' || state === 'false_alarm' || !beganAt) continue;
    const span = { from: Date.parse(beganAt), to: endedAt ? Date.parse(endedAt) : now, noticeId };
    const named = new Set(componentIds.filter(id => marks.has(id)));
    for (const id of named) marks.get(id)!.push({ ...span, state: type === 'planned' ? 'maintenance' : 'degraded' });
    if (type === 'planned') continue;
    // What the rule of states says of these, for a thousand notices on a thousand components in a few milliseconds.
    for (const id of new Set([...named].flatMap(relatives))) if (!named.has(id)) marks.get(id)!.push({ ...span, state: 'partially-degraded' });
  }
  return marks;
}

/** Those above and below a component, each found once. */
function relativesIn(components: PageSnapshot['components']): (id: number) => number[] {
  const parentOf = new Map(components.map(({ id, parentId }) => [id, parentId]));
  const childrenOf = Map.groupBy(components, ({ parentId }) => parentId);
  const known = new Map<number, number[]>();
  return id => {
    let found = known.get(id);
    if (!found) {
      found = [];
      for (let above = parentOf.get(id) ?? null; above !== null && parentOf.has(above); above = parentOf.get(above) ?? null) found.push(above);
      const below = (childrenOf.get(id) ?? []).map(child => child.id);
      // The list grows while it is walked.
      for (const child of below) for (const next of childrenOf.get(child) ?? []) below.push(next.id);
      found.push(...below);
      known.set(id, found);
    }
    return found;
  };
}
