import { findWorstImpact, type Impact } from '../../notices/impact.rules.js';
import type { NoticeState } from '../../notices/notice.states.js';
import { incidentImpacts, type StatuspageImpact } from '../../notices/statuspage.rules.js';
import { toNoticeStatus } from '../../status-page/aggregator-api/mapping.js';
import { type ComponentRecord, renderComponent, StatuspageComponent } from './components.js';

export const StatuspageIncident = /* GraphQL */ `
  fragment StatuspageIncident on Notice {
    id type subject state version link beganAt endedAt createdAt updatedAt
    page { id }
    ... on PlannedNotice { beginsAt endsAt shouldAutomateSchedule }
    affectedComponents { impact component { ...StatuspageComponent } }
    updates { id kind content state published postedAt createdAt updatedAt }
  }
  ${StatuspageComponent}`;

export interface IncidentRecord {
  id: number;
  type: 'unplanned' | 'planned' | 'general';
  subject: string;
  state: NoticeState | null;
  version: number;
  link: string;
  beganAt: string | null;
  endedAt: string | null;
  createdAt: string;
  updatedAt: string;
  page: { id: string };
  /** The window of a maintenance. */
  beginsAt?: string;
  endsAt?: string;
  shouldAutomateSchedule?: boolean;
  affectedComponents: { impact: Impact; component: ComponentRecord }[];
  updates: IncidentUpdate[];
}

interface IncidentUpdate {
  id: number;
  kind: 'update' | 'postmortem';
  content: string;
  state: NoticeState | null;
  published: boolean;
  postedAt: string;
  createdAt: string;
  updatedAt: string;
}

export function renderIncident(record: IncidentRecord) {
  const { id, type, subject, state, updates, endedAt, affectedComponents } = record;
  const postmortem = updates.find(({ kind }) => kind === 'postmortem');
  return {
    id: String(id),
    page_id: record.page.id,
    name: subject,
    status: postmortem ? 'postmortem' : toNoticeStatus({ state }),
    impact: toImpact(record),
    impact_override: null,
    shortlink: record.link,
    metadata: {},
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    started_at: record.beganAt ?? record.createdAt,
    monitoring_at: findRecoveryStart(record),
    resolved_at: endedAt,
    postmortem_body: postmortem?.content ?? null,
    scheduled_for: record.beginsAt ?? null,
    scheduled_until: record.endsAt ?? null,
    ...(type === 'planned' && {
      scheduled_auto_in_progress: record.shouldAutomateSchedule,
      scheduled_auto_completed: record.shouldAutomateSchedule,
    }),
    // Newest first.
    incident_updates: updates.map(update => renderUpdate(update, id)).reverse(),
    components: affectedComponents.map(({ component }) => renderComponent(component)),
  };
}

/** A state that was set without a text is dated by the last change. */
const findRecoveryStart = ({ state, updates, updatedAt }: IncidentRecord): string | null =>
  updates.find(update => update.state === 'recovering')?.postedAt ?? (state === 'recovering' ? updatedAt : null);

function toImpact({ type, state, affectedComponents }: IncidentRecord): StatuspageImpact {
  if (type === 'planned') return 'maintenance';
  if (state === 'false_alarm') return 'none';
  return incidentImpacts[findWorstImpact(affectedComponents.map(({ impact }) => impact)) ?? 'degraded'];
}

const renderUpdate = (update: IncidentUpdate, incidentId: number) => ({
  id: String(update.id),
  incident_id: String(incidentId),
  status: update.kind === 'postmortem' ? 'postmortem' : toNoticeStatus(update),
  body: update.content,
  deliver_notifications: update.published,
  display_at: update.postedAt,
  created_at: update.createdAt,
  updated_at: update.updatedAt,
});
