import type { Impact, ShownImpact } from './impact.rules.js';
import type { NoticeState } from './notice.states.js';

/** The states and impacts of notices in the terms of Atlassian Statuspage. */

export type ComponentStatus =
  | 'operational'
  | 'under_maintenance'
  | 'degraded_performance'
  | 'partial_outage'
  | 'major_outage';
export type IncidentStatus = 'investigating' | 'identified' | 'monitoring' | 'resolved';
export type MaintenanceStatus = 'scheduled' | 'in_progress' | 'completed';
export type StatuspageImpact = 'none' | 'minor' | 'major' | 'critical' | 'maintenance';

export const impactStatuses: Record<ShownImpact, ComponentStatus> = {
  operational: 'operational',
  degraded: 'degraded_performance',
  'partial-outage': 'partial_outage',
  'major-outage': 'major_outage',
};

export const incidentImpacts: Record<Impact, StatuspageImpact> = {
  degraded: 'minor',
  'partial-outage': 'major',
  'major-outage': 'critical',
};

/** A false alarm is resolved, with impact `none`. Cancelled maintenance is completed, so that clients stop waiting. */
const noticeStatuses: Record<NoticeState, IncidentStatus | MaintenanceStatus> = {
  investigating: 'investigating',
  identified: 'identified',
  recovering: 'monitoring',
  resolved: 'resolved',
  false_alarm: 'resolved',
  scheduled: 'scheduled',
  underway: 'in_progress',
  complete: 'completed',
  cancelled: 'completed',
};

/** Of a notice or an update. An announcement has no state, and no counterpart in Statuspage. */
export const toStatuspageStatus = (state: NoticeState): IncidentStatus | MaintenanceStatus => noticeStatuses[state];
