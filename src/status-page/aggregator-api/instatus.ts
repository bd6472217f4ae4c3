import { noticeUrl, pageUrl } from '../view/urls.js';
import type { PublicRoute } from '../routing/public-route.js';
import { renderJson } from '../routing/responses.js';
import type { NoticeView, PageView } from '../view/view.js';
import type { Impact } from '../../notices/impact.rules.js';

const pageStatuses = {
  operational: 'UP',
  degraded: 'HASISSUES',
  'partial-outage': 'HASISSUES',
  'major-outage': 'HASISSUES',
  maintenance: 'UNDERMAINTENANCE',
} as const satisfies Record<PageView['banner']['kind'], string>;

/** The summary contains present and future notices only, so the states of past ones are missing here. */
const noticeStatuses: Partial<Record<NonNullable<NoticeView['state']>, string>> = {
  investigating: 'INVESTIGATING',
  identified: 'IDENTIFIED',
  recovering: 'MONITORING',
  scheduled: 'NOTSTARTEDYET',
  underway: 'INPROGRESS',
};

/** The public, read-only summary of Instatus, the second format that status aggregators read. */
export const instatusSummary: PublicRoute = {
  path: 'summary.json',
  render: view =>
    renderJson({
      page: {
        name: view.page.name,
        url: pageUrl(view),
        status: pageStatuses[view.banner.kind],
      },
      activeIncidents: view.present.filter(({ type }) => type === 'unplanned').map(notice => toIncident(notice, view)),
      activeMaintenances: [...view.present, ...view.future]
        .filter(({ type }) => type === 'planned')
        .map(notice => toMaintenance(notice, view)),
    }),
};

const impacts: Record<Impact, string> = {
  degraded: 'DEGRADEDPERFORMANCE',
  'partial-outage': 'PARTIALOUTAGE',
  'major-outage': 'MAJOROUTAGE',
};

function toIncident(notice: NoticeView, view: PageView) {
  return {
    ...commonFields(notice, view),
    started: (notice.beganAt ?? notice.createdAt).toISOString(),
    impact: impacts[notice.worstImpact],
  };
}

/** `duration` is the length of the window in minutes; Instatus writes it as a string. */
function toMaintenance(notice: NoticeView, view: PageView) {
  const begins = notice.beginsAt ?? notice.createdAt;
  const minutes = notice.endsAt ? Math.round((notice.endsAt.getTime() - begins.getTime()) / 60_000) : null;
  return {
    ...commonFields(notice, view),
    start: begins.toISOString(),
    ...(minutes !== null && { duration: String(minutes) }),
  };
}

const commonFields = (notice: NoticeView, view: PageView) => ({
  id: String(notice.id),
  name: notice.subject,
  status: noticeStatuses[notice.state!],
  url: noticeUrl(view, notice),
  updatedAt: notice.updatedAt.toISOString(),
});
