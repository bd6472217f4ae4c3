import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestService, type TestService } from '../../support/service.js';
import { ask, type Cast, makeCast } from '../../support/graphql-records.js';

let service: TestService;
let cast: Cast;
beforeAll(async () => {
  service = await startTestService();
  cast = await makeCast(service);
});
afterAll(() => service.stop());

/** Sends a query whose `$page` is the page of the cast. */
const read = (query: string, variables: Record<string, unknown> = {}) =>
  ask(service, `query ${query}`, { page: cast.page, ...variables });
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('One record', () => {
  test('page: all of its own fields', async () => {
    const { page } = await read(`($page: ID!) { page(id: $page) {
      id name state timezone supportEmail supportTelephone supportUrl visibleToSearch metaTitle metaDescription vendorAnalyticsId timelineThreshold
      timelineThresholdInDays timelineSortOrder locale endpoint sendNotificationsByEmail sendNotificationsBySms sendNotificationsByChatA
      sendNotificationsByChatB sendNotificationsBySocial createdAt updatedAt version brand { colorStateOk } customDomain { to } theme { createdAt } } }`);
    expect(page).toMatchObject({
      id: cast.page,
      name: 'All Clear',
      state: 'DEGRADED',
      timezone: 'UTC',
      supportEmail: null,
      visibleToSearch: true,
      timelineThreshold: 259_200,
      timelineThresholdInDays: 3,
      timelineSortOrder: 'ASC',
      locale: 'en',
      endpoint: expect.stringMatching(new RegExp(`^${cast.page}\\.`)),
      createdAt: moment,
      version: 1,
      brand: { colorStateOk: '#27ae60' },
      customDomain: null,
      theme: null,
    });
  });

  test('component: ids are texts', async () => {
    const { component } = await read(
      '($page: ID!, $id: ID!) { component(pageId: $page, id: $id) { id parentId name state position description parent { id } } }',
      {
        id: cast.components.cards,
      },
    );
    const checkout = cast.components.checkout;
    expect(component).toEqual({
      id: cast.components.cards,
      parentId: checkout,
      name: 'Cards',
      state: 'DEGRADED',
      position: 1,
      description: null,
      parent: { id: checkout },
    });
    expect(typeof component.id).toBe('string');
  });

  test('noticeUpdate', async () => {
    const { notice } = await read('($page: ID!, $id: ID!) { notice(pageId: $page, id: $id) { updates { id } } }', {
      id: cast.notices.incident,
    });
    const { noticeUpdate } = await read(
      '($page: ID!, $n: ID!, $id: ID!) { noticeUpdate(pageId: $page, noticeId: $n, id: $id) { id content shouldPublish createdAt } }',
      {
        n: cast.notices.incident,
        id: notice.updates[1].id,
      },
    );
    expect(noticeUpdate).toEqual({
      id: notice.updates[1].id,
      content: 'Still at it.',
      shouldPublish: true,
      createdAt: moment,
    });
  });

  test('noticeTemplate: of the page, and of a component', async () => {
    const query =
      '($page: ID!, $id: ID!) { noticeTemplate(pageId: $page, id: $id) { __typename id name subject initialComment ... on ComponentTemplate { componentId component { name } } } }';
    expect((await read(query, { id: cast.templates.page })).noticeTemplate).toEqual({
      __typename: 'PageTemplate',
      id: cast.templates.page,
      name: 'Anything',
      subject: 'Something is wrong',
      initialComment: null,
    });
    expect((await read(query, { id: cast.templates.component })).noticeTemplate).toMatchObject({
      __typename: 'ComponentTemplate',
      componentId: cast.components.cards,
      component: { name: 'Cards' },
    });
  });

  test('subscriber', async () => {
    const { subscriber } = await read(
      '($page: ID!, $id: ID!) { subscriber(pageId: $page, id: $id) { email phoneNumber tagList tagText components { name } } }',
      {
        id: cast.subscribers.ada,
      },
    );
    expect(subscriber).toEqual({
      email: expect.stringMatching(/^ada@example.org$/i),
      phoneNumber: null,
      tagList: ['vip'],
      tagText: 'vip',
      components: [{ name: 'Cards' }],
    });
  });

  test('brand, and timezone by name and by its id in the tz database', async () => {
    expect((await read('($page: ID!) { brand(pageId: $page) { colorBodyText } }')).brand).toEqual({
      colorBodyText: '#2c3e50',
    });
    const { a, b } = await read(
      '{ a: timezone(id: "London") { name zone offset offsetMinutes } b: timezone(id: "Europe/London") { name } }',
    );
    expect(a).toEqual({ name: 'London', zone: 'Europe/London', offset: '(GMT+00:00) London', offsetMinutes: 0 });
    expect(b.name).toBe('London');
  });

  test.each([
    ['page(id: "00000000") { id }', 'page'],
    ['notice(pageId: $page, id: 999999) { id }', 'notice'],
    ['notice(pageId: $page, id: "abc") { id }', 'notice'],
    ['notice(pageId: $page, id: "99999999999999999999") { id }', 'notice'],
    ['notice(pageId: "00000000", id: 1) { id }', 'page'],
    ['component(pageId: $page, id: 0) { id }', 'component'],
    ['noticeUpdate(pageId: $page, noticeId: 999999, id: 1) { id }', 'notice'],
    ['noticeTemplate(pageId: $page, id: "nobody") { id }', 'notice template'],
    ['subscriber(pageId: $page, id: -1) { id }', 'subscriber'],
    ['customDomain(pageId: $page) { to }', 'custom domain'],
    ['theme(pageId: $page) { createdAt }', 'theme'],
    ['timezone(id: "Atlantis") { name }', 'time zone'],
    ['notices(pageId: "00000000") { count }', 'page'],
    ['noticeUpdates(pageId: $page, noticeId: 999999) { count }', 'notice'],
  ])('that is not there: %s', async (field, word) => {
    const { json } = await service.graphql(`query($page: ID!) { page(id: $page) { id } missing: ${field} }`, {
      page: cast.page,
    });
    expect(json.errors).toEqual([
      expect.objectContaining({
        message: `We couldn't find the ${word} you were looking for.`,
        extensions: { code: 'NOT_FOUND' },
        path: ['missing'],
      }),
    ]);
  });

  test('of another page is not there either', async () => {
    const { json } = await service.graphql(`{ notice(pageId: "${cast.empty}", id: ${cast.notices.incident}) { id } }`);
    expect(json.errors[0].message).toBe("We couldn't find the notice you were looking for.");
  });
});

