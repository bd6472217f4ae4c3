import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from '../../support/service.js';
import { execute, type GraphqlRecords, createGraphqlRecords, withPlainLists } from '../../support/graphql-records.js';

const service = useService();
let records: GraphqlRecords;
beforeAll(async () => {
  records = await createGraphqlRecords(service);
});

/** Sends a query whose `$page` is the page of the test records. */
const read = async (query: string, variables: Record<string, unknown> = {}) =>
  withPlainLists(await execute(service, `query ${query}`, { page: records.page, ...variables }));
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('a query for one record', () => {
  test('returns all fields of a page', async () => {
    const { page } = await read(`($page: ID!) { page(id: $page) {
      id name state timezone timezoneName supportEmail supportTelephone supportUrl isVisibleToSearch metaTitle metaDescription googleAnalyticsId timelineThresholdSeconds
      timelineSortOrder locale endpoint shouldSendNotificationsByEmail shouldSendNotificationsBySms shouldSendNotificationsBySlack
      shouldSendNotificationsByTeams shouldSendNotificationsByMastodon createdAt updatedAt version brand { colorStateOk } customDomain { cnameTarget } theme { createdAt } } }`);
    expect(page).toMatchObject({
      id: records.page,
      name: 'All Clear',
      state: 'DEGRADED',
      timezone: 'Etc/UTC',
      timezoneName: 'UTC',
      supportEmail: null,
      isVisibleToSearch: true,
      timelineThresholdSeconds: 259_200,
      timelineSortOrder: 'ASC',
      locale: 'en',
      endpoint: expect.stringMatching(new RegExp(`^${records.page}\\.`)),
      createdAt: timestamp,
      version: 1,
      brand: { colorStateOk: '#27ae60' },
      customDomain: null,
      theme: null,
    });
  });

  test('returns a component with ids as strings', async () => {
    const { component } = await read(
      '($page: ID!, $id: ID!) { component(pageId: $page, id: $id) { id parentId name state position description parent { id } } }',
      {
        id: records.components.cards,
      },
    );
    const checkout = records.components.checkout;
    expect(component).toEqual({
      id: records.components.cards,
      parentId: checkout,
      name: 'Cards',
      state: 'DEGRADED',
      position: 1,
      description: null,
      parent: { id: checkout },
    });
    expect(typeof component.id).toBe('string');
  });

  test('returns a template of the page, and one of a component', async () => {
    const query =
      '($page: ID!, $id: ID!) { noticeTemplate(pageId: $page, id: $id) { __typename id name subject content ... on ComponentTemplate { componentId component { name } } } }';
    expect((await read(query, { id: records.templates.page })).noticeTemplate).toEqual({
      __typename: 'PageTemplate',
      id: records.templates.page,
      name: 'Anything',
      subject: 'Something is wrong',
      content: null,
    });
    expect((await read(query, { id: records.templates.component })).noticeTemplate).toMatchObject({
      __typename: 'ComponentTemplate',
      componentId: records.components.cards,
      component: { name: 'Cards' },
    });
  });

  test('returns a brand, and a time zone by name or by tz database id', async () => {
    expect((await read('($page: ID!) { brand(pageId: $page) { colorBodyText } }')).brand).toEqual({
      colorBodyText: '#2c3e50',
    });
    const { a, b } = await read(
      '{ a: timezone(id: "London") { id name offset offsetMinutes } b: timezone(id: "Europe/London") { name } }',
    );
    expect(a).toEqual({ id: 'Europe/London', name: 'London', offset: '(GMT+00:00) London', offsetMinutes: 0 });
    expect(b.name).toBe('London');
  });

  test.each([
    ['page(id: "00000000") { id }', 'page', 'id'],
    ['notice(pageId: $page, id: 999999) { id }', 'notice', 'id'],
    ['notice(pageId: $page, id: "abc") { id }', 'notice', 'id'],
    ['notice(pageId: $page, id: "99999999999999999999") { id }', 'notice', 'id'],
    ['notice(pageId: "00000000", id: 1) { id }', 'page', 'pageId'],
    ['component(pageId: $page, id: 0) { id }', 'component', 'id'],
    ['noticeUpdate(pageId: $page, noticeId: 999999, id: 1) { id }', 'notice', 'noticeId'],
    ['noticeTemplate(pageId: $page, id: "nobody") { id }', 'notice template', 'id'],
    ['subscriber(pageId: $page, id: -1) { id }', 'subscriber', 'id'],
    ['customDomain(pageId: $page) { cnameTarget }', 'custom domain', 'pageId'],
    ['theme(pageId: $page) { createdAt }', 'theme', 'pageId'],
    ['timezone(id: "Atlantis") { name }', 'time zone', 'id'],
    ['notices(pageId: "00000000") { totalCount }', 'page', 'pageId'],
    ['noticeUpdates(pageId: $page, noticeId: 999999) { totalCount }', 'notice', 'noticeId'],
  ])('answers NOT_FOUND for a missing record, and names its argument: %s', async (field, word, argument) => {
    const { json } = await service.graphql(`query($page: ID!) { page(id: $page) { id } missing: ${field} }`, {
      page: records.page,
    });
    expect(json.errors).toEqual([
      expect.objectContaining({
        message: `We couldn't find the ${word} you were looking for.`,
        extensions: { code: 'NOT_FOUND', path: [argument] },
        path: ['missing'],
      }),
    ]);
  });

  test('answers NOT_FOUND for a record of another page', async () => {
    const { json } = await service.graphql(
      `{ notice(pageId: "${records.empty}", id: ${records.notices.incident}) { id } }`,
    );
    expect(json.errors[0].message).toBe("We couldn't find the notice you were looking for.");
  });
});

