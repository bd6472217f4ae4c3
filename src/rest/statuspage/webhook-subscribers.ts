import { Fields } from './fields.js';
import type { StatuspageRequest } from './route.js';

const StatuspageWebhook = /* GraphQL */ `
  fragment StatuspageWebhook on Webhook { id contact componentIds createdAt suspendedAt }`;

interface WebhookRecord {
  id: number;
  contact: string | null;
  componentIds: number[];
  createdAt: string;
  suspendedAt: string | null;
}

const ListWebhooks = /* GraphQL */ `
  query ListStatuspageWebhooks(
    $page: ID!, $filter: WebhookFilter, $order: [WebhookOrder!], $number: Int, $perPage: Int
  ) {
    result: webhooks(pageId: $page, filter: $filter, orderBy: $order, page: $number, perPage: $perPage) {
      count nodes { ...StatuspageWebhook }
    }
  }
  ${StatuspageWebhook}`;

const ListUrls = /* GraphQL */ `
  query ListStatuspageWebhookUrls($page: ID!, $ids: [ID!]!) {
    result: webhookUrls(pageId: $page, ids: $ids) { webhookId url }
  }`;

const RetrieveWebhook = /* GraphQL */ `
  query RetrieveStatuspageWebhook($page: ID!, $id: ID!) {
    result: webhook(pageId: $page, id: $id) { ...StatuspageWebhook }
  }
  ${StatuspageWebhook}`;

const CreateWebhook = /* GraphQL */ `
  mutation CreateStatuspageWebhook($page: ID!, $input: CreateWebhookInput!) {
    result: createWebhook(pageId: $page, input: $input) { webhook { ...StatuspageWebhook } }
  }
  ${StatuspageWebhook}`;

const UpdateWebhook = /* GraphQL */ `
  mutation UpdateStatuspageWebhook($page: ID!, $id: ID!, $input: UpdateWebhookInput!) {
    result: updateWebhook(pageId: $page, id: $id, input: $input) { webhook { ...StatuspageWebhook } }
  }
  ${StatuspageWebhook}`;

const DeleteWebhook = /* GraphQL */ `
  mutation DeleteStatuspageWebhook($page: ID!, $id: ID!) {
    result: deleteWebhook(pageId: $page, id: $id) { deletedId }
  }`;

export const webhookDocuments = [ListWebhooks, ListUrls, RetrieveWebhook, CreateWebhook, UpdateWebhook, DeleteWebhook];

/** Webhooks and people have ids of their own, so that those of webhooks have a prefix here. */
const prefix = 'webhook-';
export const isWebhook = (id: string): boolean => id.startsWith(prefix);

interface List {
  filter: object;
  order?: object[];
  number?: number;
  perPage?: number;
}

interface Payload {
  webhook: WebhookRecord;
}

const toPath = ({ path: { page, id } }: StatuspageRequest) => ({ page, id: id.slice(prefix.length) });

const readWebhook = (request: StatuspageRequest) => request.run<WebhookRecord>(RetrieveWebhook, toPath(request));

async function render({ path: { page }, run }: StatuspageRequest, records: readonly WebhookRecord[]) {
  const ids = records.map(({ id }) => id);
  const urls = records.length ? await run<{ webhookId: number; url: string }[]>(ListUrls, { page, ids }) : [];
  return records.map(record => ({
    id: `${prefix}${record.id}`,
    page_id: page,
    mode: 'webhook',
    email: record.contact,
    // Null where a visitor subscribed it.
    endpoint: urls.find(({ webhookId }) => String(webhookId) === String(record.id))?.url ?? null,
    phone_number: null,
    skip_confirmation_notification: true,
    components: record.componentIds.map(String),
    quarantined_at: record.suspendedAt,
    purge_at: null,
    created_at: record.createdAt,
  }));
}

const renderOne = async (request: StatuspageRequest, record: WebhookRecord) => (await render(request, [record]))[0]!;

function readInput({ input }: StatuspageRequest) {
  const fields = new Fields(input);
  return {
    url: fields.text('endpoint') || undefined,
    contact: fields.text('email'),
    componentIds: fields.ids('component_ids'),
  };
}

/** Subscribers with an `endpoint`: webhooks whose bodies are those of Statuspage. */
export const webhookSubscribers = {
  async list(request: StatuspageRequest, list: List) {
    const { page } = request.path;
    const { nodes } = await request.run<{ nodes: WebhookRecord[] }>(ListWebhooks, { page, ...list });
    return render(request, nodes);
  },
  async count({ path: { page }, run }: StatuspageRequest, filter: object): Promise<number> {
    return (await run<{ count: number }>(ListWebhooks, { page, filter, number: 1, perPage: 1 })).count;
  },
  async create(request: StatuspageRequest) {
    const input = { ...readInput(request), format: 'STATUSPAGE' };
    const { webhook } = await request.run<Payload>(CreateWebhook, { page: request.path.page, input });
    return renderOne(request, webhook);
  },
  async retrieve(request: StatuspageRequest) {
    return renderOne(request, await readWebhook(request));
  },
  async update(request: StatuspageRequest) {
    const input = readInput(request);
    return renderOne(request, (await request.run<Payload>(UpdateWebhook, { ...toPath(request), input })).webhook);
  },
  async delete(request: StatuspageRequest) {
    const rendered = await renderOne(request, await readWebhook(request));
    await request.run(DeleteWebhook, toPath(request));
    return rendered;
  },
};
