import { beforeAll, expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();
let page: string;
beforeAll(async () => {
  page = (await createPage(service, { name: 'Attacked' })).id;
  for (const name of ['c0', 'c1']) await service.post(`/v1/pages/${page}/components`, { name });
  await service.post(`/v1/pages/${page}/notices`, { subject: 'n0' });
});

test.each(['r', 'a', 'p', 'f', 'k', 's', 'l', 'e', 't1', 'p0', 'total', 'j', 'n', 'kind'])(
  'an alias named %s works like any other',
  async alias => {
    const query = `query($page: ID!) {
    one: page(id: $page) { ${alias}: name }
    list: components(pageId: $page) { nodes { ${alias}: name } edges { ${alias}: cursor node { ${alias}: name } } ${alias}: totalCount pageInfo { ${alias}: hasNextPage } }
    own: notices(pageId: $page) { ${alias}: nodes { ${alias}: subject } }
  }`;
    const { json } = await service.graphql(query, { page });
    expect(json.errors).toBeUndefined();
    expect(json.data.one).toEqual({ [alias]: 'Attacked' });
    expect(json.data.list.nodes).toEqual([{ [alias]: 'c0' }, { [alias]: 'c1' }]);
    expect(json.data.list.edges).toEqual(
      ['c0', 'c1'].map(name => ({ [alias]: expect.any(String), node: { [alias]: name } })),
    );
    expect(json.data.list).toMatchObject({ [alias]: 2, pageInfo: { [alias]: false } });
    expect(json.data.own).toEqual({ [alias]: [{ [alias]: 'n0' }] });
  },
);

test('an order that repeats a field a thousand times counts it once', async () => {
  const query =
    'query($page: ID!, $order: [ComponentOrder!], $after: String) { components(pageId: $page, orderBy: $order, after: $after, first: 1) { nodes { name } pageInfo { endCursor } } }';
  const order = [...Array(1_000).fill({ field: 'NAME', direction: 'DESC' }), { field: 'NAME', direction: 'ASC' }];
  const first = await service.graphql(query, { page, order });
  expect(first.json.data.components.nodes).toEqual([{ name: 'c1' }]);
  const second = await service.graphql(query, { page, order, after: first.json.data.components.pageInfo.endCursor });
  expect(second.json.data.components.nodes).toEqual([{ name: 'c0' }]);
});

test.each(['1', 'Jan 1', '+275760-01-01T00:00:00Z', '-000001-01-01T00:00:00Z'])(
  'a cursor with the time %s is refused',
  async time => {
    const after = Buffer.from(JSON.stringify([time, 1])).toString('base64');
    const { json } = await service.graphql(
      'query($page: ID!, $after: String) { components(pageId: $page, orderBy: [{ field: CREATED_AT }], after: $after) { totalCount } }',
      { page, after },
    );
    expect(json.errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
  },
);

test('an invalid base64 value of half a million blanks is refused', async () => {
  const { json } = await service.graphql(
    'mutation($zip: Bytes!) { setTheme(pageId: "x", input: { zip: $zip }) { __typename } }',
    {
      zip: `${' '.repeat(500_000)}!`,
    },
  );
  expect(json.errors).toHaveLength(1);
});

test('a list of 100,000 invalid members gets a bounded number of errors', async () => {
  const filter = { name: { in: Array(100_000).fill(1) } };
  const { json } = await service.graphql(
    'query($page: ID!, $filter: ComponentFilter) { components(pageId: $page, filter: $filter) { totalCount } }',
    {
      page,
      filter,
    },
  );
  expect(json.errors.length).toBeLessThanOrEqual(51);
});

test.each(['false', '0', '""', 'null', '[]'])('a body of %s is refused with status 400', async body => {
  const response = await service.call('POST', '/graphql', { body, headers: { 'content-type': 'application/json' } });
  expect(response.status).toBe(400);
  expect(response.text).not.toContain('ctx.');
});

test.each(['constructor', 'toString', '__proto__', 'valueOf'])('%s is not a boolean', async word => {
  const written = await service.call('PATCH', `/v1/pages/${page}`, { form: `visible_to_search=${word}` });
  expect([written.status, written.json.messages]).toEqual([
    422,
    { visible_to_search: ['is not included in the list'] },
  ]);
  expect((await service.get(`/v1/pages?filter[visible_to_search_eq]=${word}`)).status).toBe(400);
});

test('a pattern longer than a thousand characters is refused', async () => {
  const response = await service.get(`/v1/pages/${page}/components?filter[description_cont]=${'-'.repeat(1_001)}`);
  expect([response.status, response.json.error]).toEqual([400, 'bad_request']);
});
