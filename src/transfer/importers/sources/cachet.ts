import { z } from 'zod';
import type { Impact } from '../../../notices/impact.rules.js';
import type { NoticeState } from '../../../notices/notice.states.js';
import { ComponentReader } from '../component-reader.js';
import { UnusableRow } from '../convert-rows.js';
import type { ImportedComponent, ImportedNotice, ImportedPage, ImportedSubscriber, LeftOut } from '../imported-page.js';
import { findSpan } from '../notice-span.js';
import { readRows } from '../read-rows.js';
import { type Answers, listRows, type ReadOptions, requireTimeZone, type Source } from '../source.js';
import { createShapes, type Shapes } from './cachet-shapes.js';

/** Versions 2 and 3. Their API does not say what the page is called. */
export const cachet: Source = {
  label: 'Cachet',
  files: ['component-groups', 'components', 'incidents', 'incident-updates', 'schedules', 'subscribers'],
  read,
};

const componentStatuses: (Impact | undefined)[] = [undefined, undefined, 'degraded', 'partial-outage', 'major-outage'];
const incidentStates: (NoticeState | undefined)[] = [
  undefined,
  'investigating' as const,
  'identified' as const,
  'recovering' as const,
  'resolved' as const,
];

function read(answers: Answers, options: ReadOptions): ImportedPage {
  const shapes = createShapes(requireTimeZone('Cachet', options));
  const leftOut: LeftOut[] = [];
  const rowsOf = (name: string) => listRows(answers, name).map(flatten);
  const updates = Map.groupBy(rowsOf('incident-updates'), row => {
    const { incident_id, updateable_type = 'incident', updateable_id } = row as Record<string, unknown>;
    return `${String(updateable_type).toLowerCase().split('\\').at(-1)} ${incident_id ?? updateable_id}`;
  });
  const context: Context = { shapes, leftOut, now: options.now, findUpdates: key => updates.get(key) ?? [] };
  return {
    settings: {},
    components: readComponents(rowsOf('component-groups'), rowsOf('components'), context),
    notices: [
      ...readRows('notice', leftOut, {
        rows: rowsOf('incidents'),
        shape: shapes.incident,
        convert: incident => toIncident(incident, context),
      }),
      ...readRows('notice', leftOut, {
        rows: rowsOf('schedules'),
        shape: shapes.schedule,
        convert: schedule => toMaintenance(schedule, context),
      }),
    ],
    subscribers: readSubscribers(rowsOf('subscribers'), context),
    leftOut,
  };
}

interface Context {
  shapes: Shapes;
  leftOut: LeftOut[];
  now: Date;
  findUpdates(key: string): unknown[];
}

/** A row of JSON:API with its attributes, and the ids of its relationships, as a row of version 2 has them. */
function flatten(row: unknown): unknown {
  const { attributes, relationships, ...rest } = (row ?? {}) as Record<string, Record<string, { data?: unknown }>>;
  const related = Object.entries(relationships ?? {}).map(([name, { data }]) => [name, data] as const);
  // Of updates it has the ids alone: their texts are in a file of their own.
  const usable = related.filter(([name]) => name !== 'updates');
  return attributes ? { ...Object.fromEntries(usable), ...attributes, ...rest } : row;
}

function readComponents(groups: unknown[], components: unknown[], { shapes, leftOut }: Context): ImportedComponent[] {
  return new ComponentReader(leftOut)
    .add({
      prefix: 'group ',
      rows: groups,
      shape: shapes.group,
      convert: ({ name, order, created_at, created }) => ({
        name,
        position: order ?? 0,
        createdAt: created_at ?? created,
      }),
    })
    .add({
      rows: components,
      shape: shapes.component,
      convert: ({ name, description, order, group_id, component_group_id, group, ...times }) => {
        const parent = [group_id, component_group_id, group?.id].find(one => one && one !== '0');
        return {
          name,
          description: description?.trim() || null,
          position: order ?? 0,
          parentId: parent ? `group ${parent}` : null,
          createdAt: times.created_at ?? times.created,
        };
      },
    })
    .list();
}

function toUpdates(
  rows: readonly unknown[],
  { shapes, leftOut }: Context,
  toState: (status: number | null | undefined) => NoticeState,
): ImportedNotice['updates'] {
  return readRows('update', leftOut, {
    rows: rows.map(flatten),
    shape: shapes.update,
    convert: ({ id: updateId, status, message: content, created_at, created }) => ({
      sourceId: `update ${updateId}`,
      content,
      state: toState(status),
      postedAt: created_at ?? created,
    }),
  });
}