describe('the component tree', () => {
  test('can be queried from the roots down', async () => {
    const { page } = await read(`($page: ID!) { page(id: $page) {
      components(filter: { parentId: { present: false } }, first: 20) { nodes {
        name state children(first: 20) { nodes { name state children(first: 20) { nodes { name state children(first: 5) { nodes { name } } } } } } } } } }`);
    expect(page.components).toEqual([
      {
        name: 'Website',
        state: 'PARTIALLY_DEGRADED',
        children: [
          { name: 'Search', state: 'OPERATIONAL', children: [] },
          {
            name: 'Checkout',
            state: 'PARTIALLY_DEGRADED',
            children: [{ name: 'Cards', state: 'DEGRADED', children: [] }],
          },
        ],
      },
      { name: 'Mail', state: 'OPERATIONAL', children: [] },
    ]);
  });

  test('can be queried from a leaf up', async () => {
    const { component } = await read(
      '($page: ID!, $id: ID!) { component(pageId: $page, id: $id) { parent { name parent { name parent { name } } } } }',
      {
        id: records.components.cards,
      },
    );
    expect(component).toEqual({ parent: { name: 'Checkout', parent: { name: 'Website', parent: null } } });
  });
});

describe('the types of a notice', () => {
  const kinds = `nodes { __typename type subject timelineState beganAt endedAt tagList synopsis
    ... on UnplannedNotice { state } ... on PlannedNotice { state beginsAt endsAt shouldAutomateSchedule } }`;

  test('have their own fields', async () => {
    const { notices } = await read(`($page: ID!) { notices(pageId: $page) { ${kinds} } }`);
    expect(notices.nodes).toEqual([
      {
        __typename: 'GeneralNotice',
        type: 'GENERAL',
        subject: 'Hello',
        timelineState: 'PAST_RECENT',
        beganAt: timestamp,
        endedAt: timestamp,
        tagList: ['news'],
        synopsis: '',
      },
      {
        __typename: 'PlannedNotice',
        type: 'PLANNED',
        subject: 'New disks',
        timelineState: 'FUTURE',
        beganAt: null,
        endedAt: null,
        tagList: [],
        synopsis: '',
        state: 'SCHEDULED',
        beginsAt: '2031-01-01T10:00:00.000Z',
        endsAt: '2031-01-01T12:00:00.000Z',
        shouldAutomateSchedule: false,
      },
      expect.objectContaining({
        __typename: 'UnplannedNotice',
        state: 'INVESTIGATING',
        timelineState: 'PRESENT',
        beganAt: timestamp,
        endedAt: null,
        synopsis: 'We look into it.\n',
      }),
      expect.objectContaining({
        __typename: 'UnplannedNotice',
        state: 'RESOLVED',
        timelineState: 'PAST_RECENT',
        tagList: ['search', 'slow'],
        synopsis: 'It was slow.\n',
      }),
    ]);
  });

  test('are selected by fragments on the interface and on a type, with aliases', async () => {
    const { notices } =
      await read(`($page: ID!) { notices(pageId: $page, orderBy: [{ field: SUBJECT }]) { nodes { ...Title ...Window ... on GeneralNotice { what: __typename } } } }
      fragment Title on Notice { subject }
      fragment Window on PlannedNotice { from: beginsAt components { nodes { name } } }`);
    expect(notices.nodes).toEqual([
      { subject: 'Cards fail' },
      { subject: 'Hello', what: 'GeneralNotice' },
      { subject: 'New disks', from: '2031-01-01T10:00:00.000Z', components: [{ name: 'Mail' }] },
      { subject: 'Slow search' },
    ]);
  });
});

