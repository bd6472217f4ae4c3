import { plainText } from '../../markdown/plain-text.js';
import { noticeAddress } from '../view/urls.js';
import type { NoticeView, PageView } from '../view/view.js';
import type { AggregatedComponent } from './components.js';
import { impactOf, noticeStatus, statusWithin, updateStatuses } from './mapping.js';

const time = (moment: Date | null) => moment?.toISOString() ?? null;

/** A notice that has a state, as an incident of the original; maintenance is one with a window. */
export function aggregatedIncident(
  notice: NoticeView,
  view: PageView,
  components: ReadonlyMap<number, AggregatedComponent>,
) {
  const { id, type, subject, state, createdAt, updatedAt, beganAt, endedAt, beginsAt, endsAt, updates } = notice;
  return {
    id: String(id),
    name: subject,
    status: noticeStatus(notice),
    created_at: time(createdAt),
    updated_at: time(updatedAt),
    // Since when it is watched is known only while it is, and then by the last that was said.
    monitoring_at: state === 'recovering' ? time(updates.at(-1)?.createdAt ?? updatedAt) : null,
    resolved_at: time(endedAt),
    impact: impactOf(notice, view),
    shortlink: noticeAddress(view, notice),
    started_at: time(beganAt ?? createdAt),
    page_id: view.page.id,
    incident_updates: incidentUpdates(notice),
    components: notice.components.map(component => components.get(component.id)!),
    ...(type === 'planned' && { scheduled_for: time(beginsAt), scheduled_until: time(endsAt) }),
  };
}

/** Newest first, and never none: programs take the first without looking whether there is one. Where nothing was written, the subject is what is told. */
function incidentUpdates(notice: NoticeView) {
  const told = notice.updates.length
    ? notice
    : {
        ...notice,
        updates: [{ id: 0, content: notice.subject, createdAt: notice.createdAt, updatedAt: notice.updatedAt }],
      };
  const statuses = updateStatuses(told);
  return told.updates
    .map(({ id, content, createdAt, updatedAt }, index) => ({
      id: id ? String(id) : `notice-${notice.id}`,
      status: statuses[index]!,
      body: id ? plainText(content) : content,
      incident_id: String(notice.id),
      created_at: time(createdAt),
      updated_at: time(updatedAt),
      display_at: time(createdAt),
      affected_components: notice.components.map(component => ({
        code: String(component.id),
        name: component.name,
        old_status: index ? statusWithin(notice, statuses[index - 1]!) : 'operational',
        new_status: statusWithin(notice, statuses[index]!),
      })),
      deliver_notifications: true,
      custom_tweet: null,
      tweet_id: null,
    }))
    .reverse();
}
