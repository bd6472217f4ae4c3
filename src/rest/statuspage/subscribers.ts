import { toInternationalNumber } from '../../i18n/phone-countries.js';
import { Fields, pagingNames } from './fields.js';
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
  query ListStatuspageSubscribers($page: ID!, $filter: SubscriberFilter, $number: Int, $perPage: Int) {
    result: subscribers(pageId: $page, filter: $filter, page: $number, perPage: $perPage) {
      nodes { ...StatuspageSubscriber }
    }
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
  ListSubscribers,
  RetrieveSubscriber,
  CreateSubscriber,
  UpdateSubscriber,
  DeleteSubscriber,
];

const fieldNames = ['email', 'phone_number', 'phone_country', 'component_ids', 'skip_confirmation_notification'];

const types = { email: 'email', sms: 'phoneNumber' } as const;
const states = { active: { suspendedAt: { blank: true } }, quarantined: { suspendedAt: { present: true } }, all: {} };

/** `q` is a part of a number, or of an e-mail address. */
function readFilter(fields: Fields): object {
  const text = fields.text('q') || undefined;
  const isNumber = text !== undefined && /^[+\d\s()-]+$/.test(text);
  const type = fields.choice('type', types);
  const present = (field: string) => type === field || undefined;
  return {
    ...fields.choice('state', states),
    email: { present: present('email'), cont: isNumber ? undefined : text },
    phoneNumber: { present: present('phoneNumber'), cont: isNumber ? text.replace(/[\s()-]/g, '') : undefined },
  };
}

function readInput({ input, warnings }: StatuspageRequest) {
  const fields = new Fields(input);
  if (fields.flag('skip_confirmation_notification') === false)
    warnings.add('skip_confirmation_notification was ignored: no confirmation is sent.');
  const email = fields.text('email');
  const number = fields.text('phone_number');
  const phoneNumber = number && toInternationalNumber(number, fields.text('phone_country') ?? '');
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
    method: 'GET',
    path: list,
    priority: 'list',
    query: [...pagingNames, 'q', 'type', 'state'],
    async handle({ path: { page }, query, run }) {
      const fields = new Fields(query);
      const { page: number, perPage } = fields.paging(0);
      const { nodes } = await run<{ nodes: SubscriberRecord[] }>(ListSubscribers, {
        page,
        number,
        perPage,
        filter: readFilter(fields),
      });
      return nodes.map(renderSubscriber);
    },
  },
  {
    method: 'POST',
    path: list,
    priority: 'write',
    record: 'subscriber',
    fields: fieldNames,
    isStrict: true,
    async handle(request) {
      const { page } = request.path;
      const { subscriber } = await request.run<Payload>(CreateSubscriber, { page, input: readInput(request) });
      return renderSubscriber(subscriber);
    },
  },
  {
    method: 'GET',
    path: item,
    priority: 'read',
    async handle({ path: { page, id }, run }) {
      return renderSubscriber(await run<SubscriberRecord>(RetrieveSubscriber, { page, id }));
    },
  },
  {
    method: 'PATCH',
    path: item,
    priority: 'write',
    record: 'subscriber',
    fields: fieldNames,
    async handle(request) {
      const { page, id } = request.path;
      const { subscriber } = await request.run<Payload>(UpdateSubscriber, { page, id, input: readInput(request) });
      return renderSubscriber(subscriber);
    },
  },
  {
    method: 'DELETE',
    path: item,
    priority: 'write',
    async handle({ path: { page, id }, run }) {
      const record = await run<SubscriberRecord>(RetrieveSubscriber, { page, id });
      await run(DeleteSubscriber, { page, id });
      return renderSubscriber(record);
    },
  },
];
