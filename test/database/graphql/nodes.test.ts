import { beforeAll, describe, expect, test } from '@jest/globals';
import { createGraphqlRecords, execute, type GraphqlRecords } from '../../support/graphql-records.js';
import { useOwnService } from '../../support/service.js';

/** The global identity of records, as Relay expects it. */
const service = useOwnService();
let records: GraphqlRecords;
let ids: Record<string, string>;
beforeAll(async () => {
  records = await createGraphqlRecords(service);
  const query = `{
    page(id: "${records.page}") { nodeId brand { nodeId }
      notices { nodes { __typename nodeId updates { nodes { nodeId } } } }
      components { nodes { nodeId } } subscribers { nodes { nodeId } } noticeTemplates { nodes { __typename nodeId } } } }`;
  const { page } = await execute(service, query);
  const byType = (name: string) =>
    [...page.notices.nodes, ...page.noticeTemplates.nodes].find(({ __typename }) => __typename === name).nodeId;
  ids = {
    Page: page.nodeId,
    Brand: page.brand.nodeId,
    Component: page.components.nodes[0].nodeId,
    UnplannedNotice: byType('UnplannedNotice'),
    PlannedNotice: byType('PlannedNotice'),
    GeneralNotice: byType('GeneralNotice'),
    NoticeUpdate: page.notices.nodes.find(({ updates }: { updates: { nodes: [] } }) => updates.nodes.length).updates
      .nodes[0].nodeId,
    PageTemplate: byType('PageTemplate'),
    ComponentTemplate: byType('ComponentTemplate'),
    Subscriber: page.subscribers.nodes[0].nodeId,
  };
});

const ask = async (query: string, variables: object = {}, token?: string | null) =>
  (await service.graphql(query, { ...variables }, token === undefined ? {} : { token })).json;
const toNodeId = (text: string) => Buffer.from(text).toString('base64url');
const unknown = [
  '',
  'x',
  '?',
  'Component',
  toNodeId('Component:'),
  toNodeId('Component:x'),
  toNodeId('Page:\0'),
].concat(
  [
    'Component:999999',
    'Component:99999999999999',
    'Page:ffffffff',
    'Attempt:1',
    'Membership:1',
    'Query:1',
    'constructor:1',
  ].map(toNodeId),
);

test('every record has its own id, whatever its type', () => {
  expect(new Set(Object.values(ids)).size).toBe(10);
  for (const id of Object.values(ids)) expect(id).toMatch(/^[\w-]+$/);
});

describe.each(['', ' __typename'])('a record is read by its nodeId%s', standard => {
  test('of every type, in the order asked, and null where there is none', async () => {
    const query = `query($ids: [ID!]!) { nodes(nodeIds: $ids) {
      __typename nodeId ... on Record { version } ... on Notice { subject } ... on PlannedNotice { beginsAt } ... on Component { parent { name } }
    }${standard} }`;
    const entries = Object.entries(ids).toReversed();
    const asked = [...entries.map(([, id]) => id), unknown[5]!, ids.Page!];
    const { data } = await ask(query, { ids: asked });
    expect(data.nodes.map((node: { nodeId: string } | null) => node?.nodeId ?? null)).toEqual([
      ...entries.map(([, id]) => id),
      null,
      ids.Page,
    ]);
    expect(data.nodes.slice(0, 10).map((node: { __typename: string }) => node.__typename)).toEqual(
      entries.map(([type]) => type),
    );
    const maintenance = data.nodes.find(({ __typename }: { __typename: string }) => __typename === 'PlannedNotice');
    expect(maintenance).toMatchObject({ subject: 'New disks', beginsAt: '2031-01-01T10:00:00.000Z', version: 1 });
  });

  test('alone, with what is below it', async () => {
    const query = `query($id: ID!) { node(nodeId: $id) { nodeId ... on Page { name components(first: 1) { totalCount } } }${standard} }`;
    expect((await ask(query, { id: ids.Page })).data.node).toEqual({
      nodeId: ids.Page,
      name: 'All Clear',
      components: { totalCount: 5 },
    });
  });

  test.each(unknown)('which is null for %j', async id => {
    expect(await ask(`query($id: ID!) { node(nodeId: $id) { nodeId }${standard} }`, { id })).toMatchObject({
      data: { node: null },
    });
  });
});

