import {
  createComponent,
  createNotice,
  createPage,
  createSubscriber,
  createTemplate,
  createUpdate,
} from './factories.js';
import type { TestService } from './service.js';

/** The records of the GraphQL tests: a page with a component tree, notices of each type, subscribers and templates. */
export interface GraphqlRecords {
  page: string;
  /** A page without records. */
  empty: string;
  /** Website is the parent of Search and Checkout, Checkout the parent of Cards; Mail has no parent. */
  components: Record<'website' | 'search' | 'checkout' | 'cards' | 'mail', string>;
  notices: Record<'incident' | 'resolved' | 'maintenance' | 'general', string>;
  subscribers: Record<'ada' | 'bob', string>;
  templates: Record<'page' | 'component', string>;
  webhook: string;
  alertSource: string;
  metric: string;
}

/** Sends an operation with the write token and returns its data; throws on any error. */
export async function execute(service: TestService, query: string, variables?: Record<string, unknown>) {
  const { json } = await service.graphql(query, variables);
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  return json.data;
}

export async function createGraphqlRecords(service: TestService): Promise<GraphqlRecords> {
  const { id: page, path } = await createPage(service, { name: 'All Clear' });
  const { id: empty } = await createPage(service, { name: 'Nothing here' });
  const component = async (name: string, parent_id?: string) =>
    String((await createComponent(service, path, { name, parent_id })).id);
  const website = await component('Website');
  const search = await component('Search', website);
  const checkout = await component('Checkout', website);
  const cards = await component('Cards', checkout);
  const mail = await component('Mail');
  const notice = async (values: object) => String((await createNotice(service, path, values)).id);
  const resolved = await notice({
    subject: 'Slow search',
    state: 'resolved',
    component_ids: [search],
    initial_comment: 'It was *slow*.',
    tag_list: ['search', 'slow'],
  });
  const incident = await notice({
    subject: 'Cards fail',
    component_ids: [cards],
    initial_comment: 'We look into it.',
  });
  const maintenance = await notice({
    type: 'planned',
    subject: 'New disks',
    component_ids: [mail],
    begins_at: '2031-01-01T10:00:00Z',
    ends_at: '2031-01-01T12:00:00Z',
  });
  const general = await notice({ type: 'general', subject: 'Hello', tag_list: ['news'] });
  await createUpdate(service, `${path}/notices/${incident}`, { content: 'Still at it.' });
  const subscriber = async (values: object) => String((await createSubscriber(service, path, values)).id);
  const ada = await subscriber({ email: 'Ada@example.org', component_ids: [cards], tag_list: ['vip'] });
  const bob = await subscriber({ email: undefined, phone_number: '+31612345678', first_name: 'Bob' });
  const template = async (values: object) => (await createTemplate(service, path, values)).id;
  const templates = {
    page: await template({ name: 'Anything', subject: 'Something is wrong' }),
    component: await template({ name: 'Cards', component_id: cards }),
  };
  const created = await execute(
    service,
    `mutation {
       createWebhook(pageId: "${page}", input: { url: "https://hooks.example.com/x" }) { webhook { id } }
       createMetric(pageId: "${page}", input: { name: "Latency" }) { metric { id } }
       createAlertSource(pageId: "${page}", input: { name: "Alertmanager" }) { alertSource { id } } }`,
  );
  return {
    page,
    empty,
    components: { website, search, checkout, cards, mail },
    notices: { incident, resolved, maintenance, general },
    subscribers: { ada, bob },
    templates,
    webhook: created.createWebhook.webhook.id,
    metric: created.createMetric.metric.id,
    alertSource: created.createAlertSource.alertSource.id,
  };
}

/**
 * Shows connections below the root fields as plain lists, where `nodes` is all that a query selects of them: what the
 * tests of other things expect is shorter so.
 */
export function withPlainLists<Data>(data: Data): Data {
  const flatten = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(flatten);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    if (entries.length === 1 && entries[0]![0] === 'nodes') return flatten(entries[0]![1]);
    return mapValues(value, flatten);
  };
  const mapValues = (value: object, map: (one: unknown) => unknown): object =>
    Object.fromEntries(Object.entries(value).map(([key, one]) => [key, map(one)]));
  const mapRoot = (root: unknown) =>
    typeof root === 'object' && root !== null && !Array.isArray(root) ? mapValues(root, flatten) : root;
  return (data && mapValues(data, mapRoot)) as Data;
}
