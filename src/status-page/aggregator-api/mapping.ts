import type { Standing } from '../html/status-icons.js';
import type { ComponentView, NoticeView, PageView } from '../view/view.js';

/**
 * How our words are said in those of Atlassian Statuspage, which programs that watch many pages at once understand. Everything that is a matter of
 * judgement stands in this file.
 *
 * Component: what an incident names is `partial_outage`, not `major_outage`: our word says that something is wrong, not that nothing works, and those
 * programs wake people for "major". What only stands above or below it is `degraded_performance`. What maintenance names, or has above or below it, is
 * `under_maintenance` while no incident touches it.
 */
export const componentStatuses: Record<Standing, ComponentStatus> = {
  operational: 'operational',
  maintenance: 'under_maintenance',
  'partially-degraded': 'degraded_performance',
  degraded: 'partial_outage',
};

export type ComponentStatus = 'operational' | 'under_maintenance' | 'degraded_performance' | 'partial_outage';
export type IncidentStatus = 'investigating' | 'identified' | 'monitoring' | 'resolved';
export type MaintenanceStatus = 'scheduled' | 'in_progress' | 'completed';
export type Impact = 'none' | 'minor' | 'major' | 'maintenance';

/** A false alarm is over, and had no impact. A cancelled maintenance is over too: who follows it by its id is told so, rather than left waiting. */
const noticeStatuses: Record<NonNullable<NoticeView['state']>, IncidentStatus | MaintenanceStatus> = {
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

/** Not of general notices: there is nothing like them. */
export function noticeStatus({ state }: NoticeView): IncidentStatus | MaintenanceStatus {
  return noticeStatuses[state!];
}

/**
 * Updates of ours have no state. The newest has the one that its notice has; of those before it is known what the times of the notice tell: whether
 * it had begun, and whether it was over. By update, oldest first.
 */
export function updateStatuses(notice: NoticeView): (IncidentStatus | MaintenanceStatus)[] {
  const { type, updates, beganAt, endedAt } = notice;
  return updates.map(({ createdAt }, index) => {
    if (index === updates.length - 1) return noticeStatus(notice);
    const isOver = endedAt !== null && createdAt >= endedAt;
    if (type !== 'planned') return isOver ? 'resolved' : 'investigating';
    if (isOver) return 'completed';
    return beganAt && createdAt >= beganAt ? 'in_progress' : 'scheduled';
  });
}

/** What a notice does to a component that it names while it has a status. */
export function statusWithin({ type, state }: NoticeView, status: IncidentStatus | MaintenanceStatus): ComponentStatus {
  if (status === 'resolved' || status === 'completed' || status === 'scheduled' || state === 'false_alarm')
    return 'operational';
  return type === 'planned' ? 'under_maintenance' : 'partial_outage';
}

/** `major` when every component is hit, `minor` when some are or none is named. None of our words is as bad as `critical`. */
export function impactOf({ type, state, components }: NoticeView, view: PageView): Impact {
  if (type === 'planned') return 'maintenance';
  if (state === 'false_alarm') return 'none';
  return coversAll(components, view) ? 'major' : 'minor';
}

/** It agrees with the banner: `none` only while nothing is present, `maintenance` only while nothing is wrong. */
export function indicatorOf(view: PageView): Impact {
  const { banner, present } = view;
  if (banner.kind === 'operational') return 'none';
  if (banner.kind === 'maintenance') return 'maintenance';
  const hit = present.filter(({ type }) => type !== 'planned').flatMap(({ components }) => components);
  return coversAll(hit, view) ? 'major' : 'minor';
}

/** Whether each component is one of these or below one, which is so when every root is. */
function coversAll(named: readonly ComponentView[], { components }: PageView): boolean {
  return named.length > 0 && components.every(root => named.includes(root));
}