describe('response keys', () => {
  test('are the aliases, repeated for one field, in the order of the query', async () => {
    const { text } = await service.graphql(
      `{ b: timezone(id: "UTC") { second: name name first: id } a: timezone(id: "UTC") { name } hello }`,
    );
    expect(text).toMatch(
      /^\{"data":\{"b":\{"second":"UTC",\s*"name":"UTC",\s*"first":"Etc\/UTC"\},\s*"a":\{"name":"UTC"\},\s*"hello":"Hello[^"]*"\}\}\s*$/,
    );
  });

  test('distinguish two selections of one relation', async () => {
    const { page } = await read(`($page: ID!) { page(id: $page) {
      down: components(filter: { state: { eq: DEGRADED } }) { nodes { name } } up: components(filter: { state: { eq: OPERATIONAL } }, first: 1) { nodes { name } } } }`);
    expect(page).toEqual({ down: [{ name: 'Cards' }], up: [{ name: expect.stringMatching(/Mail|Search/) }] });
  });

  test('can be names of other fields', async () => {
    const { page } = await read('($page: ID!) { page(id: $page) { id: name name: id state type: __typename } }');
    expect(page).toEqual({ id: 'All Clear', name: records.page, state: 'DEGRADED', type: 'Page' });
  });

  test('are merged if a field is selected in several places', async () => {
    const { page } = await read(
      `($page: ID!) { page(id: $page) { components { nodes { name } } ...More } page(id: $page) { name } } fragment More on Page { components { nodes { position } } }`,
    );
    expect(page.name).toBe('All Clear');
    expect(page.components).toContainEqual({ name: 'Cards', position: 1 });
  });
});

describe('@include and @skip', () => {
  const query = `($page: ID!, $yes: Boolean!, $no: Boolean = false) { page(id: $page) {
    id @include(if: $yes) name @skip(if: $yes) ... @include(if: $no) { locale } ...State @skip(if: $no) components @include(if: $no) { nodes { id } } } hello @include(if: $yes) }
    fragment State on Page { state }`;

  test('follow the variables of each request, also for the same document', async () => {
    for (let turn = 0; turn < 2; turn++) {
      expect(await read(query, { yes: true })).toEqual({
        page: { id: records.page, state: 'DEGRADED' },
        hello: expect.any(String),
      });
      expect(await read(query, { yes: false })).toEqual({ page: { name: 'All Clear', state: 'DEGRADED' } });
      expect(await read(query, { yes: false, no: true })).toEqual({
        page: { name: 'All Clear', locale: 'en', components: expect.any(Array) },
      });
    }
  });

  test('can leave an empty selection', async () => {
    expect(await read('($page: ID!) { page(id: $page) { id @skip(if: true) } }')).toEqual({ page: {} });
    expect(await read('($page: ID!) { notices(pageId: $page) { nodes { id @skip(if: true) } } }')).toEqual({
      notices: { nodes: [{}, {}, {}, {}] },
    });
    expect(await read('($page: ID!) { page(id: $page) @skip(if: true) { id } }')).toEqual({});
  });
});

describe('several root fields', () => {
  test('are all resolved, in their order', async () => {
    const data = await read(
      '($page: ID!) { z: page(id: $page) { name } y: hello x: notices(pageId: $page) { totalCount } w: __typename }',
    );
    expect(Object.entries(data)).toEqual([
      ['z', { name: 'All Clear' }],
      ['y', expect.any(String)],
      ['x', { totalCount: 4 }],
      ['w', 'Query'],
    ]);
  });
});
