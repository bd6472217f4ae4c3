import { getOffsetMinutes } from '../../i18n/local-time.js';

/** Wall times are those of a clock in a zone, as dates whose fields of UTC it shows. */

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** A moment at which the clock of a zone changes. Offsets are in milliseconds east of UTC. */
export interface Transition {
  at: Date;
  before: number;
  after: number;
}

const findOffset = (moment: number, zone: string): number => getOffsetMinutes(new Date(moment), zone) * minuteMs;

export const haveSameOffset = (one: Date, other: Date, zone: string): boolean =>
  findOffset(one.getTime(), zone) === findOffset(other.getTime(), zone);

/** The changes of a clock in a period, to the minute. */
export function listTransitions(zone: string, from: Date, to: Date): Transition[] {
  const transitions: Transition[] = [];
  for (let start = from.getTime(); start < to.getTime(); start += dayMs) {
    let low = start;
    let high = Math.min(start + dayMs, to.getTime());
    const before = findOffset(low, zone);
    const after = findOffset(high, zone);
    if (before === after) continue;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (findOffset(middle, zone) === before) low = middle;
      else high = middle;
    }
    transitions.push({ at: new Date(high), before, after });
  }
  return transitions;
}

/** The first moment that has a wall time; where the clock leaves it out, the one as long after the change. */
export function toMoment(wallTime: Date, zone: string): Date {
  const wall = wallTime.getTime();
  const moments = [-dayMs, dayMs].map(distance => wall - findOffset(wall + distance, zone));
  const fitting = moments.filter(moment => moment + findOffset(moment, zone) === wall);
  return new Date(fitting.length ? Math.min(...fitting) : moments[0]!);
}
