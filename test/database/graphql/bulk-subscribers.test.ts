import { beforeEach, expect, test } from '@jest/globals';
import { createNodeId } from '../../../src/records/node-id.js';
import { countWritten } from '../../support/count-written.js';
import { createComponent, createPage, createSubscriber } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();
let page: { id: string; path: string };
let api: number;
let website: number;
beforeEach(async () => {
  page = await createPage(service, { name: 'Meridian Freight' });
  api = (await createComponent(service, page.path, { name: 'API' })).id;
  website = (await createComponent(service, page.path, { name: 'Website' })).id;
});

type Action = 'unsubscribeSubscribers' | 'deleteSubscribers' | 'updateSubscribers';
const run = async (action: Action, given: { filter: object; expectedCount: number; [choice: string]: unknown }) => {
  const { filter, expectedCount, ...input } = given;
  const isUpdate = action === 'updateSubscribers';
  const ids = action === 'deleteSubscribers' ? 'deletedIds deletedNodeIds' : 'ids nodeIds';
  const { json } = await service.graphql(
    `mutation ($page: ID!, $filter: SubscriberFilter!, $expectedCount: Int!${isUpdate ? ', $input: UpdateSubscribersInput!' : ''}) {
      result: ${action}(pageId: $page, filter: $filter, expectedCount: $expectedCount${isUpdate ? ', input: $input' : ''}) { count ${ids} userErrors { path message } }
    }`,
    { page: page.id, filter, expectedCount, ...(isUpdate && { input }) },
  );
  return json.errors?.[0] ?? json.data.result;
};
const readEmails = async (filter: object = {}) =>
  (
    await service.graphql(
      `query ($page: ID!, $filter: SubscriberFilter) {
        subscribers(pageId: $page, filter: $filter) { nodes { email } }
      }`,
      { page: page.id, filter },
    )
  ).json.data.subscribers.nodes.map(({ email }: { email: string }) => email);
const createMany = (count: number) =>
  service.database.query(
    `insert into subscriber (page_id, email, consent_source, confirmed_at, created_at, updated_at)
     select $1, n || '@many.example', 'test', clock_timestamp(), clock_timestamp(), clock_timestamp()
     from generate_series(1, $2::int) n`,
    [page.id, count],
  );
const readLog = async () =>
  (
    await service.graphql(
      `query ($page: ID!) { auditLog(pageId: $page, first: 1) {
        nodes { operation subjectLabel changes { field after } }
      } }`,
      { page: page.id },
    )
  ).json.data.auditLog.nodes[0];

test('unsubscribes those that match a filter, keeps their addresses, and adds one entry to the audit log', async () => {
  await createMany(1_240);
  await createSubscriber(service, page.path, { email: 'ada@other.example' });
  const filter = { email: { cont: '@many.example' } };
  const { count, ids, userErrors } = await run('unsubscribeSubscribers', { filter, expectedCount: 1_240 });
  expect([count, new Set(ids).size, userErrors]).toEqual([1_240, 1_240, []]);
  expect(await readEmails()).toEqual(['ada@other.example']);
  const [kept] = await service.database.query(
    'select count(*)::int as count from subscriber where page_id = $1 and unsubscribed_at is not null',
    [page.id],
  );
  expect(kept).toEqual({ count: 1_240 });
  expect(await readLog()).toEqual({
    operation: 'unsubscribeSubscribers',
    subjectLabel: 'Meridian Freight',
    changes: [
      { field: 'subscriberCount', after: '1240' },
      { field: 'filter', after: '{"email":{"cont":"@many.example"}}' },
    ],
  });
  const [entries] = await service.database.query(
    `select count(*)::int as count from audit_entry where page_id = $1 and operation = 'unsubscribeSubscribers'`,
    [page.id],
  );
  expect(entries).toEqual({ count: 1 });
});

test('deletes those with ids, and none of another page', async () => {
  const other = await createPage(service, { name: 'Other' });
  const elsewhere = await createSubscriber(service, other.path, { email: 'ada@elsewhere.example' });
  const ada = await createSubscriber(service, page.path, { email: 'ada@customer.example' });
  await createSubscriber(service, page.path, { email: 'bob@customer.example' });
  const filter = { id: { in: [ada.id, elsewhere.id] } };
  expect(await run('deleteSubscribers', { filter, expectedCount: 2 })).toMatchObject({
    message: 'The number of subscribers that match is 1, not 2.',
    extensions: { code: 'PRECONDITION_FAILED', path: ['expectedCount'], currentCount: 1 },
  });
  expect(await readEmails()).toHaveLength(2);
  expect(await run('deleteSubscribers', { filter, expectedCount: 1 })).toMatchObject({
    count: 1,
    deletedIds: [String(ada.id)],
    deletedNodeIds: [createNodeId('Subscriber', ada.id)],
  });
  expect(await readEmails()).toEqual(['bob@customer.example']);
});