function toIncident(incident: z.infer<Shapes['incident']>, context: Context): unknown {
  const { id: incidentId, name: subject, message, status, component_id: component } = incident;
  if (status === 0 && incident.scheduled_at) throw new UnusableRow('is a maintenance of version 1, and has no window');
  const createdAt = incident.occurred_at ?? incident.occurred ?? incident.created_at ?? incident.created;
  if (!createdAt) throw new UnusableRow('has no time');
  const end = incident.resolved_at ?? incident.resolved ?? incident.completed_at ?? incident.ended_at;
  const toState = (value: number | null | undefined) => incidentStates[value ?? 1] ?? 'investigating';
  const rows = incident.updates?.length ? incident.updates : context.findUpdates(`incident ${incidentId}`);
  const updates = toUpdates(rows, context, toState);
  const known = incidentStates[incident.latest_status ?? status ?? 0];
  const state = known ?? (end ? 'resolved' : (findLatest(updates)?.state ?? 'investigating'));
  const moments = updates.map(update => ({ state: update.state, at: update.postedAt }));
  const changed = incident.updated_at ?? incident.updated;
  const sourceId = `incident ${incidentId}`;
  // With updates, version 3 gives the latest status, and not that of the message.
  const firstState = updates.length ? 'investigating' : state;
  const first = message?.trim() ? [{ sourceId, content: message, postedAt: createdAt, state: firstState }] : [];
  return {
    sourceId,
    type: 'unplanned',
    subject,
    state,
    createdAt,
    updates: [...first, ...updates],
    ...findSpan({
      type: 'unplanned',
      state,
      createdAt,
      began: createdAt,
      ended: end ?? (updates.length ? null : changed),
      moments,
    }),
    componentIds: [
      ...(component && component !== '0' ? [component] : []),
      ...(incident.components ?? []).map(c => c.id),
    ],
    impact: componentStatuses[incident.component_status ?? 0] ?? 'degraded',
  };
}

const findLatest = (updates: ImportedNotice['updates']) =>
  updates.toSorted((one, other) => other.postedAt.getTime() - one.postedAt.getTime())[0];

const scheduleStates: NoticeState[] = ['scheduled', 'underway', 'complete'];

function toMaintenance(schedule: z.infer<Shapes['schedule']>, context: Context): unknown {
  const { id: scheduleId, name: subject, message, status } = schedule;
  const beginsAt = schedule.scheduled_at ?? schedule.scheduled;
  const endsAt = schedule.completed_at ?? schedule.completed;
  if (!beginsAt || !endsAt) throw new UnusableRow('has no end of its window');
  const byTime = beginsAt > context.now ? 0 : endsAt > context.now ? 1 : 2;
  const state = scheduleStates[status ?? byTime] ?? scheduleStates[byTime]!;
  const sourceId = `schedule ${scheduleId}`;
  const rows = schedule.updates?.length ? schedule.updates : context.findUpdates(sourceId);
  const createdAt = schedule.created_at ?? schedule.created ?? beginsAt;
  const first = message?.trim()
    ? [{ sourceId, content: message, postedAt: createdAt, state: 'scheduled' as const }]
    : [];
  return {
    sourceId,
    type: 'planned',
    subject,
    state,
    beginsAt,
    endsAt,
    createdAt,
    ...findSpan({ type: 'planned', state, createdAt, began: beginsAt, ended: endsAt, moments: [] }),
    updates: [...first, ...toUpdates(rows, context, () => state)],
    componentIds: (schedule.components ?? []).map(({ id: own, component_id }) => component_id ?? own),
  };
}

const readSubscribers = (rows: unknown[], { shapes, leftOut }: Context): ImportedSubscriber[] =>
  readRows('subscriber', leftOut, {
    rows,
    shape: shapes.subscriber,
    convert: ({ id: sourceId, email, phone_number: phone, global, verified, ...subscriber }) => {
      const at = verified instanceof Date ? verified : null;
      const consentedAt = subscriber.verified_at ?? subscriber.email_verified_at ?? at;
      if (verified === false || !(verified || consentedAt)) throw new UnusableRow('has not confirmed the subscription');
      if (!email && !phone) throw new UnusableRow('has neither an e-mail address nor a phone number');
      const { subscriptions, components, component_ids } = subscriber;
      const chosen = [subscriptions, components, component_ids].flatMap(ids => ids ?? []);
      return {
        sourceId,
        email: email ?? undefined,
        phoneNumber: phone ?? undefined,
        consentedAt,
        componentIds: global === 0 || (global == null && chosen.length) ? [...new Set(chosen)] : null,
      };
    },
  });
