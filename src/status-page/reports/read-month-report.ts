import { badRequest } from '../../core/errors.js';
import type { RunRead } from '../../db/prepared-statements.js';
import { isMonth } from '../view/months.js';

/** A component without children in a month. */
interface ReportedComponent {
  componentId: number;
  name: string;
  /** The names of its ancestors, from the root. */
  groups: string[];
  /** From 0 to 1. Null: less than seven days are known. */
  uptime: number | null;
  /** In a partial or major outage. */
  outageMinutes: number;
}

export interface ReportedNotice {
  noticeId: number;
  type: 'unplanned' | 'planned';
  subject: string;
  link: string;
  beganAt: Date;
  endedAt: Date | null;
  /** Of an incident that was not over when it was entered. */
  firstUpdateSeconds: number | null;
}

export interface MonthReport {
  /** `2026-10`, in the time zone of the page. */
  month: string;
  /** In the tz database. */
  timezone: string;
  beginsAt: Date;
  endsAt: Date;
  /** The worst uptime first, then in the order of the tree. */
  components: ReportedComponent[];
  /** The numbers of those that were in progress in the month. */
  incidentCount: number;
  maintenanceCount: number;
  /** The newest of them, newest first. */
  notices: ReportedNotice[];
  /** Of incidents that began in the month, without those that were over when they were entered. */
  medianFirstUpdateSeconds: number | null;
  longestFirstUpdateSeconds: number | null;
  nextUpdateDeadlines: { made: number; onTime: number; late: number; open: number };
}

export interface ReportPeriod {
  /** The last month; null: the present one. */
  month: string | null;
  count: number;
}

/** Reads the reports of successive months, newest first. Null: there is no such page. */
export type ReadMonthReports = (read: RunRead, pageId: string, period: ReportPeriod) => Promise<MonthReport[] | null>;

export const maxMonths = 12;
export const maxNotices = 200;

export function checkPeriod(month: string | null | undefined, count: number): ReportPeriod {
  if (month != null && !isMonth(month)) throw badRequest('`month` must be a month, such as 2026-11.', ['month']);
  if (count < 1 || count > maxMonths)
    throw badRequest(`\`count\` of months must be from 1 to ${maxMonths}.`, ['count']);
  return { month: month ?? null, count };
}
