import { getShownImpact } from '../../notices/impact.rules.js';
import {
  type ComponentStatus,
  impactStatuses,
  type IncidentStatus,
  incidentImpacts,
  type MaintenanceStatus,
  type StatuspageImpact,
  toStatuspageStatus,
} from '../../notices/statuspage.rules.js';
import type { DisplayedState } from '../html/status-icons.js';
import type { ComponentView, NoticeView, PageView } from '../view/view.js';

/**
 * Maps our states to those of Atlassian Statuspage, which status aggregators read. This file and
 * notices/statuspage.rules.ts hold all decisions of the mapping that are a matter of judgement.
 *
 * A component that an incident names has the status of the impact that the operator chose. Its ancestors and
 * descendants are `degraded_performance`. A component under maintenance is `under_maintenance` unless an incident
 * affects it.
 */
export const componentStatuses: Record<DisplayedState, ComponentStatus> = {
  // Statuspage has no such status, and `operational` would hide it.
  unknown: 'degraded_performance',
  maintenance: 'under_maintenance',
  'partially-degraded': 'degraded_performance',
  ...impactStatuses,
};

/** Of a notice or an update. Not for announcements, which have no state and no counterpart in Statuspage. */
export function toNoticeStatus({ state }: Pick<NoticeView, 'state'>): IncidentStatus | MaintenanceStatus {
  return toStatuspageStatus(state!);
}

/** The status of a component that a notice names, while the notice has the given status. */
export function toComponentStatus(
  notice: NoticeView,
  componentId: number,
  status: IncidentStatus | MaintenanceStatus | 'postmortem',
): ComponentStatus {
  const { type, state } = notice;
  const isOver = status === 'resolved' || status === 'completed' || status === 'postmortem';
  if (isOver || status === 'scheduled' || state === 'false_alarm') return 'operational';
  return type === 'planned' ? 'under_maintenance' : componentStatuses[getShownImpact(notice, componentId)];
}

/** The worst on a component; `major` at least if the notice affects every component. */
export function toImpact({ type, state, components, worstImpact }: NoticeView, view: PageView): StatuspageImpact {
  if (type === 'planned') return 'maintenance';
  if (state === 'false_alarm') return 'none';
  return worstImpact === 'degraded' && coversAll(components, view) ? 'major' : incidentImpacts[worstImpact];
}

/** Agrees with the banner: `none` only while no notice is present, `maintenance` only while no incident is. */
export function toIndicator({ banner: { kind }, components }: PageView): StatuspageImpact {
  if (kind === 'operational') return 'none';
  if (kind === 'maintenance') return 'maintenance';
  const isWhole = components.length > 0 && components.every(({ namedBy }) => namedBy === 'incident');
  return kind === 'degraded' && isWhole ? 'major' : incidentImpacts[kind];
}

/** Every component is named or a descendant of a named one, which is the case when every root is named. */
function coversAll(named: readonly ComponentView[], { components }: PageView): boolean {
  return named.length > 0 && components.every(root => named.includes(root));
}
