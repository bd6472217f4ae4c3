import { concerns } from './urls.js';
import { toCalendarDay, addDays, startOfDay } from './days.js';
import { createHistory, type HistoryState } from './history.js';
import type { ComponentView, NoticeView, PageView } from './view.js';

/** A month of a page, `2026-11`, in the page's time zone. */
export interface Month {
  month: string;
  previous: string | null;
  next: string | null;
  /** Every day of the month. */
  days: { date: string; state: HistoryState }[];
  /** The days with notices, newest first. */
  entries: { day: string; notices: NoticeView[] }[];
}

const monthPattern = /^(?:19[7-9]\d|2\d{3})-(?:0[1-9]|1[0-2])$/;

export const isMonth = (text: string | undefined): text is string => text !== undefined && monthPattern.test(text);

export const toMonth = (moment: Date, zone: string): string => toCalendarDay(moment, zone).slice(0, 7);

/**
 * Builds the history of a month. A notice is listed on the day it ended, or, if it did not end within the month,
 * on the day it began. Scheduled maintenance is not listed.
 */
export function buildMonth(view: PageView, month: string, component?: ComponentView): Month {
  const { page, now } = view;
  const notices = view.notices.filter(
    notice => notice.timelineState !== 'future' && (!component || concerns(notice, component)),
  );
  const noticesByDay = new Map<string, NoticeView[]>();
  const days = listDays(month);
  // One entry more than `days`: the last is the end of the last day.
  const starts = [...days, addDays(days.at(-1)!, 1)].map(day => startOfDay(day, page.zone));
  const isWithinMonth = (moment: Date) => moment >= starts[0]! && moment < starts.at(-1)!;
  for (const notice of notices) {
    const day = notice.day.startsWith(month)
      ? notice.day
      : notice.beganAt && isWithinMonth(notice.beganAt)
        ? toCalendarDay(notice.beganAt, page.zone)
        : null;
    if (day) noticesByDay.set(day, [...(noticesByDay.get(day) ?? []), notice]);
  }
  const today = toCalendarDay(now, page.zone);
  const previous = addDays(`${month}-01`, -1).slice(0, 7);
  const next = addDays(`${month}-28`, 4).slice(0, 7);
  return {
    month,
    previous: month > toMonth(new Date(page.historySince ?? page.createdAt), page.zone) ? previous : null,
    next: next <= today.slice(0, 7) ? next : null,
    days: computeDays(view, days, component).map(({ date, state }) => ({ date, state: date > today ? 'none' : state })),
    entries: [...noticesByDay]
      .map(([day, onDay]) => ({ day, notices: onDay }))
      .sort((one, other) => (one.day < other.day ? 1 : -1)),
  };
}

function listDays(month: string): string[] {
  const days: string[] = [];
  for (let day = `${month}-01`; day.startsWith(month); day = addDays(day, 1)) days.push(day);
  return days;
}

/** The days of a component, or of the whole page, whose days before its first record have no data. */
function computeDays(view: PageView, days: readonly string[], component?: ComponentView): Month['days'] {
  const { page, snapshot, notices, now } = view;
  const history = createHistory({ ...snapshot, page, now }, days);
  if (component) return history.getComponentDays(component.id);
  // Disk snapshots of earlier versions have no `historySince`: a back-dated notice is then the earliest record.
  const recordedSince = notices.reduce(
    (since, { beganAt }) => (beganAt && beganAt < since ? beganAt : since),
    new Date(page.historySince ?? page.createdAt),
  );
  const firstDay = toCalendarDay(recordedSince, page.zone);
  return history.getPageDays().map(({ date, state }) => ({ date, state: date < firstDay ? 'none' : state }));
}
