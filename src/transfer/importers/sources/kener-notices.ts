import { z } from 'zod';
import type { NoticeState } from '../../../notices/notice.states.js';
import { id, optionalText, seconds, UnusableRow } from '../convert-rows.js';
import type { ImportedNotice, LeftOut } from '../imported-page.js';
import { lookUp, requireState } from '../look-up.js';
import { readRows } from '../read-rows.js';

export const tables = [
  'site_data',
  'pages',
  'pages_monitors',
  'page_access_groups',
  'pages_monitor_groups',
  'monitors',
  'incidents',
  'incident_monitors',
  'incident_comments',
  'maintenances',
  'maintenance_monitors',
  'maintenances_events',
  'subscriber_users',
  'subscriber_methods',
  'user_subscriptions_v2',
] as const;

export type Row = Record<string, unknown>;

export interface KenerPage {
  leftOut: LeftOut[];
  now: Date;
  list(table: (typeof tables)[number]): Row[];
  /** The monitors of the page. */
  tags: ReadonlySet<unknown>;
}

/** Seconds since 1970, or a time in UTC. */
export const stored = z
  .union([seconds, z.string().transform(value => new Date(`${value.replace(' ', 'T')}Z`))])
  .nullish();

const incidentShape = z.object({
  id,
  title: z.string(),
  state: z.string(),
  incident_type: optionalText,
  start_date_time: seconds,
  end_date_time: seconds.nullish(),
  created_at: stored,
});
const commentShape = z.object({ id, comment: z.string(), state: optionalText, commented_at: seconds });
const incidentStates: Record<string, NoticeState> = {
  INVESTIGATING: 'investigating',
  IDENTIFIED: 'identified',
  MONITORING: 'recovering',
  RESOLVED: 'resolved',
};
/** The monitors of the page that a row of another table names. A global record without monitors is about all of it. */
export function findComponents(
  { list, tags }: KenerPage,
  table: 'incident_monitors' | 'maintenance_monitors',
  ofRecord: Row,
) {
  const named = list(table).filter(row => Object.entries(ofRecord).every(([name, value]) => row[name] === value));
  const ofPage = named.filter(({ monitor_tag }) => tags.has(monitor_tag));
  return {
    isElsewhere: named.length > 0 && !ofPage.length,
    rows: ofPage,
    ids: ofPage.map(row => String(row.monitor_tag)),
  };
}

export function readIncidents(context: KenerPage): ImportedNotice[] {
  const { list, leftOut } = context;
  const comments = Map.groupBy(
    list('incident_comments').filter(({ status }) => status === undefined || status === 'ACTIVE'),
    ({ incident_id }) => incident_id,
  );
  const rows = list('incidents').filter(row => {
    const { isElsewhere, ids } = findComponents(context, 'incident_monitors', { incident_id: row.id });
    return !isElsewhere && (ids.length > 0 || row.is_global !== 'NO');
  });
  return readRows('notice', leftOut, {
    rows,
    shape: incidentShape,
    convert: incident => {
      const recordId = Number(incident.id);
      const { rows: named, ids } = findComponents(context, 'incident_monitors', { incident_id: recordId });
      const { title: subject, start_date_time: beganAt, end_date_time: end, created_at } = incident;
      // Version 3 has maintenance among the incidents.
      const isPlanned = incident.incident_type === 'MAINTENANCE';
      const state = requireState(incidentStates, incident.state);
      if (isPlanned && !end) throw new UnusableRow('is a maintenance without an end');
      const isOver = isPlanned ? end! <= context.now : state === 'resolved';
      const hasBegun = beganAt <= context.now;
      const plannedState = isOver ? 'complete' : hasBegun ? 'underway' : 'scheduled';
      return {
        sourceId: `incident ${incident.id}`,
        type: isPlanned ? 'planned' : 'unplanned',
        subject,
        state: isPlanned ? plannedState : state,
        beginsAt: isPlanned ? beganAt : null,
        endsAt: isPlanned ? end : null,
        beganAt: isPlanned && !hasBegun ? null : beganAt,
        endedAt: isOver ? (end ?? beganAt) : null,
        createdAt: created_at ?? beganAt,
        componentIds: ids,
        impact: named.some(({ monitor_impact }) => monitor_impact === 'DOWN') ? 'major-outage' : 'degraded',
        updates: readRows('update', leftOut, {
          rows: comments.get(recordId) ?? [],
          shape: commentShape,
          convert: ({ id: commentId, comment, state: of, commented_at }) => ({
            sourceId: `comment ${commentId}`,
            content: comment,
            state: isPlanned ? null : (lookUp(incidentStates, of ?? '') ?? null),
            postedAt: commented_at,
          }),
        }),
      };
    },
  });
}
