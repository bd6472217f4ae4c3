import type { PublicRoute } from '../routing/public-route.js';
import { renderJson } from '../routing/responses.js';
import { isMonth, isMonthOfPage, listMonthsOfNotices } from '../view/months.js';
import { computeResponseStatistics } from '../view/response-statistics.js';

/** The statistics of a month that the history shows, with the public data that they are computed from. */
export const responseStatistics: PublicRoute = {
  path: 'history/:month/statistics.json',
  requiredNotices: ({ path: { month } }, view) =>
    view.page.shouldShowResponseStatistics && isMonth(month) && isMonthOfPage(view, month)
      ? { month, monthPage: 1, componentIds: null }
      : null,
  listPaths: view =>
    view.page.shouldShowResponseStatistics
      ? listMonthsOfNotices(view).map(month => `history/${month}/statistics.json`)
      : [],
  render: ({ responses, now }, { path: { month } }) => {
    if (!responses) return null;
    const { incidents, medianSeconds, longestSeconds, deadlines } = computeResponseStatistics(responses, now);
    return renderJson({
      month,
      statistics: {
        incidents,
        median_seconds_to_first_update: medianSeconds,
        longest_seconds_to_first_update: longestSeconds,
        deadlines: { made: deadlines.made, on_time: deadlines.onTime, late: deadlines.late, open: deadlines.open },
      },
      incidents: responses.incidents.map(({ id, beganAt, firstUpdateAt }) => ({
        id,
        began_at: beganAt,
        first_update_at: firstUpdateAt,
      })),
      deadlines: responses.deadlines.map(({ noticeId, dueAt, settledAt }) => ({
        notice_id: noticeId,
        due_at: dueAt,
        settled_at: settledAt,
      })),
    });
  },
};