describe('The tree of components', () => {
  test('is asked for from the roots down', async () => {
    const { page } = await read(`($page: ID!) { page(id: $page) {
      components(filter: { parentId: { present: false } }, first: 20) {
        name state children(first: 20) { name state children(first: 20) { name state children(first: 5) { name } } } } } }`);
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

  test('and from a leaf up', async () => {
    const { component } = await read(
      '($page: ID!, $id: ID!) { component(pageId: $page, id: $id) { parent { name parent { name parent { name } } } } }',
      {
        id: cast.components.cards,
      },
    );
    expect(component).toEqual({ parent: { name: 'Checkout', parent: { name: 'Website', parent: null } } });
  });
});

describe('The kinds of a notice', () => {
  const kinds = `nodes { __typename type subject timelineState beganAt endedAt tagList synopsis
    ... on UnplannedNotice { state } ... on PlannedNotice { state beginsAt endsAt shouldAutomateSchedule } }`;

  test('show the fields that they have', async () => {
    const { notices } = await read(`($page: ID!) { notices(pageId: $page) { ${kinds} } }`);
    expect(notices.nodes).toEqual([
      {
        __typename: 'GeneralNotice',
        type: 'GENERAL',
        subject: 'Hello',
        timelineState: 'PAST_RECENT',
        beganAt: moment,
        endedAt: moment,
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
        beganAt: moment,
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

  test('are told apart in fragments of the interface, of a kind, and with aliases of their own', async () => {
    const { notices } =
      await read(`($page: ID!) { notices(pageId: $page, orderBy: [{ field: SUBJECT }]) { nodes { ...Title ...Window ... on GeneralNotice { what: __typename } } } }
      fragment Title on Notice { subject }
      fragment Window on PlannedNotice { from: beginsAt components { name } }`);
    expect(notices.nodes).toEqual([
      { subject: 'Cards fail' },
      { subject: 'Hello', what: 'GeneralNotice' },
      { subject: 'New disks', from: '2031-01-01T10:00:00.000Z', components: [{ name: 'Mail' }] },
      { subject: 'Slow search' },
    ]);
  });
});

describe('Names in the answer', () => {
  test('are the aliases, of one field several times and in the order asked', async () => {
    const { text } = await service.graphql(
      `{ b: timezone(id: "UTC") { second: name name first: zone } a: timezone(id: "UTC") { name } hello }`,
    );
    expect(text).toMatch(
      /^\{"data":\{"b":\{"second":"UTC",\s*"name":"UTC",\s*"first":"Etc\/UTC"\},\s*"a":\{"name":"UTC"\},\s*"hello":"Hello[^"]*"\}\}\s*$/,
    );
  });

  test('tell one relation apart that was asked for twice', async () => {
    const { page } = await read(`($page: ID!) { page(id: $page) {
      down: components(filter: { state: { eq: DEGRADED } }) { name } up: components(filter: { state: { eq: OPERATIONAL } }, first: 1) { name } } }`);
    expect(page).toEqual({ down: [{ name: 'Cards' }], up: [{ name: expect.stringMatching(/Mail|Search/) }] });
  });

  test('may be those of other fields', async () => {
    const { page } = await read('($page: ID!) { page(id: $page) { id: name name: id state type: __typename } }');
    expect(page).toEqual({ id: 'All Clear', name: cast.page, state: 'DEGRADED', type: 'Page' });
  });

  test('are merged where a field is asked for in several places', async () => {
    const { page } = await read(
      `($page: ID!) { page(id: $page) { components { name } ...More } page(id: $page) { name } } fragment More on Page { components { position } }`,
    );
    expect(page.name).toBe('All Clear');
    expect(page.components).toContainEqual({ name: 'Cards', position: 1 });
  });
});

describe('@include and @skip', () => {
  const query = `($page: ID!, $yes: Boolean!, $no: Boolean = false) { page(id: $page) {
    id @include(if: $yes) name @skip(if: $yes) ... @include(if: $no) { locale } ...State @skip(if: $no) components @include(if: $no) { id } } hello @include(if: $yes) }
    fragment State on Page { state }`;

  test('follow the variables of each request, also of one document in turn', async () => {
    for (let turn = 0; turn < 2; turn++) {
      expect(await read(query, { yes: true })).toEqual({
        page: { id: cast.page, state: 'DEGRADED' },
        hello: expect.any(String),
      });
      expect(await read(query, { yes: false })).toEqual({ page: { name: 'All Clear', state: 'DEGRADED' } });
      expect(await read(query, { yes: false, no: true })).toEqual({
        page: { name: 'All Clear', locale: 'en', components: expect.any(Array) },
      });
    }
  });

  test('may leave nothing at all', async () => {
    expect(await read('($page: ID!) { page(id: $page) { id @skip(if: true) } }')).toEqual({ page: {} });
    expect(await read('($page: ID!) { notices(pageId: $page) { nodes { id @skip(if: true) } } }')).toEqual({
      notices: { nodes: [{}, {}, {}, {}] },
    });
    expect(await read('($page: ID!) { page(id: $page) @skip(if: true) { id } }')).toEqual({});
  });
});

describe('Several at once', () => {
  test('are all answered, in their order', async () => {
    const data = await read(
      '($page: ID!) { z: page(id: $page) { name } y: hello x: notices(pageId: $page) { count } w: __typename }',
    );
    expect(Object.entries(data)).toEqual([
      ['z', { name: 'All Clear' }],
      ['y', expect.any(String)],
      ['x', { count: 4 }],
      ['w', 'Query'],
    ]);
  });
});
