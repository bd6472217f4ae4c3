import { toWellFormedJson } from '../../core/well-formed-json.js';
import type { PublicRoute } from '../routing/public-route.js';
import { isMonth, isMonthOfPage, listMonthsOfNotices } from '../view/months.js';
import { computeResponseFigures } from '../view/response-figures.js';

/** The figures of a month that the history shows, with the public data that they are computed from. */
export const responseFigures: PublicRoute = {
  path: 'history/:month/figures.json',
  requiredNotices: ({ path: { month } }, view) =>
    view.page.showResponseFigures && isMonth(month) && isMonthOfPage(view, month)
      ? { month, monthPage: 1, componentIds: null }
      : null,
  listPaths: view =>
    view.page.showResponseFigures ? listMonthsOfNotices(view).map(month => `history/${month}/figures.json`) : [],
  render: ({ responses, now }, { path: { month } }) => {
    if (!responses) return null;
    const { incidents, medianSeconds, longestSeconds, promises } = computeResponseFigures(responses, now);
    const body = {
      month,
      figures: {
        incidents,
        median_seconds_to_first_update: medianSeconds,
        longest_seconds_to_first_update: longestSeconds,
        deadlines: { made: promises.made, on_time: promises.onTime, late: promises.late, open: promises.open },
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
    };
    return { type: 'application/json; charset=utf-8', body: toWellFormedJson(body) };
  },
};
