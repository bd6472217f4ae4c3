import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createComponent, createPage } from '../../support/factories.js';
import { type TestService, useOwnService } from '../../support/service.js';

/** How reads compile to statements: faults that only show in the cost, or only in the second request. */
const service = useOwnService();
let page: string;
let notice: string;
beforeAll(async () => {
  page = (await createPage(service)).id;
  const component = (await createComponent(service, `/v1/pages/${page}`)).id;
  const opened = await service.post(`/v1/pages/${page}/notices`, {
    type: 'unplanned',
    subject: 'Slow',
    initial_comment: 'First',
    component_ids: [component],
  });
  notice = opened.json.response.id;
  await service.post(`/v1/pages/${page}/notices/${notice}/updates`, { content: 'Second' });
});

describe('the statement of a list of notices', () => {
  const statements: string[] = [];
  let read: TestService['database']['read'];
  beforeEach(() => {
    read = service.database.read;
    statements.length = 0;
    service.database.read = (text, values) => {
      statements.push(text);
      return read(text, values);
    };
  });
  afterEach(() => {
    service.database.read = read;
  });

  const timesRead = (table: string) => statements.join().split(`from ${table} `).length - 1;

  test('reads related records once, not once per type of notice', async () => {
    const response = await service.get(`/v1/pages/${page}/notices?include=updates,components`);
    expect(response.json.response[0]).toMatchObject({
      updates: [{ content: 'First' }, { content: 'Second' }],
      components: [{ name: 'API' }],
    });
    expect(statements).toHaveLength(1);
    expect([timesRead('notice_update'), timesRead('notice_component')]).toEqual([1, 1]);
  });

  test.each([
    ['/v1', () => service.get(`/v1/pages/${page}/notices?include=updates`)],
    [
      'GraphQL',
      () =>
        service.graphql('query ($page: ID!) { notices(pageId: $page) { nodes { updates { nodes { link } } } } }', {
          page,
        }),
    ],
  ])('reads no notice again for the links of its updates in %s', async (_, send) => {
    const { link } = (await service.get(`/v1/pages/${page}/notices/${notice}`)).json.response;
    statements.length = 0;
    expect((await send()).text).toContain(`"${link}#update-`);
    expect(timesRead('notice')).toBe(1);
  });

  test('reads the notice for the link of an update alone', async () => {
    const { link } = (await service.get(`/v1/pages/${page}/notices/${notice}`)).json.response;
    const [update] = (await service.get(`/v1/pages/${page}/notices/${notice}/updates`)).json.response;
    expect(update.link).toBe(`${link}#update-${update.id}`);
  });

  test('reads filtered related records once, too', async () => {
    const response = await service.get(`/v1/pages/${page}/notices?include=updates&filter[updates][content_eq]=Second`);
    expect(response.json.response[0].updates).toMatchObject([{ content: 'Second' }]);
    expect(timesRead('notice_update')).toBe(1);
  });

  test('reads related records per type of notice if the selections differ', async () => {
    const query = `query ($page: ID!) {
      notices(pageId: $page) { nodes { ... on UnplannedNotice { updates { nodes { content } } } ... on PlannedNotice { updates { nodes { id } } } } }
    }`;
    const response = await service.graphql(query, { page });
    expect(response.json.data.notices.nodes).toEqual([
      { updates: { nodes: [{ content: 'First' }, { content: 'Second' }] } },
    ]);
    expect(timesRead('notice_update')).toBe(2);
  });
});

test('the selection of related records can differ per type of notice', async () => {
  const window = { begins_at_date: '2099-03-14', begins_at_time: '22:00:00', duration_in_minutes: 90 };
  await service.post(`/v1/pages/${page}/notices`, {
    type: 'planned',
    subject: 'Upgrade',
    initial_comment: 'Soon',
    ...window,
  });
  const query = `query ($page: ID!) {
    notices(pageId: $page, filter: { subject: { in: ["Slow", "Upgrade"] } }) { nodes { updates(first: 1) { nodes { content } } ... on PlannedNotice { updates(first: 1) { nodes { isPublished } } } } }
  }`;
  const response = await service.graphql(query, { page });
  expect(response.json.data.notices.nodes).toEqual([
    { updates: { nodes: [{ content: 'Soon', isPublished: false }] } },
    { updates: { nodes: [{ content: 'First' }] } },
  ]);
});

test('a compiled selection is not reused for other arguments', async () => {
  const query = `query ($page: ID!, $filter: NoticeUpdateFilter, $first: Int) {
    notices(pageId: $page, filter: { subject: { eq: "Slow" } }) { nodes { updates(filter: $filter, first: $first) { nodes { content } } } }
  }`;
  const contents = async (variables: object) =>
    (await service.graphql(query, { page, ...variables })).json.data.notices.nodes[0].updates.nodes.map(
      (update: { content: string }) => update.content,
    );
  for (let time = 0; time < 2; time++) {
    expect(await contents({})).toEqual(['First', 'Second']);
    expect(await contents({ filter: { content: { eq: 'Second' } } })).toEqual(['Second']);
    expect(await contents({ first: 1 })).toEqual(['First']);
    expect(await contents({ filter: null, first: null })).toEqual(['First', 'Second']);
  }
});

test('a compiled selection of a token is not reused for an anonymous caller', async () => {
  await service.database.query(
    `update notice set state = 'resolved', ended_at = now() - interval '8 days' where id = $1`,
    [notice],
  );
  const query = `query ($page: ID!) { page(id: $page) { notices(filter: { subject: { eq: "Slow" } }) { nodes { subject } } } }`;
  const subjects = async (token?: null) =>
    (await service.graphql(query, { page }, { token })).json.data.page.notices.nodes;
  for (let time = 0; time < 2; time++) {
    expect(await subjects()).toEqual([{ subject: 'Slow' }]);
    expect(await subjects(null)).toEqual([]);
  }
});

test.each([1, 127, 128, 200, 65_536])('version %i of a record is returned unchanged', async version => {
  const update = 'update page set version = $1, change_count = change_count + 1 where id = $2';
  await service.database.query(update, [version, page]);
  const response = await service.get(`/v1/pages/${page}`);
  expect(response.headers.get('etag')).toMatch(new RegExp(`^"${version}\\.`));
});
