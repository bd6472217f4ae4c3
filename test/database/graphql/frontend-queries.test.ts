import { beforeAll, describe, expect, test } from '@jest/globals';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

/** What a frontend sends in its first hours, with what it must get. Its page has more of all than a list has by default. */
const service = useService();
let page: { id: string; path: string };
let leaf: string;
let notice: string;
beforeAll(async () => {
  page = await createPage(service, { name: 'Meridian Freight' });
  const root = String((await createComponent(service, page.path, { name: 'API' })).id);
  const middle = String((await createComponent(service, page.path, { name: 'Bookings', parent_id: root })).id);
  leaf = String((await createComponent(service, page.path, { name: 'Quotes', parent_id: middle })).id);
  for (let index = 0; index < 27; index++) await createComponent(service, page.path, { name: `Other ${index}` });
  for (const text of ['One', 'Two'])
    notice = String((await createNotice(service, page.path, { subject: text, initial_comment: `Is **${text}**` })).id);
});

const ask = async (query: string, variables: object = {}, token: string | null = null) =>
  (await service.graphql(query, { page: page.id, ...variables }, { token })).json;
const write = (query: string, variables: object = {}) => ask(query, variables, service.tokens.write);

describe('an answer', () => {
  test('has all records but the one that is missing', async () => {
    const { data, errors } = await ask(`{ a: notice(id: "999999") { id } b: notice(id: "${notice}") { id } }`);
    expect(data).toEqual({ a: null, b: { id: notice } });
    expect(errors).toMatchObject([{ path: ['a'], extensions: { code: 'NOT_FOUND', path: ['id'] } }]);
  });

  test('has what is open beside what is refused', async () => {
    const { data, errors } = await ask(
      'query($page: ID!) { page(id: $page) { name } pages { totalCount } notices(pageId: $page, first: 101) { totalCount } }',
    );
    expect(data).toEqual({ page: { name: 'Meridian Freight' }, pages: null, notices: null });
    expect(errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toEqual([
      'UNAUTHENTICATED',
      'BAD_REQUEST',
    ]);
  });

  test('names the field that requires more than the rest', async () => {
    const { errors } = await ask('query($page: ID!) { page(id: $page) { name subscribers { nodes { id } } } }');
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED', path: ['page', 'subscribers'] } }]);
  });
});

describe('a list', () => {
  test('says that there is more than it has', async () => {
    const { data } = await ask(
      'query($page: ID!) { page(id: $page) { components { nodes { id } totalCount pageInfo { hasNextPage } } } }',
    );
    const { nodes, ...rest } = data.page.components;
    expect([nodes.length, rest]).toEqual([25, { totalCount: 30, pageInfo: { hasNextPage: true } }]);
  });

  test('can be as deep as the tree', async () => {
    const { data, errors } = await ask(
      'query($page: ID!) { page(id: $page) { components { nodes { name children { nodes { children { nodes { name } } } } } } } }',
    );
    expect(errors).toBeUndefined();
    expect(data.page.components.nodes[0]).toEqual({
      name: 'API',
      children: { nodes: [{ children: { nodes: [{ name: 'Quotes' }] } }] },
    });
  });

  test('of open notices has their state, their latest update and their number, without fragments', async () => {
    const { data } = await ask(
      'query($page: ID!) { page(id: $page) { openNoticesCount notices { nodes { state latestUpdate { contentHtml contentText } } } } }',
    );
    expect(data.page.openNoticesCount).toBe(2);
    expect(data.page.notices.nodes[0]).toEqual({
      state: 'INVESTIGATING',
      latestUpdate: { contentHtml: '<p>Is <strong>Two</strong></p>', contentText: 'Is Two' },
    });
  });
});

test('what the public page shows is there: its address, its banner, the days of components', async () => {
  const { data, errors } = await ask(
    `query($page: ID!) { viewer { kind }
      page(id: $page) { url banner { status } components(first: 1) { nodes { history(days: 2) { status notices { id } } } } } }`,
  );
  expect(errors).toBeUndefined();
  expect(data.viewer).toEqual({ kind: 'ANONYMOUS' });
  expect(data.page).toMatchObject({ url: expect.stringContaining(page.id), banner: { status: 'DEGRADED' } });
  expect(data.page.components.nodes[0].history).toHaveLength(2);
});

describe('a refusal of an input', () => {
  const userErrors = async (field: string, input: object) => {
    const type = `${field[0]!.toUpperCase()}${field.slice(1)}Input`;
    const { data } = await write(
      `mutation($page: ID!, $input: ${type}!) { ${field}(pageId: $page, input: $input) { notice { id } userErrors { path code } } }`,
      { input: { subject: 'X', shouldPublish: false, ...input } },
    );
    expect(data[field].notice).toBeNull();
    return data[field].userErrors;
  };

  test('says which value it is about, by its index, and why', async () => {
    const window = { beginsAt: '2031-01-02T10:00:00Z', endsAt: '2031-01-01T10:00:00Z' };
    expect(await userErrors('scheduleMaintenance', { ...window, componentIds: [leaf, 'x'] })).toEqual([
      { path: ['input', 'endsAt'], code: 'BEFORE_START' },
      { path: ['input', 'componentIds', '1'], code: 'NOT_FOUND' },
    ]);
    expect(await userErrors('openIncident', { subject: ' ' })).toEqual([{ path: ['input', 'subject'], code: 'BLANK' }]);
  });

  test.each([
    [
      'a state of another type',
      'state: SCHEDULED, shouldPublish: false',
      '"SCHEDULED" does not exist in "IncidentState"',
    ],
    [
      'the window of a maintenance',
      'beginsAt: "2031-01-01T10:00:00Z", shouldPublish: false',
      '"beginsAt" is not defined',
    ],
    ['nothing about notifications', 'subject: "X"', 'shouldPublish" of required type "Boolean!" was not provided'],
  ])('of an incident with %s comes before anything is written', async (_, input, message) => {
    const { errors } = await write(
      `mutation($page: ID!) { openIncident(pageId: $page, input: { ${input} }) { notice { id } } }`,
    );
    expect(JSON.stringify(errors)).toContain(JSON.stringify(message).slice(1, -1));
  });

  test('of a filter has the words of GraphQL', async () => {
    const ids = Array.from({ length: 1_001 }, String);
    const { errors } = await ask(
      'query($page: ID!, $ids: [ID!]) { notices(pageId: $page, filter: { id: { in: $ids } }) { totalCount } }',
      { ids },
    );
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST', path: ['filter', 'id', 'in'] } }]);
    expect(errors[0].message).not.toMatch(/_in\b/);
  });

  test('at another version brings the current one', async () => {
    const { errors } = await write(
      'mutation($page: ID!) { updatePage(id: $page, ifVersion: 99, input: { name: "X" }) { page { id } } }',
    );
    expect(errors).toMatchObject([{ extensions: { code: 'PRECONDITION_FAILED', currentVersion: expect.any(Number) } }]);
  });
});

test('many previews in one document are refused for their cost, which is named', async () => {
  const fields = Array.from({ length: 11 }, (_, index) => `a${index}: ${preview} { event }`);
  const { errors } = await write(`query($page: ID!) { ${fields.join(' ')} }`);
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST', cost: expect.any(Number), limit: 100_000 } }]);
});

const preview = 'previewPublication(pageId: $page, input: { openIncident: { subject: "X", shouldPublish: true } })';

test('the changes of two previews stay apart in a cache: a change is no component, but has one', async () => {
  const { data } = await write(`query($page: ID!) { ${preview} { components { before after component { id } } } }`);
  expect(data.previewPublication.components).toEqual([]);
});

test('a deleted update brings its notice as it is then', async () => {
  const made = await write(
    `mutation { createNoticeUpdate(noticeId: "${notice}", input: { content: "Wrong", shouldPublish: false }) { update: noticeUpdate { id } } }`,
  );
  const { data } = await write(
    `mutation { deleteNoticeUpdate(id: "${made.data.createNoticeUpdate.update.id}") { deletedId notice { id latestUpdate { contentText } } } }`,
  );
  expect(data.deleteNoticeUpdate.notice).toEqual({ id: notice, latestUpdate: { contentText: 'Is Two' } });
});

test('the headers of clients pass a preflight, and the answer is compressed', async () => {
  const wanted = 'apollographql-client-name,apollographql-client-version,traceparent,x-request-id';
  const preflight = await service.call('OPTIONS', '/graphql', {
    token: null,
    headers: { origin: 'https://a.example', 'access-control-request-headers': wanted },
  });
  const allowed = preflight.headers.get('access-control-allow-headers')!.toLowerCase();
  for (const name of wanted.split(',')) expect(allowed).toContain(name);
  const query = '{ __schema { types { name description } } }';
  const { headers } = await service.graphql(query, {}, { token: null, headers: { 'accept-encoding': 'gzip' } });
  expect(headers.get('content-encoding')).toBe('gzip');
});

test('introspection may be deeper than graphql-js asks it', async () => {
  const nest = (levels: number): string => (levels ? `ofType { name ${nest(levels - 1)} }` : '');
  const { errors } = await ask(`{ __schema { types { fields { type { name ${nest(10)} } } } } }`);
  expect(errors).toBeUndefined();
});
