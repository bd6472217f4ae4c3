import { invalid, notFound } from '../../core/errors.js';
import type { Metadata } from '../../pages/metadata.js';
import { problems } from '../../core/problems.js';
import { findComponents, isGroup } from './components.js';
import { Fields, pagingNames } from './fields.js';
import type { StatuspageRequest, StatuspageRoute } from './route.js';
import { changeMetadata } from './stored-fields.js';

const StatuspageGroup = /* GraphQL */ `
  fragment StatuspageGroup on Component {
    id name description position parentId metadata createdAt updatedAt
    page { id }
    children { id }
  }`;

interface GroupRecord {
  id: number;
  name: string;
  description: string | null;
  position: number;
  parentId: number | null;
  metadata: Metadata | null;
  createdAt: string;
  updatedAt: string;
  page: { id: string };
  children: { id: number }[];
}

const listChildren = ({ children }: GroupRecord): string[] => children.map(({ id }) => String(id));

const renderGroup = (record: GroupRecord) => ({
  id: String(record.id),
  page_id: record.page.id,
  name: record.name,
  description: record.description,
  components: listChildren(record),
  position: record.position,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});

const ListGroups = /* GraphQL */ `
  query ListStatuspageGroups($page: ID!, $number: Int) {
    result: components(pageId: $page, page: $number, perPage: 100) { nodes { ...StatuspageGroup } }
  }
  ${StatuspageGroup}`;

const RetrieveGroup = /* GraphQL */ `
  query RetrieveStatuspageGroup($page: ID!, $id: ID!) {
    result: component(pageId: $page, id: $id) { ...StatuspageGroup }
  }
  ${StatuspageGroup}`;

const CreateGroup = /* GraphQL */ `
  mutation CreateStatuspageGroup($page: ID!, $input: CreateComponentInput!) {
    result: createComponent(pageId: $page, input: $input) { component { id } }
  }`;

const UpdateGroup = /* GraphQL */ `
  mutation UpdateStatuspageGroup($page: ID!, $id: ID!, $input: UpdateComponentInput!) {
    result: updateComponent(pageId: $page, id: $id, input: $input) { component { id } }
  }`;

const DeleteGroup = /* GraphQL */ `
  mutation DeleteStatuspageGroup($page: ID!, $id: ID!) {
    result: deleteComponent(pageId: $page, id: $id) { deletedId }
  }`;

export const groupDocuments = [ListGroups, RetrieveGroup, CreateGroup, UpdateGroup, DeleteGroup];

const fieldNames = ['name', 'description', 'components'];

function readInput({ input }: StatuspageRequest) {
  const fields = new Fields(input);
  const name = fields.text('name');
  const description = fields.text('description');
  return {
    values: { ...(name !== undefined && { name }), ...(description !== undefined && { description }) },
    // An empty list is a value: it takes all components out of the group.
    ids: Array.isArray(input.components) ? (fields.ids('components') ?? []) : fields.ids('components'),
  };
}

const read = ({ path: { page }, run }: StatuspageRequest, id: string) => run<GroupRecord>(RetrieveGroup, { page, id });

/** A component is in the groups of before until it is in the new one, so that ids are checked first. */
async function refuseUnknown(request: StatuspageRequest, ids: readonly string[]): Promise<void> {
  const known = new Set((await findComponents(request, ids)).map(({ id }) => String(id)));
  const unknown = ids.filter(id => !known.has(id)).map(id => JSON.stringify(id.slice(0, 60)));
  if (unknown.length)
    throw invalid({
      components: [problems.unusable(`has no components of the page: ${unknown.slice(0, 20).join(', ')}`)],
    });
}

/** A group can be neither in itself nor in what is in it. */
async function refuseAncestors(request: StatuspageRequest, ids: readonly string[], group: GroupRecord): Promise<void> {
  const above = new Set([String(group.id)]);
  for (let { parentId } = group; parentId !== null; ) {
    above.add(String(parentId));
    ({ parentId } = await read(request, String(parentId)));
  }
  const refused = ids.filter(id => above.has(id)).map(id => JSON.stringify(id));
  if (refused.length)
    throw invalid({
      components: [problems.unusable(`cannot have the group itself or those it is in: ${refused.join(', ')}`)],
    });
}

async function retrieve(request: StatuspageRequest, id: string): Promise<GroupRecord> {
  const record = await read(request, id);
  if (!isGroup(record)) throw notFound('component');
  return record;
}

/** All components are read, of which few pages have more than a hundred. */
async function listAll({ path: { page }, run }: StatuspageRequest): Promise<GroupRecord[]> {
  const groups: GroupRecord[] = [];
  for (let number = 1; ; number += 1) {
    const { nodes } = await run<{ nodes: GroupRecord[] }>(ListGroups, { page, number });
    groups.push(...nodes.filter(isGroup));
    if (nodes.length < 100) return groups;
  }
}

const list = '/pages/:page/component-groups';
const item = `${list}/:id`;
/** In the documentation of Statuspage the description is beside the record, and one of its clients has no record. */
const written = { record: 'component_group', fields: fieldNames, outer: fieldNames };

/** A group is a component with others below it. */
export const groupRoutes: readonly StatuspageRoute[] = [
  {
    method: 'GET',
    path: list,
    priority: 'list',
    query: pagingNames,
    async handle(request) {
      const { page, perPage } = new Fields(request.query).paging();
      const groups = await listAll(request);
      return groups.slice((page - 1) * perPage, page * perPage).map(renderGroup);
    },
  },
  {
    method: 'POST',
    path: list,
    priority: 'write',
    ...written,
    async handle(request) {
      const { page } = request.path;
      const { values, ids = [] } = readInput(request);
      await refuseUnknown(request, ids);
      const input = { ...values, childIds: ids, metadata: changeMetadata(null, { group: true }) };
      const { component } = await request.run<{ component: { id: number } }>(CreateGroup, { page, input });
      return renderGroup(await retrieve(request, String(component.id)));
    },
  },
  {
    method: 'GET',
    path: item,
    priority: 'read',
    handle: async request => renderGroup(await retrieve(request, request.path.id)),
  },
  {
    method: 'PATCH',
    path: item,
    priority: 'write',
    ...written,
    async handle(request) {
      const { page, id } = request.path;
      const current = await retrieve(request, id);
      const { values, ids } = readInput(request);
      // A group that loses its components remains a group.
      const metadata = changeMetadata(current, { group: true });
      if (ids) await refuseUnknown(request, ids);
      if (ids) await refuseAncestors(request, ids, current);
      const input = { ...values, ...(ids && { childIds: ids }), ...(metadata && { metadata }) };
      await request.run(UpdateGroup, { page, id, input });
      return renderGroup(await retrieve(request, id));
    },
  },
  {
    method: 'DELETE',
    path: item,
    priority: 'write',
    async handle(request) {
      const record = await retrieve(request, request.path.id);
      await request.run(DeleteGroup, request.path);
      return renderGroup(record);
    },
  },
];
