import { findWorstImpact, type Impact } from '../../notices/impact.rules.js';
import type { Metadata } from '../../pages/metadata.js';
import type { NoticeState } from '../../notices/notice.states.js';
import { incidentImpacts, type StatuspageImpact } from '../../notices/statuspage.rules.js';
import { toNoticeStatus } from '../../status-page/aggregator-api/mapping.js';
import type { Reminder } from '../../pages/reminder.js';
import { readMetadata, readStored, renderStored, type StoredFields } from './stored-fields.js';
import { type ComponentRecord, renderComponent, StatuspageComponent } from './components.js';

export const StatuspageIncidentUpdate = /* GraphQL */ `
  fragment StatuspageIncidentUpdate on NoticeUpdate { id kind content state isPublished postedAt createdAt updatedAt }`;

export const StatuspageIncident = /* GraphQL */ `
  fragment StatuspageIncident on Notice {
    id type subject state version metadata link beganAt endedAt createdAt updatedAt
    page { id }
    ... on PlannedNotice { beginsAt endsAt shouldAutomateSchedule reminder }
    affectedComponents { impact component { ...StatuspageComponent } }
    updates { ...StatuspageIncidentUpdate }
  }
  ${StatuspageIncidentUpdate}
  ${StatuspageComponent}`;

export interface IncidentRecord {
  id: number;
  type: 'unplanned' | 'planned' | 'general';
  subject: string;
  state: NoticeState | null;
  version: number;
  metadata: Metadata | null;
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
  reminder?: Reminder | null;
  affectedComponents: { impact: Impact; component: ComponentRecord }[];
  updates: IncidentUpdate[];
}

export interface IncidentUpdate {
  id: number;
  kind: 'update' | 'postmortem';
  content: string;
  state: NoticeState | null;
  isPublished: boolean;
  postedAt: string;
  createdAt: string;
  updatedAt: string;
}

const impactOverride: StoredFields = {
  impact_override: { type: 'shortText', fallback: null, instead: 'the impact follows from those on the components' },
};
const automation: StoredFields = {
  auto_transition_to_maintenance_state: { type: 'flag', fallback: false },
  auto_transition_to_operational_state: { type: 'flag', fallback: false },
  auto_transition_deliver_notifications_at_start: { type: 'flag', fallback: false },
  auto_transition_deliver_notifications_at_end: { type: 'flag', fallback: false },
};
const forMaintenance = 'it is for maintenance';
export const incidentFields: StoredFields = {
  ...impactOverride,
  scheduled_remind_prior: { type: 'flag', fallback: false, instead: forMaintenance },
  scheduled_auto_in_progress: { type: 'flag', fallback: false, instead: forMaintenance },
  scheduled_auto_completed: { type: 'flag', fallback: false, instead: forMaintenance },
};
export const maintenanceFields: StoredFields = {
  ...impactOverride,
  ...automation,
};
/** Those that are stored beside the fields that they set. */
export const automationFields: StoredFields = {
  scheduled_auto_in_progress: { type: 'flag', fallback: null },
  scheduled_auto_completed: { type: 'flag', fallback: null },
};

export const findPostmortem = ({ updates }: IncidentRecord): IncidentUpdate | undefined =>
  updates.find(({ kind }) => kind === 'postmortem');

export function renderIncident(record: IncidentRecord) {
  const { id, type, subject, state, updates, endedAt, affectedComponents } = record;
  const postmortem = findPostmortem(record);
  return {
    id: String(id),
    page_id: record.page.id,
    name: subject,
    status: postmortem ? 'postmortem' : toNoticeStatus({ state }),
    impact: toImpact(record),
    shortlink: record.link,
    metadata: readMetadata(record),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    started_at: record.beganAt ?? record.createdAt,
    monitoring_at: findRecoveryStart(record),
    resolved_at: endedAt,
    postmortem_body: postmortem?.content ?? null,
    postmortem_body_last_updated_at: postmortem?.updatedAt ?? null,
    postmortem_published_at: postmortem?.postedAt ?? null,
    postmortem_notified_subscribers: postmortem?.isPublished ?? false,
    postmortem_notified_twitter: false,
    postmortem_ignored: false,
    reminder_intervals: null,
    scheduled_for: record.beginsAt ?? null,
    scheduled_until: record.endsAt ?? null,
    ...renderStored(type === 'planned' ? maintenanceFields : incidentFields, record),
    ...(type === 'planned' && renderAutomation(record)),
    // Newest first.
    incident_updates: updates.map(update => renderUpdate(update, id)).reverse(),
    components: affectedComponents.map(({ component }) => renderComponent(component)),
  };
}

/** Statuspage has two switches, of which either is the one here. */
function renderAutomation(record: IncidentRecord) {
  const { shouldAutomateSchedule: isAutomatic, reminder } = record;
  const { scheduled_auto_in_progress: begins, scheduled_auto_completed: ends } = readStored(record);
  const isStored = (begins === true || ends === true) === isAutomatic;
  return {
    scheduled_remind_prior: Boolean(reminder && reminder !== 'none'),
    scheduled_auto_in_progress: isStored ? (begins ?? isAutomatic) : isAutomatic,
    scheduled_auto_completed: isStored ? (ends ?? isAutomatic) : isAutomatic,
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

export const renderUpdate = (update: IncidentUpdate, incidentId: number) => ({
  id: String(update.id),
  incident_id: String(incidentId),
  status: update.kind === 'postmortem' ? 'postmortem' : toNoticeStatus(update),
  body: update.content,
  deliver_notifications: update.isPublished,
  display_at: update.postedAt,
  created_at: update.createdAt,
  updated_at: update.updatedAt,
});