test('adds and removes components of those who chose some, and leaves those of everything as they are', async () => {
  await createSubscriber(service, page.path, { email: 'all@customer.example' });
  await createSubscriber(service, page.path, { email: 'api@customer.example', component_ids: [api] });
  await createSubscriber(service, page.path, { email: 'both@customer.example', component_ids: [api, website] });
  const change = { addComponentIds: [website], removeComponentIds: [api] };
  expect(await run('updateSubscribers', { filter: {}, expectedCount: 3, ...change })).toMatchObject({ count: 2 });
  expect(await readEmails({ components: { id: { eq: api } } })).toEqual([]);
  expect(await readEmails({ components: { id: { eq: website } } })).toEqual([
    'api@customer.example',
    'both@customer.example',
  ]);
  expect(await run('updateSubscribers', { filter: {}, expectedCount: 3, ...change })).toMatchObject({ count: 0 });
  expect(await readEmails({ forComponent: api })).toEqual(['all@customer.example']);
  const unknown = await run('updateSubscribers', { filter: {}, expectedCount: 3, addComponentIds: ['0'] });
  expect(unknown.userErrors).toEqual([
    {
      path: ['input', 'addComponentIds', '0'],
      message: '`addComponentIds.0` must be the id of a component of the page, not "0".',
    },
  ]);
});

test('exports those that match a filter as CSV', async () => {
  await createSubscriber(service, page.path, { email: 'ada@customer.example' });
  await createSubscriber(service, page.path, { email: 'bob@other.example' });
  const { json } = await service.graphql(
    'query ($page: ID!, $filter: SubscriberFilter) { page(id: $page) { subscribersCsv(filter: $filter) } }',
    { page: page.id, filter: { email: { cont: 'customer' } } },
  );
  expect(json.data.page.subscribersCsv).toContain('ada@customer.example');
  expect(json.data.page.subscribersCsv).not.toContain('bob@other.example');
});

test('writes and deletes at most 2,000 rows at a time, with the components that subscribers choose', async () => {
  await createMany(10);
  const components = await service.database.query<{ id: number }>(
    `insert into component (page_id, name, position, created_at, updated_at)
     select $1, 'Region ' || n, n, clock_timestamp(), clock_timestamp() from generate_series(1, 600) n returning id`,
    [page.id],
  );
  await service.database.query('update subscriber set chose_components = true where page_id = $1', [page.id]);
  const all = { filter: { email: { cont: '@many.example' } }, expectedCount: 10 };
  const addComponentIds = components.map(({ id }) => String(id));
  const added = await countWritten(service, 'subscriber_component', 'insert', () =>
    run('updateSubscribers', { ...all, addComponentIds }),
  );
  expect(added).toEqual([1_800, 1_800, 1_800, 600]);
  const deleted = await countWritten(service, 'subscriber', 'delete', () => run('deleteSubscribers', all));
  expect(deleted).toEqual([3, 3, 3, 1]);
});

test('refuses more than a million components for all subscribers together', async () => {
  const addComponentIds = Array.from({ length: 101 }, (_, index) => String(index + 1));
  const { message } = await run('updateSubscribers', { filter: {}, expectedCount: 10_000, addComponentIds });
  expect(message).toBe(
    '10000 subscribers times 101 components are more than 1000000. Send fewer components or subscribers at once.',
  );
});

test('lists as CSV have 16 million characters in a response, and are read in batches', async () => {
  const createLong = (count: number) =>
    service.database.query(
      `insert into subscriber (page_id, email, tag_list, consent_source, confirmed_at, created_at, updated_at)
       select $1, n || '@long.example', array_fill(repeat('x', 249), array[100]), 'test', clock_timestamp(),
         clock_timestamp(), clock_timestamp()
       from generate_series(1, $2::int) n`,
      [page.id, count],
    );
  const ask = async (fields: string, variables = {}) =>
    (await service.graphql(`query ($page: ID!) { page(id: $page) { ${fields} } }`, { page: page.id, ...variables }))
      .json;
  await createLong(330);
  await createMany(2);
  const lines = (await ask('csv: subscribersCsv')).data.page.csv.trimEnd().split('\r\n');
  expect(lines).toHaveLength(333);
  const emails = Array.from({ length: 330 }, (_, index) => `${index + 1}@long.example`);
  expect(lines.slice(1).map((line: string) => line.split(',')[0])).toEqual([
    ...emails,
    '1@many.example',
    '2@many.example',
  ]);
  const { errors, data } = await ask('a: subscribersCsv b: subscribersCsv c: subscribersCsv');
  expect(errors[0]).toMatchObject({
    message: 'The list is too long. Ask for fewer subscribers at once, by a filter.',
    extensions: { code: 'BAD_REQUEST' },
  });
  expect(data?.page ?? null).toBeNull();
});
