import { toPlainText } from '../../markdown/plain-text.js';
import { noticeUrl } from '../view/urls.js';
import type { NoticeView, PageView } from '../view/view.js';
import type { AggregatorComponent } from './components.js';
import { toImpact, toNoticeStatus, toComponentStatus, inferUpdateStatuses } from './mapping.js';

const toIso = (moment: Date | null) => moment?.toISOString() ?? null;

/** A notice other than an announcement as a Statuspage incident. Planned maintenance also has its window. */
export function toAggregatorIncident(
  notice: NoticeView,
  view: PageView,
  components: ReadonlyMap<number, AggregatorComponent>,
) {
  const { id, type, subject, state, createdAt, updatedAt, beganAt, endedAt, beginsAt, endsAt, updates } = notice;
  return {
    id: String(id),
    name: subject,
    status: toNoticeStatus(notice),
    created_at: toIso(createdAt),
    updated_at: toIso(updatedAt),
    // Known only while the notice is recovering, and then approximated by its last update.
    monitoring_at: state === 'recovering' ? toIso(updates.at(-1)?.createdAt ?? updatedAt) : null,
    resolved_at: toIso(endedAt),
    impact: toImpact(notice, view),
    shortlink: noticeUrl(view, notice),
    started_at: toIso(beganAt ?? createdAt),
    page_id: view.page.id,
    incident_updates: listIncidentUpdates(notice),
    components: notice.components.map(component => components.get(component.id)!),
    ...(type === 'planned' && { scheduled_for: toIso(beginsAt), scheduled_until: toIso(endsAt) }),
  };
}

/**
 * Newest first, and never empty: many clients read the first update without checking that there is one.
 * A notice without updates gets one with its subject.
 */
function listIncidentUpdates(notice: NoticeView) {
  const { subject, createdAt: noticeCreatedAt, updatedAt: noticeUpdatedAt } = notice;
  const noticeWithUpdates = notice.updates.length
    ? notice
    : { ...notice, updates: [{ id: 0, content: subject, createdAt: noticeCreatedAt, updatedAt: noticeUpdatedAt }] };
  const statuses = inferUpdateStatuses(noticeWithUpdates);
  return noticeWithUpdates.updates
    .map(({ id, content, createdAt, updatedAt }, index) => ({
      id: id ? String(id) : `notice-${notice.id}`,
      status: statuses[index]!,
      body: id ? toPlainText(content) : content,
      incident_id: String(notice.id),
      created_at: toIso(createdAt),
      updated_at: toIso(updatedAt),
      display_at: toIso(createdAt),
      affected_components: notice.components.map(component => ({
        code: String(component.id),
        name: component.name,
        old_status: index ? toComponentStatus(notice, statuses[index - 1]!) : 'operational',
        new_status: toComponentStatus(notice, statuses[index]!),
      })),
      deliver_notifications: true,
      custom_tweet: null,
      tweet_id: null,
    }))
    .reverse();
}
