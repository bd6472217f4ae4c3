import { computeTimelineState } from '../../notices/notice.states.js';
import { toCalendarDay, addDays, startOfDay } from './days.js';
import { findSilence } from './silence.js';
import { parseTime } from './snapshot-times.js';
import type { PageSnapshot, SnapshotNotice, SnapshotPage } from './snapshot.js';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Changes of notices within this time are shown together: cached responses are as late. */
const togetherMs = 15_000;

/**
 * When time alone changes the page next: a day ends, a notice leaves the front page, or a displayed duration changes.
 * Many notices change at many moments: the page is not rendered for each.
 */
export function nextChange({ page, notices, metrics }: PageSnapshot, now: Date): Date {
  const endOfDay = startOfDay(addDays(toCalendarDay(now, page.zone), 1), page.zone).getTime();
  const changes = notices.flatMap(notice => listChanges(notice, page, now)).filter(change => change > now.getTime());
  const first = changes.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const last = changes.reduce((one, other) => (other <= first + togetherMs ? Math.max(one, other) : one), first);
  const newValues = metrics?.length ? now.getTime() + minuteMs : endOfDay;
  return new Date(Math.min(endOfDay, last, newValues));
}

function listChanges(notice: SnapshotNotice, page: SnapshotPage, now: Date): number[] {
  const { state, endedAt, beganAt, beginsAt } = notice;
  const stale = findSilence(notice, page)?.staleAt.getTime() ?? 0;
  const timelineState = computeTimelineState(state, parseTime(endedAt), now);
  if (timelineState === 'present') return [nextStep(now, beganAt, minuteMs), stale];
  if (timelineState === 'future') return [nextStep(now, beginsAt, 60 * minuteMs), stale];
  // One millisecond later: a notice whose age equals the threshold is still shown.
  return endedAt ? [7 * dayMs, page.timelineThresholdSeconds * 1000].map(ageMs => Date.parse(endedAt) + ageMs + 1) : [];
}

/** The next moment that is a whole number of steps away from `origin`. */
function nextStep(now: Date, origin: string | null, stepMs: number): number {
  const elapsedMs = now.getTime() - (origin ? Date.parse(origin) : 0);
  // The second modulo makes the remainder of a future origin positive.
  return now.getTime() + stepMs - (((elapsedMs % stepMs) + stepMs) % stepMs);
}