test('every deletion has the global id of what it deleted', async () => {
  const { page } = await createGraphqlRecords(service);
  const query = `{ page(id: "${page}") { nodeId
    components { nodes { id nodeId } } notices { nodes { id nodeId updates { nodes { id nodeId } } } }
    subscribers { nodes { id nodeId } } noticeTemplates { nodes { id nodeId } } } }`;
  const { page: before } = await execute(service, query);
  const update = before.notices.nodes.flatMap(({ updates }: { updates: { nodes: [] } }) => updates.nodes)[0];
  const deleted = async (mutation: string, { id, nodeId }: { id: string; nodeId: string }) => {
    const data = await execute(service, `mutation { ${mutation}(id: "${id}") { deletedNodeId } }`);
    expect(data[mutation]).toEqual({ deletedNodeId: nodeId });
    expect((await ask('query($id: ID!) { node(nodeId: $id) { nodeId } }', { id: nodeId })).data.node).toBeNull();
  };
  await deleted('deleteNoticeUpdate', update);
  await deleted('deleteNotice', before.notices.nodes[0]);
  await deleted('deleteComponent', before.components.nodes[0]);
  await deleted('deleteSubscriber', before.subscribers.nodes[0]);
  await deleted('deleteNoticeTemplate', before.noticeTemplates.nodes[0]);
  await deleted('deletePage', { id: page, nodeId: before.nodeId });
});

test('a selection that is read of two types is not mixed up', async () => {
  const query = 'query($id: ID!) { node(nodeId: $id) { nodeId ... on Component { name } ... on Page { locale } } }';
  for (let time = 0; time < 2; time++) {
    expect((await ask(query, { id: ids.Page })).data.node).toEqual({ nodeId: ids.Page, locale: 'en' });
    expect((await ask(query, { id: ids.Component })).data.node).toEqual({ nodeId: ids.Component, name: 'Website' });
  }
});

test('at most 100 records are read at once, and their number is the cost', async () => {
  const query = 'query($ids: [ID!]!) { nodes(nodeIds: $ids) { nodeId } }';
  const many = (length: number) => Array.from({ length }, () => ids.Page!);
  expect((await ask(query, { ids: many(100) })).data.nodes).toHaveLength(100);
  expect((await ask(query, { ids: many(101) })).errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
  const { json } = await service.graphql(query, { ids: many(7) }, { headers: { 'x-graphql-cost': '1' } });
  expect(json.extensions.cost.requested).toBe(7);
});

describe('without a token', () => {
  const query = 'query($id: ID!) { node(nodeId: $id) { nodeId } }';
  const readAs = async (mode: 'none' | 'page' | 'public', id: string) => {
    service.settings.anonymousReads = mode;
    const { data, errors } = await ask(query, { id }, null);
    service.settings.anonymousReads = 'public';
    return errors?.[0].extensions.code ?? data.node?.nodeId ?? null;
  };

  test.each([
    ['Page', 'page'],
    ['Component', 'page'],
    ['UnplannedNotice', 'page'],
    ['NoticeUpdate', 'public'],
    ['Brand', 'public'],
    ['Subscriber', 'never'],
    ['PageTemplate', 'never'],
  ])('a %s is read as by the query of its type', async (type, from) => {
    const id = ids[type]!;
    const refused = 'UNAUTHENTICATED';
    expect([await readAs('none', id), await readAs('page', id), await readAs('public', id)]).toEqual([
      refused,
      from === 'page' ? id : refused,
      from === 'never' ? refused : id,
    ]);
  });

  test('a field that requires a token is refused where the record has it, and only there', async () => {
    const text = 'query($id: ID!) { node(nodeId: $id) { nodeId ... on Page { reminder } } }';
    expect((await ask(text, { id: ids.Page }, null)).errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect((await ask(text, { id: ids.Component }, null)).data.node).toEqual({ nodeId: ids.Component });
  });

  test('a notice of the distant past and its updates are not found', async () => {
    const { noticeUpdates } = await execute(
      service,
      `{ noticeUpdates(pageId: "${records.page}", noticeId: ${records.notices.resolved}) { nodes { nodeId notice { nodeId } } } }`,
    );
    const [hidden] = noticeUpdates.nodes;
    const readAll = async (token?: null) =>
      Promise.all([hidden.nodeId, hidden.notice.nodeId].map(async id => (await ask(query, { id }, token)).data.node));
    await service.database.query(`update notice set ended_at = now() - interval '8 days' where id = $1`, [
      records.notices.resolved,
    ]);
    expect(await readAll(null)).toEqual([null, null]);
    expect(await readAll()).toEqual([{ nodeId: hidden.nodeId }, { nodeId: hidden.notice.nodeId }]);
  });
});
