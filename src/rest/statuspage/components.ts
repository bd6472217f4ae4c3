import { isPossibleKey } from '../../core/ids.js';
import { findWorstImpact, type Impact } from '../../notices/impact.rules.js';
import type { ComponentStatus } from '../../notices/statuspage.rules.js';
import { componentStatuses } from '../../status-page/aggregator-api/mapping.js';
import type { Metadata } from '../../pages/metadata.js';
import { retryChange } from './attempts.js';
import { Fields, maxPageSize, pagingNames } from './fields.js';
import type { StatuspageRequest, StatuspageRoute } from './route.js';
import { changeMetadata, readChanges, readStored, renderStored, type StoredFields } from './stored-fields.js';

/** The notices say which status a component has that no person has set. */
export const StatuspageComponent = /* GraphQL */ `
  fragment StatuspageComponent on Component {
    id name description state position parentId version metadata createdAt updatedAt
    page { id }
    manualStatus { status }
    children { id }
    notices(filter: { timelineState: { eq: PRESENT } }) {
      type affectedComponents { impact recoveredAt component { id } }
    }
  }`;

export interface ComponentRecord {
  id: number;
  name: string;
  description: string | null;
  state: 'operational' | 'degraded' | 'partially-degraded';
  position: number;
  parentId: number | null;
  version: number;
  metadata: Metadata | null;
  createdAt: string;
  updatedAt: string;
  page: { id: string };
  manualStatus: { status: keyof typeof componentStatuses } | null;
  children: { id: number }[];
  notices: {
    type: string;
    affectedComponents: { impact: Impact; recoveredAt: string | null; component: { id: number } }[];
  }[];
}

const toId = (id: number | null): string | null => (id === null ? null : String(id));

function toStatus({ id, state, manualStatus, notices }: ComponentRecord): ComponentStatus {
  if (manualStatus) return componentStatuses[manualStatus.status];
  const incidents = notices.filter(({ type }) => type === 'unplanned');
  const impacts = incidents
    .flatMap(({ affectedComponents }) => affectedComponents)
    .flatMap(({ component, recoveredAt, impact }) => (component.id === id && !recoveredAt ? [impact] : []));
  const worst = findWorstImpact(impacts);
  if (worst) return componentStatuses[worst];
  return notices.some(({ type }) => type === 'planned') ? 'under_maintenance' : componentStatuses[state];
}

const storedFields: StoredFields = {
  showcase: { type: 'flag', fallback: true, instead: 'a page shows the uptime of all components, or of none' },
  only_show_if_degraded: { type: 'flag', fallback: false, instead: 'the page always shows the component' },
  start_date: { type: 'shortText', fallback: null, instead: 'its history begins when it is created' },
};

/** A component that was created as a group is one before there are others in it. */
export const isGroup = (record: Pick<ComponentRecord, 'children' | 'metadata'>): boolean =>
  record.children.length > 0 || readStored(record).group === true;

