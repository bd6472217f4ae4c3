import { invalid, notFound, Refusal } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import type { Impact } from '../../notices/impact.rules.js';
import type { ComponentStatus } from '../../notices/statuspage.rules.js';
import { choose, Fields } from './fields.js';
import { type IncidentRecord, renderIncident, StatuspageIncident } from './incident-record.js';
import type { StatuspageRequest, StatuspageRoute } from './route.js';

const ListIncidents = /* GraphQL */ `
  query ListStatuspageIncidents($page: ID!, $filter: NoticeFilter, $number: Int, $perPage: Int) {
    result: notices(pageId: $page, filter: $filter, page: $number, perPage: $perPage) {
      nodes { ...StatuspageIncident }
    }
  }
  ${StatuspageIncident}`;

const RetrieveIncident = /* GraphQL */ `
  query RetrieveStatuspageIncident($page: ID!, $id: ID!) {
    result: notice(pageId: $page, id: $id) { ...StatuspageIncident }
  }
  ${StatuspageIncident}`;

const OpenIncident = /* GraphQL */ `
  mutation OpenStatuspageIncident($page: ID!, $input: OpenIncidentInput!) {
    result: openIncident(pageId: $page, input: $input) { notice { ...StatuspageIncident } }
  }
  ${StatuspageIncident}`;

const ScheduleMaintenance = /* GraphQL */ `
  mutation ScheduleStatuspageMaintenance($page: ID!, $input: ScheduleMaintenanceInput!) {
    result: scheduleMaintenance(pageId: $page, input: $input) { notice { ...StatuspageIncident } }
  }
  ${StatuspageIncident}`;

const UpdateIncident = /* GraphQL */ `
  mutation UpdateStatuspageIncident($page: ID!, $id: ID!, $version: [Int!], $input: UpdateNoticeInput!) {
    result: updateNotice(pageId: $page, id: $id, ifVersion: $version, input: $input) {
      notice { ...StatuspageIncident }
    }
  }
  ${StatuspageIncident}`;

const DeleteIncident = /* GraphQL */ `
  mutation DeleteStatuspageIncident($page: ID!, $id: ID!) { result: deleteNotice(pageId: $page, id: $id) { id } }`;

export const incidentDocuments = [
  ...[ListIncidents, RetrieveIncident, OpenIncident, ScheduleMaintenance, UpdateIncident, DeleteIncident],
];

const incidentStates = {
  investigating: 'INVESTIGATING',
  identified: 'IDENTIFIED',
  monitoring: 'RECOVERING',
  resolved: 'RESOLVED',
} as const;
const maintenanceStates = {
  scheduled: 'SCHEDULED',
  in_progress: 'UNDERWAY',
  verifying: 'UNDERWAY',
  completed: 'COMPLETE',
} as const;

/** Null: as it is. A component that is operational again stays named, so that its subscribers hear of the end. */
const statusImpacts: Record<ComponentStatus, Impact | null> = {
  operational: null,
  degraded_performance: 'degraded',
  partial_outage: 'partial-outage',
  major_outage: 'major-outage',
  under_maintenance: 'degraded',
};
const impactNames: Record<Impact, string> = {
  degraded: 'DEGRADED',
  'partial-outage': 'PARTIAL_OUTAGE',
  'major-outage': 'MAJOR_OUTAGE',
};

/** The impacts on components that a request names, with those of the incident as it is. Undefined: it names none. */
function readImpacts(fields: Fields, current: IncidentRecord | null): Map<string, Impact> | undefined {
  const ids = fields.list('component_ids');
  const statuses = fields.map('components');
  if (!ids && !statuses) return undefined;
  const before = new Map(current?.affectedComponents.map(({ component, impact }) => [String(component.id), impact]));
  const impacts = ids ? new Map(ids.map(id => [id, before.get(id) ?? 'degraded'])) : before;
  for (const [id, status] of statuses ?? []) {
    const impact = status ? choose('components', status, statusImpacts) : null;
    impacts.set(id, impact ?? impacts.get(id) ?? 'degraded');
  }
  return impacts;
}

const toAffectedComponents = (impacts: ReadonlyMap<string, Impact>) =>
  [...impacts].map(([componentId, impact]) => ({ componentId, impact: impactNames[impact] }));

/** The text of an update; `message` is its name in earlier versions of the API. */
const readContent = (fields: Fields) => fields.text('body') ?? fields.text('message');

/** All Clear has one switch for both. */
function readAutomation(fields: Fields): boolean | undefined {
  const flags = [fields.flag('scheduled_auto_in_progress'), fields.flag('scheduled_auto_completed')];
  return flags.every(flag => flag === undefined) ? undefined : flags.includes(true);
}

interface Payload {
  notice: IncidentRecord;
}

