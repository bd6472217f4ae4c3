import { z } from 'zod';
import type { NoticeState } from '../../../notices/notice.states.js';
import { id, optionalText, seconds, UnusableRow } from '../convert-rows.js';
import type { ImportedNotice } from '../imported-page.js';
import { type ImportedRecurrence, toSchedule } from '../imported-recurrence.js';
import { requireState } from '../look-up.js';
import { readRows } from '../read-rows.js';
import { findComponents, type KenerPage, type Row, stored } from './kener-notices.js';

const maintenanceShape = z.object({
  id,
  title: z.string(),
  description: optionalText,
  start_date_time: seconds,
  rrule: z.string(),
  duration_seconds: z.int(),
});
const eventShape = z.object({
  id,
  maintenance_id: z.int(),
  start_date_time: seconds,
  end_date_time: seconds,
  status: z.string(),
});

const eventStates: Record<string, NoticeState> = {
  SCHEDULED: 'scheduled',
  READY: 'scheduled',
  ONGOING: 'underway',
  IN_PROGRESS: 'underway',
  COMPLETED: 'complete',
  CANCELLED: 'cancelled',
};

/** The maintenance of the page, with its times. */
export function readMaintenance(context: KenerPage): { notices: ImportedNotice[]; recurrences: ImportedRecurrence[] } {
  const rows = context.list('maintenances').filter(row => {
    const { isElsewhere, ids } = findComponents(context, 'maintenance_monitors', { maintenance_id: row.id });
    return !isElsewhere && (ids.length > 0 || row.is_global !== 'NO');
  });
  const recurrences = readRecurrences(context, rows.filter(isRecurring));
  const repeated = new Set(recurrences.map(({ sourceId }) => sourceId));
  return { recurrences, notices: readEvents(context, new Map(rows.map(row => [row.id, row])), repeated) };
}

/** A maintenance that does not repeat has the rule of one time. */
const isRecurring = ({ status, rrule }: Row) =>
  status === 'ACTIVE' && typeof rrule === 'string' && !/COUNT=1(;|$)/.test(rrule);

/** Rules count from the first time, in UTC. */
const readRecurrences = (context: KenerPage, rows: Row[]): ImportedRecurrence[] =>
  readRows('recurrence', context.leftOut, {
    rows,
    shape: maintenanceShape,
    convert: ({ id: maintenanceId, title: subject, description, start_date_time, rrule: rule, duration_seconds }) => {
      const [from = '', time = ''] = start_date_time.toISOString().split('T');
      const { rule: days, at = time.slice(0, 5) } = splitTime(rule);
      const times = { rule: days, zone: 'UTC', from, at, durationMs: duration_seconds * 1_000, until: null };
      return {
        sourceId: `maintenance ${maintenanceId}`,
        subject,
        content: description?.trim() || null,
        componentIds: findComponents(context, 'maintenance_monitors', { maintenance_id: Number(maintenanceId) }).ids,
        ...toSchedule(times, context.now),
      };
    },
  });

/** A rule may have the time of day as parts of its own; here it is that of the first time. */
function splitTime(rule: string): { rule: string; at?: string } {
  const parts = rule.split(';');
  const find = (name: string) =>
    /^BY[A-Z]+=([0-5]?\d)$/.exec(parts.find(part => part.startsWith(`${name}=`)) ?? '')?.[1];
  const hour = find('BYHOUR');
  if (hour === undefined) return { rule };
  const at = [hour, find('BYMINUTE') ?? '0'].map(number => number.padStart(2, '0')).join(':');
  return { rule: parts.filter(part => !/^BY(HOUR|MINUTE|SECOND)=\d+$/.test(part)).join(';'), at };
}

/** Each event is a maintenance here, but the future ones of a rule: those are created here by the same rule. */
function readEvents(
  context: KenerPage,
  maintenances: ReadonlyMap<unknown, Row>,
  repeated: ReadonlySet<string>,
): ImportedNotice[] {
  const { list, leftOut } = context;
  const rows = list('maintenances_events').filter(({ maintenance_id }) => maintenances.has(maintenance_id));
  return readRows('notice', leftOut, {
    rows,
    shape: eventShape,
    convert: ({ id: eventId, maintenance_id, start_date_time: beginsAt, end_date_time: endsAt, status }) => {
      const { title, description, created_at } = maintenances.get(maintenance_id)!;
      const createdAt = stored.safeParse(created_at).data ?? beginsAt;
      const state = requireState(eventStates, status);
      if (state === 'scheduled' && beginsAt > context.now && repeated.has(`maintenance ${maintenance_id}`))
        throw new UnusableRow('is a future event of a recurring maintenance, which creates it here');
      const sourceId = `maintenance ${eventId}`;
      const isOver = state === 'complete' || state === 'cancelled';
      const content = typeof description === 'string' ? description.trim() : '';
      return {
        sourceId,
        type: 'planned',
        subject: title,
        state,
        beginsAt,
        endsAt,
        beganAt: state === 'scheduled' ? null : beginsAt,
        endedAt: isOver ? endsAt : null,
        createdAt,
        componentIds: findComponents(context, 'maintenance_monitors', { maintenance_id }).ids,
        updates: content ? [{ sourceId, content, state: 'scheduled', postedAt: createdAt }] : [],
      };
    },
  });
}