export const renderComponent = (record: ComponentRecord) => ({
  id: String(record.id),
  page_id: record.page.id,
  group_id: toId(record.parentId),
  name: record.name,
  description: record.description,
  status: toStatus(record),
  position: record.position,
  group: isGroup(record),
  automation_email: null,
  ...renderStored(storedFields, record),
  start_date: readStored(record).start_date ?? record.createdAt.slice(0, 10),
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

const ListComponents = /* GraphQL */ `
  query ListStatuspageComponents($page: ID!, $number: Int, $perPage: Int) {
    result: components(pageId: $page, page: $number, perPage: $perPage) { nodes { ...StatuspageComponent } }
  }
  ${StatuspageComponent}`;

const RetrieveComponent = /* GraphQL */ `
  query RetrieveStatuspageComponent($page: ID!, $id: ID!) {
    result: component(pageId: $page, id: $id) { ...StatuspageComponent }
  }
  ${StatuspageComponent}`;

const FindComponents = /* GraphQL */ `
  query FindStatuspageComponents($page: ID!, $ids: [ID!]) {
    result: components(pageId: $page, filter: { id: { in: $ids } }, perPage: 100) { nodes { ...StatuspageComponent } }
  }
  ${StatuspageComponent}`;

const CreateComponent = /* GraphQL */ `
  mutation CreateStatuspageComponent($page: ID!, $input: CreateComponentInput!) {
    result: createComponent(pageId: $page, input: $input) { component { id } }
  }`;

const UpdateComponent = /* GraphQL */ `
  mutation UpdateStatuspageComponent($page: ID!, $id: ID!, $version: [Int!], $input: UpdateComponentInput!) {
    result: updateComponent(pageId: $page, id: $id, ifVersion: $version, input: $input) { component { id } }
  }`;

const SetStatus = /* GraphQL */ `
  mutation SetStatuspageComponentStatus($page: ID!, $id: ID!, $status: ComponentStatus!) {
    result: setComponentStatus(pageId: $page, id: $id, input: { status: $status }) { component { id } }
  }`;

const ClearStatus = /* GraphQL */ `
  mutation ClearStatuspageComponentStatus($page: ID!, $id: ID!) {
    result: clearComponentStatus(pageId: $page, id: $id) { component { id } }
  }`;

const DeleteComponent = /* GraphQL */ `
  mutation DeleteStatuspageComponent($page: ID!, $id: ID!) {
    result: deleteComponent(pageId: $page, id: $id) { deletedId }
  }`;

export const componentDocuments = [
  ListComponents,
  RetrieveComponent,
  FindComponents,
  CreateComponent,
  UpdateComponent,
  SetStatus,
  ClearStatus,
  DeleteComponent,
];

/** Null lets the state follow from notices again, so that it does not hide those to come. */
const manualStatuses = {
  operational: null,
  degraded_performance: 'DEGRADED',
  partial_outage: 'PARTIAL_OUTAGE',
  major_outage: 'MAJOR_OUTAGE',
  under_maintenance: 'MAINTENANCE',
} as const satisfies Record<ComponentStatus, string | null>;

const fieldNames = ['name', 'description', 'status', 'group_id', 'position', ...Object.keys(storedFields)];

function readInput({ input, warnings }: StatuspageRequest, current: ComponentRecord | null) {
  const fields = new Fields(input);
  const others = new Fields(input, warnings);
  const position = others.number('position');
  const metadata = changeMetadata(current, readChanges(others, storedFields, current));
  const parentId = fields.text('group_id');
  const isMoved = parentId !== undefined && (!current || (parentId || null) !== toId(current.parentId));
  const name = fields.text('name');
  const description = fields.text('description');
  const status = fields.choice('status', manualStatuses);
  return {
    // As shown, it may be that of an incident, which must not outlive it as a manual status.
    status: current && status === manualStatuses[toStatus(current)] ? undefined : status,
    values: {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      // After those that are in the group.
      ...(isMoved && { parentId: parentId || null, position: null }),
      ...(position !== undefined && { position: Math.trunc(position) }),
      ...(metadata !== undefined && { metadata }),
    },
  };
}

const read = ({ path: { page }, run }: StatuspageRequest, id: string) =>
  run<ComponentRecord>(RetrieveComponent, { page, id });

const retrieve = async (request: StatuspageRequest, id: string) => renderComponent(await read(request, id));

async function setState({ path: { page }, run }: StatuspageRequest, id: string, state: string | null): Promise<void> {
  await (state === null ? run(ClearStatus, { page, id }) : run(SetStatus, { page, id, status: state }));
}

/** Those of the page that have one of the ids, in no order. */
export async function findComponents({ path: { page }, run }: StatuspageRequest, ids: readonly string[]) {
  const possible = [...new Set(ids)].filter(isPossibleKey);
  const found: ComponentRecord[] = [];
  for (let start = 0; start < possible.length; start += maxPageSize) {
    const some = { page, ids: possible.slice(start, start + maxPageSize) };
    found.push(...(await run<{ nodes: ComponentRecord[] }>(FindComponents, some)).nodes);
  }
  return found;
}

const list = '/pages/:page/components';
const item = `${list}/:id`;

export const componentRoutes: readonly StatuspageRoute[] = [
  {
    method: 'GET',
    path: list,
    priority: 'list',
    query: pagingNames,
    async handle({ path: { page }, query, run }) {
      const { page: number, perPage } = new Fields(query).paging();
      const { nodes } = await run<{ nodes: ComponentRecord[] }>(ListComponents, { page, number, perPage });
      return nodes.map(renderComponent);
    },
  },
  {
    method: 'POST',
    path: list,
    priority: 'write',
    record: 'component',
    fields: fieldNames,
    async handle(request) {
      const { page } = request.path;
      const { status, values } = readInput(request, null);
      const { component } = await request.run<{ component: { id: number } }>(CreateComponent, { page, input: values });
      const id = String(component.id);
      if (status) await setState(request, id, status);
      return retrieve(request, id);
    },
  },
  { method: 'GET', path: item, priority: 'read', handle: request => retrieve(request, request.path.id) },
  {
    method: 'PATCH',
    path: item,
    priority: 'noticeWrite',
    record: 'component',
    fields: fieldNames,
    async handle(request) {
      const { page, id } = request.path;
      return retryChange(async () => {
        const current = await read(request, id);
        const { status, values } = readInput(request, current);
        const version = values.metadata ? current.version : null;
        if (Object.keys(values).length) await request.run(UpdateComponent, { page, id, version, input: values });
        if (status !== undefined) await setState(request, id, status);
        return retrieve(request, id);
      });
    },
  },
  {
    method: 'DELETE',
    path: item,
    priority: 'write',
    async handle({ path: { page, id }, run }) {
      await run(DeleteComponent, { page, id });
      return undefined;
    },
  },
];
