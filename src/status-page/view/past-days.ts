import { toCalendarDay, addDays } from './days.js';
import type { ManualPeriod } from '../../components/manual-status.rules.js';
import type { UpstreamPeriod } from '../../components/upstream/upstream.rules.js';
import { parseTime } from './snapshot-times.js';
import type { NoticeView, PageView } from './view.js';

/** A day with its notices, or a run of days without any (`from` and `to` inclusive). */
export type PastEntry = { day: string; notices: NoticeView[] } | { from: string; to: string };

/** The threshold of a page may be longer; older notices are in the history. */
const maxDays = 90;

/**
 * The past days of the front page, newest first.
 * A day on which a notice was open, but which is not the day it ended, has no entry: it was not free of incidents. Nor
 * has one with an outage or a maintenance by a manual status or an upstream.
 */
export function pastDays({
  page,
  now,
  notices,
  past,
  omitted,
  historySource,
}: Pick<PageView, 'page' | 'now' | 'notices' | 'past' | 'omitted' | 'historySource'>): PastEntry[] {
  const today = toCalendarDay(now, page.zone);
  const days = Math.max(7, Math.min(maxDays, Math.floor(page.timelineThresholdSeconds / 86_400)));
  const affectedDays = findAffectedDays(
    notices,
    [historySource.periods ?? [], historySource.upstream ?? []].flat(),
    page.zone,
    now,
  );
  // The list starts with the day the page was created, or with the oldest notice: it may be back-dated, and days before
  // it are not known to be quiet while older notices are omitted.
  const createdOn = omitted.past ? [] : [toCalendarDay(new Date(page.createdAt), page.zone)];
  const firstDay = [...createdOn, ...past.map(({ day }) => day)].reduce(
    (one, other) => (one < other ? one : other),
    today,
  );
  const entries: PastEntry[] = [];
  let day = today;
  for (let count = 0; count <= days && day >= firstDay; count++, day = addDays(day, -1)) {
    const ended = past.filter(notice => notice.day === day);
    const last = entries.at(-1);
    if (ended.length) entries.push({ day, notices: ended });
    else if (affectedDays.has(day)) continue;
    else if (last && 'from' in last && last.from === addDays(day, 1)) last.from = day;
    else entries.push({ from: day, to: day });
  }
  return entries;
}

/** Compares each day with the span of each notice, rather than listing the days: a notice may last for years. */
function findAffectedDays(
  notices: readonly NoticeView[],
  periods: readonly (ManualPeriod | UpstreamPeriod)[],
  zone: string,
  now: Date,
): { has(day: string): boolean } {
  const toSpan = (from: Date, to: Date | null) => ({
    first: toCalendarDay(from, zone),
    last: toCalendarDay(to ?? now, zone),
  });
  const spans = [
    ...notices.flatMap(({ type, beganAt, endedAt }) =>
      type === 'general' || !beganAt ? [] : toSpan(beganAt, endedAt),
    ),
    ...periods.flatMap(({ state, beganAt, endedAt }) =>
      state === 'operational' || state === 'unknown' ? [] : toSpan(new Date(beganAt), parseTime(endedAt)),
    ),
  ];
  return { has: day => spans.some(({ first, last }) => first <= day && day <= last) };
}
