import { absolute, noticeAddress } from '../view/urls.js';
import type { Face } from '../server/public-route.js';
import { jsonText } from '../server/json-body.js';
import type { NoticeView, PageView } from '../view/view.js';
import { impactOf } from './mapping.js';

/** The public summary of Instatus, read only: the other form that programs read which watch many pages at once. Its words for ours, where theirs are fewer. */
const pageStatuses = {
  operational: 'UP',
  degraded: 'HASISSUES',
  maintenance: 'UNDERMAINTENANCE',
} as const satisfies Record<PageView['banner']['kind'], string>;

/** Of what is present or to come; nothing else is in the summary. */
const statuses: Partial<Record<NonNullable<NoticeView['state']>, string>> = {
  investigating: 'INVESTIGATING',
  identified: 'IDENTIFIED',
  recovering: 'MONITORING',
  scheduled: 'NOTSTARTEDYET',
  underway: 'INPROGRESS',
};

export const instatusSummary: Face = {
  path: 'summary.json',
  draw: view => ({
    type: 'application/json; charset=utf-8',
    body: jsonText({
      page: {
        name: view.page.name,
        url: absolute(view, '').replace(/\/$/, ''),
        status: pageStatuses[view.banner.kind],
      },
      activeIncidents: view.present.filter(({ type }) => type === 'unplanned').map(notice => incident(notice, view)),
      activeMaintenances: [...view.present, ...view.future]
        .filter(({ type }) => type === 'planned')
        .map(notice => maintenance(notice, view)),
    }),
  }),
};

function incident(notice: NoticeView, view: PageView) {
  return {
    ...named(notice, view),
    started: (notice.beganAt ?? notice.createdAt).toISOString(),
    impact: impactOf(notice, view) === 'major' ? 'MAJOROUTAGE' : 'PARTIALOUTAGE',
  };
}

/** The length of the window in minutes, which the original writes as a text. */
function maintenance(notice: NoticeView, view: PageView) {
  const begins = notice.beginsAt ?? notice.createdAt;
  const minutes = notice.endsAt ? Math.round((notice.endsAt.getTime() - begins.getTime()) / 60_000) : null;
  return {
    ...named(notice, view),
    start: begins.toISOString(),
    ...(minutes !== null && { duration: String(minutes) }),
  };
}

const named = (notice: NoticeView, view: PageView) => ({
  id: String(notice.id),
  name: notice.subject,
  status: statuses[notice.state!],
  url: noticeAddress(view, notice),
  updatedAt: notice.updatedAt.toISOString(),
});
