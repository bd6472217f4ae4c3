import { badRequest } from '../../core/errors.js';
import type { RunRead } from '../../db/prepared-statements.js';
import { isMonth } from '../view/months.js';
import type { PageMonthReport } from './month-report.resolver.js';

export interface ReportPeriod {
  /** The last month; null: the present one. */
  month: string | null;
  count: number;
}

/** How many characters of reports a response can still have. */
export interface ReportLimit {
  left: number;
}

/** Reads the reports of successive months, newest first. Null: there is no such page. Without a limit: for a mail. */
export type ReadMonthReports = (
  read: RunRead,
  pageId: string,
  period: ReportPeriod,
  limit?: ReportLimit,
) => Promise<PageMonthReport[] | null>;

export const maxMonths = 12;
export const maxNotices = 200;

export function checkPeriod(month: string | null | undefined, count: number): ReportPeriod {
  if (month != null && !isMonth(month)) throw badRequest('`month` must be a month, such as 2026-11.', ['month']);
  if (count < 1 || count > maxMonths)
    throw badRequest(`\`count\` of months must be from 1 to ${maxMonths}.`, ['count']);
  return { month: month ?? null, count };
}
