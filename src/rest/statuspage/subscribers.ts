import { invalid } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { toInternationalNumber } from '../../i18n/phone-countries.js';
import { Fields, pagingNames } from './fields.js';
import type { StatuspageRequest, StatuspageRoute } from './route.js';
import { webhookSubscribers, isWebhook } from './webhook-subscribers.js';

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

const renderSubscriber = (page: string, record: SubscriberRecord) => ({
  id: String(record.id),
  page_id: page,
  mode: record.email === null ? 'sms' : 'email',
  email: record.email,
  phone_number: record.phoneNumber,
  endpoint: null,
  phone_country: null,
  display_phone_number: record.phoneNumber,
  skip_confirmation_notification: true,
  components: record.componentIds.map(String),
  quarantined_at: record.suspendedAt,
  purge_at: null,
  created_at: record.createdAt,
});

const ListSubscribers = /* GraphQL */ `
  query ListStatuspageSubscribers(
    $page: ID!, $filter: SubscriberFilter, $order: [SubscriberOrder!], $number: Int, $perPage: Int
  ) {
    result: subscribers(pageId: $page, filter: $filter, orderBy: $order, page: $number, perPage: $perPage) {
      nodes { ...StatuspageSubscriber }
    }
  }
  ${StatuspageSubscriber}`;

const CountSubscribers = /* GraphQL */ `
  query CountStatuspageSubscribers($page: ID!, $filter: SubscriberFilter) {
    result: subscribers(pageId: $page, filter: $filter) { count }
  }`;

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
    result: deleteSubscriber(pageId: $page, id: $id) { deletedId }
  }`;

export const subscriberDocuments = [
  ListSubscribers,
  CountSubscribers,
  RetrieveSubscriber,
  CreateSubscriber,
  UpdateSubscriber,
  DeleteSubscriber,
];

const fieldNames = [
  'email',
  'endpoint',
  'phone_number',
  'phone_country',
  'component_ids',
  'skip_confirmation_notification',
];

const types = { email: 'email', sms: 'phoneNumber', webhook: 'endpoint' } as const;
const states = { active: { suspendedAt: { blank: true } }, quarantined: { suspendedAt: { present: true } }, all: {} };

/** Of all who are not webhooks. `q` is a part of a number, or of an e-mail address. */
function readFilter(fields: Fields, type = fields.choice('type', types)): object {
  const text = fields.text('q') || undefined;
  const isNumber = text !== undefined && /^[+\d\s()-]+$/.test(text);
  const present = (field: string) => type === field || undefined;
  return {
    ...fields.choice('state', states),
    email: { present: present('email'), cont: isNumber ? undefined : text },
    phoneNumber: { present: present('phoneNumber'), cont: isNumber ? text.replace(/[\s()-]/g, '') : undefined },
  };
}

const sortFields = ['primary', 'created_at', 'quarantined_at', 'relevance'];

/** Statuspage sorts by address unless it is asked otherwise. */
function readOrder(fields: Fields) {
  const field = fields.choice('sort_field', Object.fromEntries(sortFields.map(name => [name, name])));
  if (field && field !== 'created_at')
    fields.warn(`sort_field ${field} has no effect: subscribers are in the order of their creation.`);
  const direction = fields.choice('sort_direction', { asc: 'ASC', desc: 'DESC' }) ?? 'ASC';
  return [{ field: 'ID', direction }];
}

function readInput({ input, warnings }: StatuspageRequest) {
  const fields = new Fields(input);
  if (fields.flag('skip_confirmation_notification') === false)
    warnings.add('skip_confirmation_notification was ignored: no confirmation is sent.');
  const number = fields.text('phone_number');
  return {
    email: fields.text('email'),
    phoneNumber: number && toInternationalNumber(number, fields.text('phone_country') ?? ''),
    componentIds: fields.ids('component_ids'),
  };
}

const endpointOrNumber = problems.unusable('cannot stand beside endpoint: create a subscriber for each');

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
    query: [...pagingNames, 'q', 'type', 'state', 'sort_field', 'sort_direction'],
    async handle(request) {
      const { path, query, run, warnings } = request;
      const fields = new Fields(query);
      const order = readOrder(new Fields(query, warnings));
      const { page: number, perPage } = fields.paging(0);
      const { page } = path;
      const state = fields.choice('state', states);
      if (fields.choice('type', types) === 'endpoint')
        return webhookSubscribers.list(request, { filter: { ...state }, order, number, perPage });
      const { nodes } = await run<{ nodes: SubscriberRecord[] }>(ListSubscribers, {
        page,
        number,
        perPage,
        order,
        filter: readFilter(fields),
      });
      return nodes.map(record => renderSubscriber(page, record));
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
      const fields = new Fields(request.input);
      if (fields.text('endpoint')) {
        if (fields.text('phone_number')) throw invalid({ phone_number: [endpointOrNumber] });
        return webhookSubscribers.create(request);
      }
      const { subscriber } = await request.run<Payload>(CreateSubscriber, { page, input: readInput(request) });
      return renderSubscriber(page, subscriber);
    },
  },
  {
    method: 'GET',
    path: `${list}/count`,
    priority: 'list',
    query: ['type', 'state'],
    async handle(request) {
      const { path, query, run } = request;
      const fields = new Fields(query);
      const state = fields.choice('state', states);
      const type = fields.choice('type', types);
      const count = async (each: (typeof types)[keyof typeof types]) => {
        if (each === 'endpoint') return webhookSubscribers.count(request, { ...state });
        return (await run<{ count: number }>(CountSubscribers, { ...path, filter: readFilter(fields, each) })).count;
      };
      const chosen = Object.entries(types).filter(([, each]) => !type || each === type);
      return Object.fromEntries(await Promise.all(chosen.map(async ([name, each]) => [name, await count(each)])));
    },
  },
  {
    method: 'GET',
    path: item,
    priority: 'read',
    async handle(request) {
      const {
        path: { page, id },
        run,
      } = request;
      if (isWebhook(id)) return webhookSubscribers.retrieve(request);
      return renderSubscriber(page, await run<SubscriberRecord>(RetrieveSubscriber, { page, id }));
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
      const fields = new Fields(request.input, request.warnings);
      if (isWebhook(id)) {
        fields.ignore(['phone_number'], 'a subscriber with an endpoint has no number');
        return webhookSubscribers.update(request);
      }
      fields.ignore(['endpoint'], 'only a subscriber that was created with one has an endpoint');
      const { subscriber } = await request.run<Payload>(UpdateSubscriber, { page, id, input: readInput(request) });
      return renderSubscriber(page, subscriber);
    },
  },
  {
    method: 'DELETE',
    path: item,
    priority: 'write',
    async handle(request) {
      const {
        path: { page, id },
        run,
      } = request;
      if (isWebhook(id)) return webhookSubscribers.delete(request);
      const record = await run<SubscriberRecord>(RetrieveSubscriber, { page, id });
      await run(DeleteSubscriber, { page, id });
      return renderSubscriber(page, record);
    },
  },
];
