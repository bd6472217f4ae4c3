import { toPlainText } from '../../content/markdown/plain-text.js';
import { getStart } from '../../notices/notice.order.js';
import { toIso } from '../view/snapshot-times.js';
import { noticeUrl } from '../view/urls.js';
import { listUpdates, type NoticeView, type PageView, type UpdateView } from '../view/view.js';
import type { AggregatorComponent } from './components.js';
import { toImpact, toNoticeStatus, toComponentStatus } from './mapping.js';

/** A notice other than an announcement as a Statuspage incident. Planned maintenance also has its window. */
export function toAggregatorIncident(notice: NoticeView, view: PageView, lookUp: (id: number) => AggregatorComponent) {
  const { id, type, subject, createdAt, updatedAt, endedAt, beginsAt, endsAt, nextUpdateBy } = notice;
  return {
    id: String(id),
    name: subject,
    status: notice.postmortem ? 'postmortem' : toNoticeStatus(notice),
    created_at: toIso(createdAt),
    updated_at: toIso(updatedAt),
    monitoring_at: toIso(findRecoveryStart(notice)),
    resolved_at: toIso(endedAt),
    impact: toImpact(notice, view),
    shortlink: noticeUrl(view, notice),
    started_at: toIso(getStart(notice)),
    page_id: view.page.id,
    incident_updates: listIncidentUpdates(notice),
    components: notice.named.map(({ id: component }) => lookUp(component)),
    reminder_intervals: null,
    ...(nextUpdateBy && { next_update_by: toIso(nextUpdateBy) }),
    ...(type === 'planned' && { scheduled_for: toIso(beginsAt), scheduled_until: toIso(endsAt) }),
  };
}

/** The first update that says so; a state that was set without a comment is dated by the last change of the notice. */
function findRecoveryStart({ state, updates, updatedAt }: NoticeView): Date | null {
  const update = updates.find(one => one.state === 'recovering');
  return update?.postedAt ?? (state === 'recovering' ? updatedAt : null);
}

/** Components of all updates of an incident, each of which names them. */
const maxAffected = 500;

/**
 * Newest first, and never empty: many clients read the first update without checking that there is one.
 * A notice without updates gets one with its subject.
 */
function listIncidentUpdates(notice: NoticeView) {
  const { id, subject, state, isPublished = false, createdAt, updatedAt } = notice;
  const times = { postedAt: createdAt, editedAt: null, revisions: [], createdAt, updatedAt };
  const standIn: UpdateView = { id: 0, content: subject, state, shouldPublish: isPublished, ...times };
  const { postmortem } = notice;
  const updates = listUpdates({ updates: notice.updates.length ? notice.updates : [standIn], postmortem });
  const statuses = updates.map(update => (update === postmortem ? ('postmortem' as const) : toNoticeStatus(update)));
  const affected = notice.named.slice(0, Math.max(1, Math.floor(maxAffected / updates.length)));
  return updates
    .map((update, index) => ({
      id: update.id ? String(update.id) : `notice-${id}`,
      status: statuses[index]!,
      body: update.id ? toPlainText(update.content) : subject,
      incident_id: String(id),
      created_at: toIso(update.createdAt),
      updated_at: toIso(update.updatedAt),
      display_at: toIso(update.postedAt),
      affected_components: affected.map(component => ({
        code: String(component.id),
        name: component.name,
        old_status: index ? toComponentStatus(notice, component.id, statuses[index - 1]!) : 'operational',
        new_status: toComponentStatus(notice, component.id, statuses[index]!),
      })),
      deliver_notifications: update.shouldPublish,
      custom_tweet: null,
      tweet_id: null,
    }))
    .reverse();
}
