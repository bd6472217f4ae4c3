import type { NoticeState } from '../../notices/notice.states.js';
import { toStatuspageStatus } from '../../notices/statuspage.rules.js';
import { findComponents, renderComponent } from './components.js';
import { Fields, pagingNames } from './fields.js';
import { IncidentFields, incidentStates, maintenanceStates } from './incident-fields.js';
import type { StatuspageRequest, StatuspageRoute } from './route.js';

const StatuspageTemplate = /* GraphQL */ `
  fragment StatuspageTemplate on NoticeTemplate {
    id name subject content state componentIds
  }`;

interface TemplateRecord {
  id: string;
  name: string;
  subject: string | null;
  content: string | null;
  state: NoticeState | null;
  componentIds: number[];
}

async function render(request: StatuspageRequest, records: readonly TemplateRecord[]) {
  const ids = records.flatMap(({ componentIds }) => componentIds.map(String));
  const found = (await findComponents(request, ids)).map(renderComponent);
  const components = new Map(found.map(component => [component.id, component]));
  return records.map(({ id, name, subject, content, state, componentIds }) => ({
    id,
    page_id: request.path.page,
    name,
    title: subject,
    body: content,
    group_id: null,
    update_status: state && toStatuspageStatus(state),
    should_tweet: false,
    should_send_notifications: false,
    component_ids: componentIds.map(String),
    components: componentIds.flatMap(each => components.get(String(each)) ?? []),
  }));
}

const ListTemplates = /* GraphQL */ `
  query ListStatuspageTemplates($page: ID!, $number: Int, $perPage: Int) {
    result: noticeTemplates(pageId: $page, page: $number, perPage: $perPage) { nodes { ...StatuspageTemplate } }
  }
  ${StatuspageTemplate}`;

const CreateTemplate = /* GraphQL */ `
  mutation CreateStatuspageTemplate($page: ID!, $input: CreateNoticeTemplateInput!) {
    result: createNoticeTemplate(pageId: $page, input: $input) { template: noticeTemplate { ...StatuspageTemplate } }
  }
  ${StatuspageTemplate}`;

const UpdateTemplate = /* GraphQL */ `
  mutation UpdateStatuspageTemplate($page: ID!, $id: ID!, $input: UpdateNoticeTemplateInput!) {
    result: updateNoticeTemplate(pageId: $page, id: $id, input: $input) {
      template: noticeTemplate { ...StatuspageTemplate }
    }
  }
  ${StatuspageTemplate}`;

const DeleteTemplate = /* GraphQL */ `
  mutation DeleteStatuspageTemplate($page: ID!, $id: ID!) {
    result: deleteNoticeTemplate(pageId: $page, id: $id) { deletedId }
  }`;

export const templateDocuments = [ListTemplates, CreateTemplate, UpdateTemplate, DeleteTemplate];

const statuses: Record<string, { type: string; state: string }> = Object.fromEntries([
  ...Object.entries(maintenanceStates).map(([name, state]) => [name, { type: 'PLANNED', state }] as const),
  // `resolved` and `completed` are those of an incident.
  ...Object.entries(incidentStates).map(([name, state]) => [name, { type: 'UNPLANNED', state }] as const),
  ['completed', { type: 'PLANNED', state: maintenanceStates.completed }],
]);

function readInput({ input, warnings }: StatuspageRequest) {
  const fields = new IncidentFields(input, warnings);
  const named = new Fields(input);
  return {
    name: named.text('name'),
    subject: fields.cutText('title', 255),
    content: fields.content(),
    componentIds: named.ids('component_ids'),
    ...fields.choice('update_status', statuses),
  };
}

interface Payload {
  template: TemplateRecord;
}

const list = '/pages/:page/incident_templates';
const item = `${list}/:id`;
const written = {
  priority: 'write',
  record: 'template',
  fields: ['name', 'title', 'body', 'component_ids', 'update_status'],
} as const;

export const templateRoutes: readonly StatuspageRoute[] = [
  {
    method: 'GET',
    path: list,
    priority: 'list',
    query: pagingNames,
    async handle(request) {
      const { page: number, perPage } = new Fields(request.query).paging();
      const { page } = request.path;
      const { nodes } = await request.run<{ nodes: TemplateRecord[] }>(ListTemplates, { page, number, perPage });
      return render(request, nodes);
    },
  },
  {
    method: 'POST',
    path: list,
    ...written,
    async handle(request) {
      const { name = '', ...others } = readInput(request);
      const input = { name, ...others };
      const { template } = await request.run<Payload>(CreateTemplate, { page: request.path.page, input });
      return (await render(request, [template]))[0];
    },
  },
  // Statuspage has none of the following, which its clients send all the same.
  {
    method: 'PATCH',
    path: item,
    ...written,
    async handle(request) {
      const input = readInput(request);
      const { template } = await request.run<Payload>(UpdateTemplate, { ...request.path, input });
      return (await render(request, [template]))[0];
    },
  },
  {
    method: 'DELETE',
    path: item,
    priority: 'write',
    async handle({ path, run }) {
      await run(DeleteTemplate, path);
      return undefined;
    },
  },
];
