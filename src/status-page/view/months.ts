import { concerns } from './urls.js';
import { dayOf, shiftDay, startOfDay } from './days.js';
import type { HistoryState } from './history.js';
import type { ComponentView, NoticeView, PageView } from './view.js';

/** A month of a page, `2026-11`, by the page's zone. */
export interface Month {
  month: string;
  previous: string | null;
  next: string | null;
  /** Every day of it. */
  days: { date: string; state: HistoryState }[];
  /** Those with notices, newest first. */
  entries: { day: string; notices: NoticeView[] }[];
}

const grammar = /^(?:19[7-9]\d|2\d{3})-(?:0[1-9]|1[0-2])$/;

export const isMonth = (text: string | undefined): text is string => text !== undefined && grammar.test(text);

export const monthOf = (moment: Date, zone: string): string => dayOf(moment, zone).slice(0, 7);

/** What ended in the month stands on the day it ended, else what began in it on the day it began. What is only planned is no history. */
export function monthView(view: PageView, month: string, component?: ComponentView): Month {
  const { page, now } = view;
  const notices = view.notices.filter(
    notice => notice.timelineState !== 'future' && (!component || concerns(notice, component)),
  );
  const byDay = new Map<string, NoticeView[]>();
  const days = daysOf(month);
  const starts = [...days, shiftDay(days.at(-1)!, 1)].map(day => startOfDay(day, page.zone));
  const isWithin = (moment: Date) => moment >= starts[0]! && moment < starts.at(-1)!;
  for (const notice of notices) {
    const day = notice.day.startsWith(month)
      ? notice.day
      : notice.beganAt && isWithin(notice.beganAt)
        ? dayOf(notice.beganAt, page.zone)
        : null;
    if (day) byDay.set(day, [...(byDay.get(day) ?? []), notice]);
  }
  const today = dayOf(now, page.zone);
  const since = sinceOf(view, notices, component);
  const previous = shiftDay(`${month}-01`, -1).slice(0, 7);
  const next = shiftDay(`${month}-28`, 4).slice(0, 7);
  return {
    month,
    previous: month > monthOf(new Date(page.historySince ?? page.createdAt), page.zone) ? previous : null,
    next: next <= today.slice(0, 7) ? next : null,
    days: days.map((date, index) => ({
      date,
      state:
        date > today || starts[index + 1]! <= since
          ? 'none'
          : stateBetween(starts[index]!, starts[index + 1]!, notices, now),
    })),
    entries: [...byDay]
      .map(([day, here]) => ({ day, notices: here }))
      .sort((one, other) => (one.day < other.day ? 1 : -1)),
  };
}

function daysOf(month: string): string[] {
  const days: string[] = [];
  for (let day = `${month}-01`; day.startsWith(month); day = shiftDay(day, 1)) days.push(day);
  return days;
}

/** Of the time before there is nothing to tell, but for what was written down of it later. */
function sinceOf({ page }: PageView, notices: readonly NoticeView[], component?: ComponentView): Date {
  const made = new Date(component ? component.createdAt : (page.historySince ?? page.createdAt));
  return notices.reduce((since, { beganAt }) => (beganAt && beganAt < since ? beganAt : since), made);
}

/** Of the time from `start` until before `end`, by what had begun by then and was not over before. */
function stateBetween(start: Date, end: Date, notices: readonly NoticeView[], now: Date): HistoryState {
  const here = notices.filter(
    ({ type, state, beganAt, endedAt }) =>
      type !== 'general' && state !== 'false_alarm' && beganAt && beganAt < end && (endedAt ?? now) >= start,
  );
  if (!here.length) return 'operational';
  return here.some(({ type }) => type === 'unplanned') ? 'degraded' : 'maintenance';
}
