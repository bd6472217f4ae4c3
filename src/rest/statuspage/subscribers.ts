import { Fields } from './fields.js';
import type { StatuspageRequest, StatuspageRoute } from './route.js';

const StatuspageSubscriber = /* GraphQL */ `
  fragment StatuspageSubscriber on Subscriber { id email phoneNumber componentIds createdAt suspendedAt }`;

interface SubscriberRecord {
  id: number;
  email: string | null;
  phoneNumber: string | null;
  componentIds: number[];
  createdAt: string;
  suspendedAt: string | null;
}

const renderSubscriber = (record: SubscriberRecord) => ({
  id: String(record.id),
  mode: record.email === null ? 'sms' : 'email',
  email: record.email,
  phone_number: record.phoneNumber,
  phone_country: null,
  display_phone_number: record.phoneNumber,
  skip_confirmation_notification: true,
  components: record.componentIds.map(String),
  quarantined_at: record.suspendedAt,
  purge_at: null,
  created_at: record.createdAt,
});

const ListSubscribers = /* GraphQL */ `
  query ListStatuspageSubscribers($page: ID!, $number: Int, $perPage: Int) {
    result: subscribers(pageId: $page, page: $number, perPage: $perPage) { nodes { ...StatuspageSubscriber } }
  }
  ${StatuspageSubscriber}`;

const RetrieveSubscriber = /* GraphQL */ `
  query RetrieveStatuspageSubscriber($page: ID!, $id: ID!) {
    result: subscriber(pageId: $page, id: $id) { ...StatuspageSubscriber }
  }
  ${StatuspageSubscriber}`;

const CreateSubscriber = /* GraphQL */ `
  mutation CreateStatuspageSubscriber($page: ID!, $input: CreateSubscriberInput!) {
    result: createSubscriber(pageId: $page, input: $input) { subscriber { ...StatuspageSubscriber } }
  }
  ${StatuspageSubscriber}`;

const UpdateSubscriber = /* GraphQL */ `
  mutation UpdateStatuspageSubscriber($page: ID!, $id: ID!, $input: UpdateSubscriberInput!) {
    result: updateSubscriber(pageId: $page, id: $id, input: $input) { subscriber { ...StatuspageSubscriber } }
  }
  ${StatuspageSubscriber}`;

const DeleteSubscriber = /* GraphQL */ `
  mutation DeleteStatuspageSubscriber($page: ID!, $id: ID!) {
    result: deleteSubscriber(pageId: $page, id: $id) { id }
  }`;

export const subscriberDocuments = [
  ...[ListSubscribers, RetrieveSubscriber, CreateSubscriber, UpdateSubscriber, DeleteSubscriber],
];

function readInput({ input }: StatuspageRequest) {
  const fields = new Fields(input);
  const email = fields.text('email');
  const phoneNumber = fields.text('phone_number');
  const componentIds = fields.list('component_ids');
  return {
    ...(email !== undefined && { email }),
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(componentIds !== undefined && { componentIds }),
  };
}

interface Payload {
  subscriber: SubscriberRecord;
}

const list = '/pages/:page/subscribers';
const item = `${list}/:id`;

export const subscriberRoutes: readonly StatuspageRoute[] = [
  {
    ...{ method: 'GET', path: list, priority: 'list' },
    async handle({ path: { page }, query, run }) {
      const { page: number, perPage } = new Fields(query).paging();
      const { nodes } = await run<{ nodes: SubscriberRecord[] }>(ListSubscribers, { page, number, perPage });
      return nodes.map(renderSubscriber);
    },
  },
  {
    ...{ method: 'POST', path: list, priority: 'write', record: 'subscriber' },
    async handle(request) {
      const { page } = request.path;
      const { subscriber } = await request.run<Payload>(CreateSubscriber, { page, input: readInput(request) });
      return renderSubscriber(subscriber);
    },
  },
  {
    ...{ method: 'GET', path: item, priority: 'read' },
    async handle({ path: { page, id }, run }) {
      return renderSubscriber(await run<SubscriberRecord>(RetrieveSubscriber, { page, id }));
    },
  },
  {
    ...{ method: 'PATCH', path: item, priority: 'write', record: 'subscriber' },
    async handle(request) {
      const { page, id } = request.path;
      const { subscriber } = await request.run<Payload>(UpdateSubscriber, { page, id, input: readInput(request) });
      return renderSubscriber(subscriber);
    },
  },
  {
    ...{ method: 'DELETE', path: item, priority: 'write' },
    async handle({ path: { page, id }, run }) {
      const record = await run<SubscriberRecord>(RetrieveSubscriber, { page, id });
      await run(DeleteSubscriber, { page, id });
      return renderSubscriber(record);
    },
  },
];