async function create({ path: { page }, input, run }: StatuspageRequest) {
  const fields = new Fields(input);
  const beginsAt = fields.text('scheduled_for');
  const impacts = readImpacts(fields, null) ?? new Map<string, Impact>();
  const common = {
    subject: fields.text('name') ?? null,
    content: readContent(fields) ?? null,
    shouldPublish: fields.flag('deliver_notifications') ?? true,
  };
  if (beginsAt) {
    const endsAt = fields.text('scheduled_until');
    if (!endsAt) throw invalid({ scheduled_until: [problems.blank] });
    const maintenance = {
      ...{ ...common, beginsAt, endsAt, componentIds: [...impacts.keys()] },
      state: fields.choice('status', maintenanceStates),
      shouldAutomateSchedule: readAutomation(fields),
    };
    return renderIncident((await run<Payload>(ScheduleMaintenance, { page, input: maintenance })).notice);
  }
  const incident = { ...common, affectedComponents: toAffectedComponents(impacts), ...readState(fields) };
  return renderIncident((await run<Payload>(OpenIncident, { page, input: incident })).notice);
}

/** An incident of the past begins and ends on its day, and nobody is notified. */
function readState(fields: Fields) {
  if (!fields.flag('backfilled')) return { state: fields.choice('status', incidentStates) };
  const day = fields.text('backfill_date');
  if (!day) throw invalid({ backfill_date: [problems.blank] });
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? `${day}T00:00:00Z` : day;
  return { state: incidentStates.resolved, beganAt: time, endedAt: time, shouldPublish: false };
}

/** Each attempt fails because another request has written meanwhile, so that few are needed. */
const maximumAttempts = 5;

async function update(request: StatuspageRequest) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryUpdate(request);
    } catch (error) {
      const hasChanged = error instanceof Refusal && error.code === 'PRECONDITION_FAILED';
      if (!hasChanged || attempt === maximumAttempts) throw error;
    }
  }
}

async function tryUpdate(request: StatuspageRequest) {
  const { path, input, run } = request;
  const current = await retrieve(request);
  const fields = new Fields(input);
  const isMaintenance = current.type === 'planned';
  const state = fields.choice('status', isMaintenance ? maintenanceStates : incidentStates);
  const impacts = readImpacts(fields, current);
  const content = readContent(fields) || undefined;
  const hasNews = content !== undefined || (state !== undefined && state.toLowerCase() !== current.state);
  const changes = {
    ...{ subject: fields.text('name'), content, state },
    shouldPublish: hasNews && (fields.flag('deliver_notifications') ?? true),
    ...(impacts &&
      (isMaintenance ? { componentIds: [...impacts.keys()] } : { affectedComponents: toAffectedComponents(impacts) })),
    beginsAt: fields.text('scheduled_for') || undefined,
    endsAt: fields.text('scheduled_until') || undefined,
    shouldAutomateSchedule: isMaintenance ? readAutomation(fields) : undefined,
  };
  // The list of components was completed by those that were read.
  const version = impacts ? current.version : null;
  return renderIncident((await run<Payload>(UpdateIncident, { ...path, version, input: changes })).notice);
}

/** An announcement has no counterpart in Statuspage. */
async function retrieve({ path, run }: StatuspageRequest): Promise<IncidentRecord> {
  const record = await run<IncidentRecord>(RetrieveIncident, path);
  if (record.type === 'general') throw notFound('notice');
  return record;
}

const list = '/pages/:page/incidents';
const item = `${list}/:id`;

const listRoute = (path: string, filter: object): StatuspageRoute => ({
  ...{ method: 'GET', path, priority: 'list' },
  async handle({ path: { page }, query, run }) {
    const fields = new Fields(query);
    const { page: number, perPage } = fields.paging();
    const text = fields.text('q');
    const variables = { page, number, perPage, filter: { ...filter, ...(text && { subject: { cont: text } }) } };
    return (await run<{ nodes: IncidentRecord[] }>(ListIncidents, variables)).nodes.map(renderIncident);
  },
});

const planned = { eq: 'PLANNED' };

export const incidentRoutes: readonly StatuspageRoute[] = [
  listRoute(list, { type: { notEq: 'GENERAL' } }),
  listRoute(`${list}/unresolved`, { type: { eq: 'UNPLANNED' }, timelineState: { eq: 'PRESENT' } }),
  listRoute(`${list}/scheduled`, { type: planned, timelineState: { in: ['PRESENT', 'FUTURE'] } }),
  listRoute(`${list}/upcoming`, { type: planned, timelineState: { eq: 'FUTURE' } }),
  listRoute(`${list}/active_maintenance`, { type: planned, timelineState: { eq: 'PRESENT' } }),
  { method: 'POST', path: list, priority: 'noticeWrite', record: 'incident', handle: create },
  {
    ...{ method: 'GET', path: item, priority: 'read' },
    handle: async request => renderIncident(await retrieve(request)),
  },
  { method: 'PATCH', path: item, priority: 'noticeWrite', record: 'incident', handle: update },
  {
    ...{ method: 'DELETE', path: item, priority: 'write' },
    async handle(request) {
      const record = await retrieve(request);
      await request.run(DeleteIncident, request.path);
      return renderIncident(record);
    },
  },
];
