import { invalid, notFound, Refusal } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { retryChange } from './attempts.js';
import { Fields, pagingNames } from './fields.js';
import {
  IncidentFields,
  incidentStates,
  maintenanceStates,
  type NamedComponent,
  toAffectedComponents,
} from './incident-fields.js';
import {
  automationFields,
  type IncidentRecord,
  incidentFields,
  maintenanceFields,
  renderIncident,
} from './incident-record.js';
import {
  DeleteIncident,
  ListIncidents,
  OpenIncident,
  RetrieveIncident,
  ScheduleMaintenance,
  UpdateIncident,
} from './incident-documents.js';
import type { StatuspageRequest, StatuspageRoute } from './route.js';

interface Payload {
  notice: IncidentRecord;
}

const storedOfMaintenance = { ...maintenanceFields, ...automationFields };
const ofMaintenance = ['scheduled_for', 'scheduled_until'];
const taken = [
  'name',
  'body',
  'message',
  'status',
  'component_ids',
  'components',
  'deliver_notifications',
  'metadata',
  ...ofMaintenance,
  ...Object.keys({ ...incidentFields, ...storedOfMaintenance }),
];

async function create(request: StatuspageRequest) {
  const { input, path, run, warnings } = request;
  const { page } = path;
  const fields = new IncidentFields(input, warnings);
  const beginsAt = fields.text('scheduled_for');
  const common = {
    subject: fields.subject() ?? null,
    content: fields.content() ?? null,
    shouldPublish: fields.mayNotify('deliver_notifications'),
  };
  const named = fields.namedComponents(null) ?? new Map<string, NamedComponent>();
  if (beginsAt) {
    const endsAt = fields.text('scheduled_until');
    if (!endsAt) throw invalid({ scheduled_until: [problems.blank] });
    const maintenance = {
      ...common,
      beginsAt,
      endsAt,
      state: fields.choice('status', maintenanceStates),
      shouldAutomateSchedule: fields.automation(),
      reminder: fields.reminder(),
      metadata: fields.metadata(null, storedOfMaintenance),
    };
    return withKnownComponents(request, named, known => {
      const hasNamedComponents = named.size > 0;
      const withComponents = { ...maintenance, hasNamedComponents, componentIds: [...known.keys()] };
      return run<Payload>(ScheduleMaintenance, { page, input: withComponents });
    });
  }
  if (fields.hasMaintenanceStatus()) throw invalid({ scheduled_for: [problems.blank] });
  fields.ignore(ofMaintenance, 'it is for maintenance, which has scheduled_for');
  const incident = { ...common, metadata: fields.metadata(null, incidentFields), ...readState(fields) };
  return withKnownComponents(request, named, known => {
    const hasNamedComponents = named.size > 0;
    const withComponents = { ...incident, hasNamedComponents, affectedComponents: toAffectedComponents(known) };
    return run<Payload>(OpenIncident, { page, input: withComponents });
  });
}

/** An incident of the past begins and ends on its day, and nobody is notified. */
function readState(fields: IncidentFields) {
  const day = fields.text('backfill_date');
  if (!(fields.flag('backfilled') ?? Boolean(day))) return { state: fields.choice('status', incidentStates) };
  if (!day) throw invalid({ backfill_date: [problems.blank] });
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? `${day}T00:00:00Z` : day;
  return { state: incidentStates.resolved, beganAt: time, endedAt: time, shouldPublish: false };
}

const update = (request: StatuspageRequest) => retryChange(() => tryUpdate(request));

