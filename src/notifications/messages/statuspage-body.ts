import { toPlainText } from '../../content/markdown/plain-text.js';
import { defaultImpact, findWorstImpact, type ShownImpact } from '../../notices/impact.rules.js';
import { isPresent } from '../../notices/notice.states.js';
import {
  impactStatuses,
  incidentImpacts,
  type StatuspageImpact,
  toStatuspageStatus,
} from '../../notices/statuspage.rules.js';
import type { MessageSnapshot } from './message-snapshot.js';
import { fitBody, isTest } from './webhook-body.js';

const documentation = 'https://support.atlassian.com/statuspage/docs/enable-webhook-notifications/';

const descriptions: Record<StatuspageImpact, string> = {
  none: 'All Systems Operational',
  minor: 'Partially Degraded Service',
  major: 'Partial System Outage',
  critical: 'Major System Outage',
  maintenance: 'Service Under Maintenance',
};

/**
 * The body of Atlassian Statuspage's webhooks, with `event_type` as Better Stack has it. The indicator of the page is
 * that of the notice alone. Texts are plain.
 */
export const renderStatuspageBody = (snapshot: MessageSnapshot) => fitBody(snapshot, renderFitting);

function renderFitting(snapshot: MessageSnapshot) {
  const { at, page, notice } = snapshot;
  const { id, type, subject, link, beginsAt, endsAt, beganAt, endedAt, state } = notice;
  const impact = findImpact(notice);
  const indicator = isPresent(state) ? impact : 'none';
  const updates = listUpdates(snapshot);
  const eventType = type === 'planned' ? 'maintenance' : 'incident';
  return {
    event_type: isTest(snapshot) ? 'test' : eventType,
    meta: { unsubscribe: null, documentation, generated_at: at },
    page: { id: page.id, status_indicator: indicator, status_description: descriptions[indicator] },
    incident: {
      id: String(id),
      name: subject,
      status: toStatus(notice.state),
      impact,
      shortlink: link,
      page_id: page.id,
      created_at: updates.at(-1)!.created_at,
      updated_at: at,
      resolved_at: endedAt,
      started_at: beganAt,
      monitoring_at: updates.findLast(({ status }) => status === 'monitoring')?.created_at ?? null,
      scheduled_for: beginsAt,
      scheduled_until: endsAt,
      backfilled: false,
      postmortem_body: null,
      incident_updates: updates,
      components: notice.components.map(component => ({
        id: String(component.id),
        name: component.name,
        page_id: page.id,
        status: isPresent(state) ? findComponentStatus(type, component.impact) : 'operational',
      })),
    },
  };
}

const toStatus = (state: MessageSnapshot['notice']['state']) => (state ? toStatuspageStatus(state) : 'resolved');

const findComponentStatus = (type: string, impact: ShownImpact = defaultImpact) =>
  type === 'planned' ? 'under_maintenance' : impactStatuses[impact];

function findImpact({ type, state, components }: MessageSnapshot['notice']): StatuspageImpact {
  if (type === 'planned') return 'maintenance';
  if (state === 'false_alarm' || state === null) return 'none';
  return incidentImpacts[findWorstImpact(components.flatMap(({ impact }) => impact ?? [])) ?? defaultImpact];
}

/** The first is what is published, and no update need have its text. */
function listUpdates({ at, text, notice, updates }: MessageSnapshot) {
  const isPublished = updates[0]?.content === text;
  const published = isPublished ? [] : [{ id: 0, content: text, createdAt: at, state: notice.state }];
  return [...published, ...updates].map(({ id, content, createdAt, state, ...rest }) => ({
    id: String(id),
    incident_id: String(notice.id),
    body: toPlainText(content),
    status: 'kind' in rest && rest.kind === 'postmortem' ? 'postmortem' : toStatus(state ?? notice.state),
    created_at: createdAt,
    updated_at: createdAt,
    display_at: createdAt,
  }));
}
