import { computeTimelineState } from '../../notices/notice.states.js';
import { toCalendarDay, addDays, startOfDay } from './days.js';
import type { PageSnapshot } from './snapshot.js';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * When time alone changes the page next: a day ends, a notice leaves the front page, or a displayed duration changes.
 */
export function nextChange({ page, notices }: PageSnapshot, now: Date): Date {
  const moments = [startOfDay(addDays(toCalendarDay(now, page.zone), 1), page.zone).getTime()];
  for (const { state, endedAt, beganAt, beginsAt } of notices) {
    const timelineState = computeTimelineState(state, endedAt ? new Date(endedAt) : null, now);
    if (timelineState === 'present') moments.push(nextStep(now, beganAt, minuteMs));
    if (timelineState === 'future') moments.push(nextStep(now, beginsAt, 60 * minuteMs));
    // One millisecond later: a notice whose age equals the threshold is still shown.
    if (endedAt)
      for (const ageMs of [7 * dayMs, page.timelineThreshold * 1000]) moments.push(Date.parse(endedAt) + ageMs + 1);
  }
  return new Date(Math.min(...moments.filter(moment => moment > now.getTime())));
}

/** The next moment that is a whole number of steps away from `origin`. */
function nextStep(now: Date, origin: string | null, stepMs: number): number {
  const elapsedMs = now.getTime() - (origin ? Date.parse(origin) : 0);
  // The second modulo makes the remainder of a future origin positive.
  return now.getTime() + stepMs - (((elapsedMs % stepMs) + stepMs) % stepMs);
}