async function tryUpdate(request: StatuspageRequest) {
  const { path, input, run, warnings } = request;
  const current = await retrieve(request);
  const fields = new IncidentFields(input, warnings);
  const isMaintenance = current.type === 'planned';
  if (!isMaintenance) fields.ignore(ofMaintenance, 'it is for maintenance');
  const named = fields.namedComponents(current);
  const content = fields.content() || undefined;
  const states = isMaintenance ? maintenanceStates : incidentStates;
  const changes = {
    subject: fields.subject(),
    content,
    ...(isMaintenance && {
      beginsAt: fields.text('scheduled_for') || undefined,
      endsAt: fields.text('scheduled_until') || undefined,
      shouldAutomateSchedule: fields.automation(),
      reminder: fields.reminder(),
    }),
    metadata: fields.metadata(current, isMaintenance ? storedOfMaintenance : incidentFields),
  };
  const hasOtherChanges = named !== undefined || Object.values(changes).some(value => value !== undefined);
  const state = isShownStatus(fields, current)
    ? undefined
    : (hasOtherChanges ? fields : new Fields(input)).choice('status', states);
  const hasNews = content !== undefined || (state !== undefined && state.toLowerCase() !== current.state);
  const shouldPublish = hasNews && fields.mayNotify('deliver_notifications');
  const send = (known?: ReadonlyMap<string, NamedComponent>) => {
    const components =
      known &&
      (isMaintenance ? { componentIds: [...known.keys()] } : { affectedComponents: toAffectedComponents(known) });
    // The components and the metadata were completed by those that were read.
    const version = known || changes.metadata ? current.version : null;
    const hasNamedComponents = Boolean(named?.size);
    return run<Payload>(UpdateIncident, {
      ...path,
      version,
      input: { ...changes, state, shouldPublish, hasNamedComponents, ...components },
    });
  };
  return named ? withKnownComponents(request, named, send) : renderIncident((await send()).notice);
}

/** Statuses that are shown in place of states that Statuspage does not have: sent back, they change nothing. */
function isShownStatus(fields: Fields, current: IncidentRecord): boolean {
  const shown = renderIncident(current).status;
  const isOther = shown === 'postmortem' || current.state === 'false_alarm' || current.state === 'cancelled';
  return isOther && fields.text('status') === shown;
}

/** Leaves out the components that are not on the page: an outage is published also where one was deleted. */
async function withKnownComponents(
  { warnings }: StatuspageRequest,
  named: ReadonlyMap<string, NamedComponent>,
  send: (known: ReadonlyMap<string, NamedComponent>) => Promise<Payload>,
) {
  try {
    return renderIncident((await send(named)).notice);
  } catch (error) {
    const unknown = listUnknownComponents(error, [...named.keys()]);
    if (!unknown.length) throw error;
    const known = new Map(named);
    for (const id of unknown) known.delete(id);
    const { notice } = await send(known);
    for (const id of unknown)
      warnings.add(`${JSON.stringify(id.slice(0, 60))} was left out: the page has no component with this id.`);
    if (!known.size)
      warnings.add(
        'No component is named, so subscribers who chose components are not notified, unless they were before.',
      );
    return renderIncident(notice);
  }
}

function listUnknownComponents(error: unknown, ids: readonly string[]): string[] {
  const fields = error instanceof Refusal ? error.details.fields : undefined;
  const found = [...(fields?.componentIds ?? []), ...(fields?.affectedComponents ?? [])];
  return found.flatMap(({ code, index }) => (code === 'NOT_FOUND' && index !== undefined ? [ids[index]!] : []));
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
  method: 'GET',
  path,
  priority: 'list',
  query: [...pagingNames, 'q'],
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
  {
    method: 'POST',
    path: list,
    priority: 'noticeWrite',
    record: 'incident',
    handle: create,
    fields: [...taken, 'backfilled', 'backfill_date'],
  },
  { method: 'GET', path: item, priority: 'read', handle: async request => renderIncident(await retrieve(request)) },
  {
    method: 'PATCH',
    path: item,
    priority: 'noticeWrite',
    record: 'incident',
    handle: update,
    fields: taken,
  },
  {
    method: 'DELETE',
    path: item,
    priority: 'write',
    async handle(request) {
      const record = await retrieve(request);
      await request.run(DeleteIncident, request.path);
      return renderIncident(record);
    },
  },
];
