import { dayOf, shiftDay } from './days.js';
import type { NoticeView, PageView } from './view.js';

/** A day with its notices, or a run of days on which nothing happened, the later one first. */
export type PastEntry = { day: string; notices: NoticeView[] } | { from: string; to: string };

/**
 * The days that the front page looks back on, newest first. A day that a notice merely reached into is neither: nothing of it is told there, and it was
 * not quiet.
 */
export function pastDays({
  page,
  now,
  notices,
  past,
}: Pick<PageView, 'page' | 'now' | 'notices' | 'past'>): PastEntry[] {
  const today = dayOf(now, page.zone);
  const days = Math.max(7, Math.min(daysAtMost, Math.floor(page.timelineThreshold / 86_400)));
  const busy = busyDays(notices, page.zone, now);
  // A page says nothing of the time before it, but for what was written down of it.
  const since = [dayOf(new Date(page.createdAt), page.zone), ...past.map(({ day }) => day)].reduce((one, other) =>
    one < other ? one : other,
  );
  const entries: PastEntry[] = [];
  let day = today;
  for (let count = 0; count <= days && day >= since; count++, day = shiftDay(day, -1)) {
    const here = past.filter(notice => notice.day === day);
    const last = entries.at(-1);
    if (here.length) entries.push({ day, notices: here });
    else if (busy.has(day)) continue;
    else if (last && 'from' in last && last.from === shiftDay(day, 1)) last.from = day;
    else entries.push({ from: day, to: day });
  }
  return entries;
}

/** A threshold may be of any length; a page may not. What is older is in the history. */
const daysAtMost = 90;

/** Whether a day has any of a notice. A day is asked of each notice, since a notice may last for years. */
function busyDays(notices: readonly NoticeView[], zone: string, now: Date): { has(day: string): boolean } {
  const spans = notices.flatMap(({ type, beganAt, endedAt }) =>
    type === 'general' || !beganAt ? [] : [{ first: dayOf(beganAt, zone), last: dayOf(endedAt ?? now, zone) }],
  );
  return { has: day => spans.some(({ first, last }) => first <= day && day <= last) };
}
