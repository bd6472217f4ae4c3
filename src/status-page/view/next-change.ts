import { timelineState } from '../../notices/notice.states.js';
import { dayOf, shiftDay, startOfDay } from './days.js';
import type { PageSnapshot } from './snapshot.js';

const minute = 60_000;
const day = 86_400_000;

/** When time alone changes the page next: a day ends, a notice grows old, or the words for how long something lasts are others. */
export function nextMove({ page, notices }: PageSnapshot, now: Date): Date {
  const moments = [startOfDay(shiftDay(dayOf(now, page.zone), 1), page.zone).getTime()];
  for (const { state, endedAt, beganAt, beginsAt } of notices) {
    const stands = timelineState(state, endedAt ? new Date(endedAt) : null, now);
    if (stands === 'present') moments.push(following(now, beganAt, minute));
    if (stands === 'future') moments.push(following(now, beginsAt, 60 * minute));
    // The edge itself is recent still.
    if (endedAt)
      for (const age of [7 * day, page.timelineThreshold * 1000]) moments.push(Date.parse(endedAt) + age + 1);
  }
  return new Date(Math.min(...moments.filter(moment => moment > now.getTime())));
}

/** The next moment that is a whole number of steps away from another. */
function following(now: Date, from: string | null, step: number): number {
  const since = now.getTime() - (from ? Date.parse(from) : 0);
  return now.getTime() + step - (((since % step) + step) % step);
}
