import { compareBy, monthOrder } from '../../notices/notice.order.js';
import { concerns } from './urls.js';
import { toCalendarDay, addDays } from './days.js';
import { createHistory } from './history.js';
import type { HistoryDay } from './history-sweep.js';
import { listLimits } from './snapshot.js';
import type { ComponentView, NoticeView, PageView } from './view.js';

/** A month of a page, `2026-11`, in the page's time zone. */
export interface Month {
  month: string;
  previous: string | null;
  next: string | null;
  days: Pick<HistoryDay, 'date' | 'state' | 'minutes'>[];
  /** The days with notices, newest first. */
  entries: { day: string; notices: NoticeView[] }[];
  /** The number of pages that the list of notices has, at least 1. */
  pageCount: number;
}

const monthPattern = /^(?:19[7-9]\d|2\d{3})-(?:0[1-9]|1[0-2])$/;

export const isMonth = (text: string | undefined): text is string => text !== undefined && monthPattern.test(text);

export const toMonth = (moment: Date, zone: string): string => toCalendarDay(moment, zone).slice(0, 7);

/** When the earliest notice began, or the page was created. Disk snapshots of earlier versions have notices only. */
const findHistoryStart = ({ page, notices }: Pick<PageView, 'page' | 'notices'>): Date =>
  notices.reduce(
    (since, { beganAt }) => (beganAt && beganAt < since ? beganAt : since),
    new Date(page.historySince ?? page.createdAt),
  );

/** Whether the page can have notices or days to show in a month: it had begun by then, and the month has begun. */
export function isMonthOfPage(view: PageView, month: string): boolean {
  const { zone } = view.page;
  return month >= toMonth(findHistoryStart(view), zone) && month <= toMonth(view.now, zone);
}

/** The present month, and those with notices that the page shows. */
export const listMonthsOfNotices = ({ now, page, notices }: Pick<PageView, 'now' | 'page' | 'notices'>): string[] => [
  ...new Set([toMonth(now, page.zone), ...notices.map(({ day }) => day.slice(0, 7))]),
];

/** Builds the history of a month, with one page of its notices. */
export function buildMonth(view: PageView, month: string, component?: ComponentView, pageNumber = 1): Month {
  const { page, now } = view;
  const listed = view.notices
    .filter(notice => notice.timelineState !== 'future' && (!component || concerns(notice, component)))
    .flatMap(notice => {
      const at = findListedTime(notice, month, page.zone);
      return at ? [{ notice, id: notice.id, at, day: toCalendarDay(at, page.zone) }] : [];
    })
    .sort(compareBy(monthOrder));
  // A slice is one page already.
  const shown =
    view.sliceTotal === null ? listed.slice((pageNumber - 1) * listLimits.month).slice(0, listLimits.month) : listed;
  const noticesByDay = new Map<string, NoticeView[]>();
  for (const { notice, day } of shown) noticesByDay.set(day, [...(noticesByDay.get(day) ?? []), notice]);
  const days = listDays(month);
  const today = toCalendarDay(now, page.zone);
  const previous = addDays(`${month}-01`, -1).slice(0, 7);
  const next = addDays(`${month}-28`, 4).slice(0, 7);
  return {
    month,
    previous: isMonthOfPage(view, previous) ? previous : null,
    next: next <= today.slice(0, 7) ? next : null,
    days: computeDays(view, days, component).map(day => (day.date > today ? { ...day, state: 'none' } : day)),
    entries: [...noticesByDay].map(([day, onDay]) => ({ day, notices: onDay })),
    pageCount: Math.max(1, Math.ceil((view.sliceTotal ?? listed.length) / listLimits.month)),
  };
}

/**
 * The time of a month at which a notice is listed: its end, or, if it did not end within the month, its begin.
 * Undefined: it is not listed. Scheduled maintenance has neither.
 */
function findListedTime({ day, endedAt, beganAt }: NoticeView, month: string, zone: string): Date | undefined {
  if (endedAt && day.startsWith(month)) return endedAt;
  return beganAt && toMonth(beganAt, zone) === month ? beganAt : undefined;
}

export function listDays(month: string): string[] {
  const days: string[] = [];
  for (let day = `${month}-01`; day.startsWith(month); day = addDays(day, 1)) days.push(day);
  return days;
}

/** The days of a component, or of the whole page, whose days before its first record have no data. */
function computeDays(view: PageView, days: readonly string[], component?: ComponentView): Month['days'] {
  const history = createHistory(view.historySource, days);
  if (component) return history.getComponentDays(component.id);
  const firstDay = toCalendarDay(findHistoryStart(view), view.page.zone);
  return history.getPageDays().map(day => (day.date < firstDay ? { ...day, state: 'none' } : day));
}
