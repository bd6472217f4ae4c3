import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestService, type TestService } from '../support/service.js';
import { ask, type Cast, makeCast } from './cast.js';

let service: TestService;
let cast: Cast;
beforeAll(async () => {
  service = await startTestService();
  cast = await makeCast(service);
});
afterAll(() => service.stop());

/** Sends a query whose `$page` is the page of the cast. */
const read = (query: string, variables: Record<string, unknown> = {}) => ask(service, `query ${query}`, { page: cast.page, ...variables });
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
// biome-ignore lint/suspicious/noExplicitAny: records as a test asked for them
const subjects = (nodes: any[]) => nodes.map(({ subject }) => subject);

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
    const { notice } = await read('($page: ID!, $id: ID!) { notice(pageId: $page, id: $id) { updates { id } } }', { id: cast.notices.incident });
    const { noticeUpdate } = await read(
      '($page: ID!, $n: ID!, $id: ID!) { noticeUpdate(pageId: $page, noticeId: $n, id: $id) { id content shouldPublish createdAt } }',
      {
        n: cast.notices.incident,
        id: notice.updates[1].id,
      },
    );
    expect(noticeUpdate).toEqual({ id: notice.updates[1].id, content: 'Still at it.', shouldPublish: true, createdAt: moment });
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
    expect((await read('($page: ID!) { brand(pageId: $page) { colorBodyText } }')).brand).toEqual({ colorBodyText: '#2c3e50' });
    const { a, b } = await read('{ a: timezone(id: "London") { name zone offset offsetMinutes } b: timezone(id: "Europe/London") { name } }');
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
    const { json } = await service.graphql(`query($page: ID!) { page(id: $page) { id } missing: ${field} }`, { page: cast.page });
    expect(json.errors).toEqual([
      expect.objectContaining({ message: `We couldn't find the ${word} you were looking for.`, extensions: { code: 'NOT_FOUND' }, path: ['missing'] }),
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
          { name: 'Checkout', state: 'PARTIALLY_DEGRADED', children: [{ name: 'Cards', state: 'DEGRADED', children: [] }] },
        ],
      },
      { name: 'Mail', state: 'OPERATIONAL', children: [] },
    ]);
  });

  test('and from a leaf up', async () => {
    const { component } = await read('($page: ID!, $id: ID!) { component(pageId: $page, id: $id) { parent { name parent { name parent { name } } } } }', {
      id: cast.components.cards,
    });
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
    const { text } = await service.graphql(`{ b: timezone(id: "UTC") { second: name name first: zone } a: timezone(id: "UTC") { name } hello }`);
    expect(text).toMatch(/^\{"data":\{"b":\{"second":"UTC",\s*"name":"UTC",\s*"first":"Etc\/UTC"\},\s*"a":\{"name":"UTC"\},\s*"hello":"Hello[^"]*"\}\}\s*$/);
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
      expect(await read(query, { yes: true })).toEqual({ page: { id: cast.page, state: 'DEGRADED' }, hello: expect.any(String) });
      expect(await read(query, { yes: false })).toEqual({ page: { name: 'All Clear', state: 'DEGRADED' } });
      expect(await read(query, { yes: false, no: true })).toEqual({ page: { name: 'All Clear', locale: 'en', components: expect.any(Array) } });
    }
  });

  test('may leave nothing at all', async () => {
    expect(await read('($page: ID!) { page(id: $page) { id @skip(if: true) } }')).toEqual({ page: {} });
    expect(await read('($page: ID!) { notices(pageId: $page) { nodes { id @skip(if: true) } } }')).toEqual({ notices: { nodes: [{}, {}, {}, {}] } });
    expect(await read('($page: ID!) { page(id: $page) @skip(if: true) { id } }')).toEqual({});
  });
});

describe('Filters', () => {
  test.each([
    ['{ subject: { cont: "FAIL" } }', ['Cards fail']],
    ['{ subject: { matches: "%o%" } }', ['Hello', 'Slow search']],
    ['{ state: { in: [SCHEDULED, RESOLVED] } }', ['New disks', 'Slow search']],
    ['{ state: { notEq: SCHEDULED } }', ['Cards fail', 'Slow search']],
    ['{ state: { blank: true } }', ['Hello']],
    ['{ timelineState: { eq: FUTURE } }', ['New disks']],
    ['{ type: { notIn: [GENERAL, PLANNED] } }', ['Cards fail', 'Slow search']],
    ['{ beginsAt: { gteq: "2031-01-01T10:00:00Z" } }', ['New disks']],
    ['{ endedAt: { present: false } }', ['New disks', 'Cards fail']],
    ['{ tagList: { eq: "slow" } }', ['Slow search']],
    ['{ tagList: { notEq: "slow" } }', ['Hello', 'New disks', 'Cards fail']],
    ['{ components: { name: { eq: "Mail" } } }', ['New disks']],
    ['{ components: { state: { eq: DEGRADED } } }', ['Cards fail']],
    ['{ components: { name: { notEq: "Mail" } } }', ['Hello', 'Cards fail', 'Slow search']],
    ['{ updates: { content: { cont: "still" } } }', ['Cards fail']],
    ['{ subject: { eq: null }, type: null }', ['Hello', 'New disks', 'Cards fail', 'Slow search']],
    ['{ subject: { cont: "s" }, state: { eq: SCHEDULED } }', ['New disks']],
  ])('of notices: %s', async (filter, expected) => {
    const { notices } = await read(`($page: ID!) { notices(pageId: $page, filter: ${filter}) { nodes { subject } totalCount } }`);
    expect(subjects(notices.nodes)).toEqual(expected);
    expect(notices.totalCount).toBe(expected.length);
  });

  test('of pages go through their notices and components', async () => {
    const counted = async (filter: string) => (await read(`{ pages(filter: ${filter}) { totalCount } }`)).pages.totalCount;
    expect(await counted('{ notices: { state: { eq: INVESTIGATING } } }')).toBe(1);
    expect(await counted('{ components: { name: { eq: "Mail" } } }')).toBe(1);
    expect(await counted('{ components: { name: { notEq: "Mail" } } }')).toBe(1);
    expect(await counted('{ state: { eq: OPERATIONAL } }')).toBe(1);
  });

  test('of subscribers and templates go through components', async () => {
    const { a, b, c, d } = await read(
      `($page: ID!, $cards: ID!) {
      a: subscribers(pageId: $page, filter: { components: { name: { eq: "Cards" } } }) { nodes { id } }
      b: subscribers(pageId: $page, filter: { forComponent: $cards }) { nodes { id } }
      c: subscribers(pageId: $page, filter: { email: { eq: "ADA@EXAMPLE.ORG" } }) { nodes { id } }
      d: noticeTemplates(pageId: $page, filter: { component: { name: { cont: "card" } } }) { nodes { name } } }`,
      { cards: cast.components.cards },
    );
    expect(a.nodes).toEqual([{ id: cast.subscribers.ada }]);
    expect(b.nodes).toEqual([{ id: cast.subscribers.ada }, { id: cast.subscribers.bob }]);
    expect(c.nodes).toEqual([{ id: cast.subscribers.ada }]);
    expect(d.nodes).toEqual([{ name: 'Cards' }]);
  });

  test('of related lists narrow those lists', async () => {
    const { page } = await read(
      `($page: ID!, $f: NoticeFilter) { page(id: $page) {
      notices(filter: $f) { subject updates(filter: { content: { cont: "still" } }) { content } components(filter: { name: { eq: "Mail" } }) { name } } } }`,
      {
        f: { timelineState: { in: ['PRESENT', 'FUTURE'] } },
      },
    );
    expect(page.notices).toEqual([
      { subject: 'New disks', updates: [], components: [{ name: 'Mail' }] },
      { subject: 'Cards fail', updates: [{ content: 'Still at it.' }], components: [] },
    ]);
  });

  test.each([
    ['{ id: { eq: "abc" } }', 'id_eq'],
    ['{ id: { gt: "99999999999999999999" } }', 'id_gt'],
    ['{ components: { id: { in: ["x"] } } }', 'components_id_in'],
    ['{ subject: { eq: "\\u0000" } }', 'subject_eq'],
  ])('of the wrong kind are refused by name: %s', async (filter, key) => {
    const { json } = await service.graphql(`{ notices(pageId: "${cast.page}", filter: ${filter}) { count } }`);
    expect(json.errors).toEqual([expect.objectContaining({ message: expect.stringContaining(key), extensions: { code: 'BAD_REQUEST' } })]);
  });
});

describe('The order', () => {
  const ordered = async (orderBy: string) =>
    subjects((await read(`($page: ID!) { notices(pageId: $page, orderBy: ${orderBy}) { nodes { subject } } }`)).notices.nodes);

  test('is that of the class where none is asked for', async () => {
    const { components, noticeUpdates, noticeTemplates, pages, timezones } = await read(
      `($page: ID!, $n: ID!) {
      components(pageId: $page) { nodes { name } } noticeUpdates(pageId: $page, noticeId: $n) { nodes { content } }
      noticeTemplates(pageId: $page) { nodes { name } } pages { nodes { name } } timezones(first: 2) { nodes { offsetMinutes } } }`,
      { n: cast.notices.incident },
    );
    expect(components.nodes.map(({ name }: { name: string }) => name)).toEqual(['Website', 'Search', 'Cards', 'Checkout', 'Mail']);
    expect(noticeUpdates.nodes).toEqual([{ content: 'We look into it.' }, { content: 'Still at it.' }]);
    expect(noticeTemplates.nodes).toEqual([{ name: 'Anything' }, { name: 'Cards' }]);
    expect(pages.nodes).toEqual([{ name: 'All Clear' }, { name: 'Nothing here' }]);
    expect(timezones.nodes[0].offsetMinutes).toBeLessThanOrEqual(timezones.nodes[1].offsetMinutes);
  });

  test('is by what is asked for, upwards where nothing else is said', async () => {
    expect(await ordered('[{ field: SUBJECT }]')).toEqual(['Cards fail', 'Hello', 'New disks', 'Slow search']);
    expect(await ordered('[{ field: SUBJECT, direction: DESC }]')).toEqual(['Slow search', 'New disks', 'Hello', 'Cards fail']);
    expect(await ordered('[{ field: ID, direction: ASC }]')).toEqual(['Slow search', 'Cards fail', 'New disks', 'Hello']);
    expect(await ordered('[{ field: CREATED_AT, direction: DESC }, { field: SUBJECT }]')).toEqual(['Hello', 'New disks', 'Cards fail', 'Slow search']);
  });
});

describe('Pages of a list', () => {
  const paging = 'count totalCount pagination { current previous next perPage pages count } nodes { subject }';
  const page = async (list: string) => (await read(`($page: ID!) { notices(pageId: $page, ${list}) { ${paging} } }`)).notices;

  test('are numbered', async () => {
    expect(await page('page: 1, perPage: 3')).toMatchObject({
      count: 3,
      totalCount: 4,
      pagination: { current: 1, previous: null, next: 2, perPage: 3, pages: 2, count: 4 },
    });
    expect(await page('page: 2, perPage: 3')).toMatchObject({
      count: 1,
      pagination: { current: 2, previous: 1, next: null, pages: 2 },
      nodes: [{ subject: 'Slow search' }],
    });
  });

  test('past the end are empty', async () => {
    expect(await page('page: 9, perPage: 3')).toMatchObject({ count: 0, totalCount: 4, nodes: [], pagination: { current: 9, next: null, pages: 2 } });
  });

  test('of an empty list are none', async () => {
    const { components } = await ask(
      service,
      `{ components(pageId: "${cast.empty}") { ${paging.replace('subject', 'name')} pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor } } }`,
    );
    expect(components).toEqual({
      count: 0,
      totalCount: 0,
      nodes: [],
      edges: [],
      pagination: { current: 1, previous: null, next: null, perPage: 25, pages: 0, count: 0 },
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
  });

  test('hold 25 where nothing is said', async () => {
    const { timezones } = await read('{ timezones { count totalCount pagination { pages } } }');
    expect(timezones).toEqual({ count: 25, totalCount: 149, pagination: { pages: 6 } });
  });

  test.each(['perPage: 101', 'perPage: 0', 'first: 101', 'first: -1', 'page: 0', 'page: 2000000'])('are bounded: %s is refused', async list => {
    const { json } = await service.graphql(`{ notices(pageId: "${cast.page}", ${list}) { count } }`);
    expect(json.errors[0]).toMatchObject({ message: expect.stringContaining(list.split(':')[0]!), extensions: { code: 'BAD_REQUEST' } });
  });

  test('of related records are bounded: first is 1 to 100', async () => {
    const { json } = await service.graphql(`{ page(id: "${cast.page}") { notices(first: 101) { id } } }`);
    expect(json.errors[0]).toMatchObject({ message: expect.stringContaining('first'), extensions: { code: 'BAD_REQUEST' } });
    expect((await read('($page: ID!) { page(id: $page) { notices(first: 2) { subject } } }')).page.notices).toEqual([
      { subject: 'Hello' },
      { subject: 'New disks' },
    ]);
  });
});

describe('Cursors', () => {
  const cut = (after: string | null, orderBy: object[] | null, pageId: string) =>
    ask(
      service,
      `query($page: ID!, $after: String, $orderBy: [ComponentOrder!]) { components(pageId: $page, first: 2, after: $after, orderBy: $orderBy) {
        edges { cursor node { name } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
      { page: pageId, after, orderBy },
    );
  const makePage = async (names: string[]) => {
    const { createPage } = await ask(service, 'mutation { createPage(input: { name: "Cursors" }) { page { id } } }');
    for (const name of names) await add(createPage.page.id, name);
    return createPage.page.id as string;
  };
  const add = (page: string, name: string, position?: number) =>
    ask(service, 'mutation($p: ID!, $i: CreateComponent!) { createComponent(pageId: $p, input: $i) { component { id } } }', { p: page, i: { name, position } });

  test.each([
    ['the order of the class', null],
    ['another order', [{ field: 'NAME', direction: 'DESC' }]],
    ['an order by a moment', [{ field: 'CREATED_AT', direction: 'ASC' }]],
  ])('lead through all records once, in %s', async (_, orderBy) => {
    const page = await makePage(['a', 'b', 'c', 'd', 'e']);
    const seen: string[] = [];
    let after: string | null = null;
    for (let step = 0; step < 3; step++) {
      const { components } = await cut(after, orderBy, page);
      seen.push(...components.edges.map(({ node }: { node: { name: string } }) => node.name));
      expect(components.pageInfo).toEqual({
        hasNextPage: step < 2,
        hasPreviousPage: step > 0,
        startCursor: components.edges[0].cursor,
        endCursor: components.edges.at(-1).cursor,
      });
      after = components.pageInfo.endCursor;
    }
    expect(seen).toEqual(orderBy?.[0]?.direction === 'DESC' ? ['e', 'd', 'c', 'b', 'a'] : ['a', 'b', 'c', 'd', 'e']);
  });

  test('stand still when records come in before them', async () => {
    const page = await makePage(['b', 'd', 'f', 'h']);
    const orderBy = [{ field: 'NAME' }];
    const first = (await cut(null, orderBy, page)).components;
    await add(page, 'a');
    await add(page, 'c');
    const second = (await cut(first.pageInfo.endCursor, orderBy, page)).components;
    expect(second.edges.map(({ node }: { node: { name: string } }) => node.name)).toEqual(['f', 'h']);
  });

  test('tell equals apart by the id', async () => {
    const page = await makePage(['same', 'same', 'same', 'same']);
    const ids = async (after: string | null): Promise<{ ids: string[]; end: string }> => {
      const { components } = await ask(
        service,
        'query($p: ID!, $a: String) { components(pageId: $p, first: 3, after: $a, orderBy: [{ field: NAME }]) { nodes { id } pageInfo { endCursor } } }',
        { p: page, a: after },
      );
      return { ids: components.nodes.map(({ id }: { id: string }) => id), end: components.pageInfo.endCursor };
    };
    const start = await ids(null);
    const rest = await ids(start.end);
    expect(new Set([...start.ids, ...rest.ids]).size).toBe(4);
  });

  test.each(['x', 'bnVsbA==', 'W10=', 'WyJ4Il0=', 'WyJcdTAwMDAiLDFd', 'W3t9LFtdXQ=='])('that no list gave are refused: %j', async after => {
    const { json } = await service.graphql('query($p: ID!, $a: String) { components(pageId: $p, after: $a) { count } }', { p: cast.page, a: after });
    expect(json.errors[0].extensions.code).toBe('BAD_REQUEST');
  });
});

describe('Several at once', () => {
  test('are all answered, in their order', async () => {
    const data = await read('($page: ID!) { z: page(id: $page) { name } y: hello x: notices(pageId: $page) { count } w: __typename }');
    expect(Object.entries(data)).toEqual([
      ['z', { name: 'All Clear' }],
      ['y', expect.any(String)],
      ['x', { count: 4 }],
      ['w', 'Query'],
    ]);
  });
});

/** Every place of the graph that takes a text or an id, with what no text can hold. */
describe('U+0000 and halves of surrogate pairs', () => {
  const odd = ['\0', 'a\0b', '\ud800', 'a\udc00b'];
  const places: [string, string, (value: string) => Record<string, unknown>][] = [
    ['an id', 'query($v: ID!) { page(id: $v) { id } }', v => ({ v })],
    ['the id of a notice', 'query($p: ID!, $v: ID!) { notice(pageId: $p, id: $v) { id } }', v => ({ v })],
    ['the id of a template', 'query($p: ID!, $v: ID!) { noticeTemplate(pageId: $p, id: $v) { id } }', v => ({ v })],
    ['the name of a time zone', 'query($v: ID!) { timezone(id: $v) { name } }', v => ({ v })],
    ['a cursor', 'query($p: ID!, $v: String) { notices(pageId: $p, after: $v) { count } }', v => ({ v })],
    [
      'a cursor that holds it',
      'query($p: ID!, $v: String) { components(pageId: $p, after: $v, orderBy: [{ field: NAME }]) { count } }',
      v => ({ v: Buffer.from(JSON.stringify([v, 1])).toString('base64') }),
    ],
    [
      'a cursor of a moment',
      'query($p: ID!, $v: String) { components(pageId: $p, after: $v, orderBy: [{ field: CREATED_AT }]) { count } }',
      v => ({ v: Buffer.from(JSON.stringify([v, 1])).toString('base64') }),
    ],
    ...['eq', 'notEq', 'matches', 'cont', 'gt', 'lteq'].map((operator): (typeof places)[number] => [
      `the filter ${operator}`,
      'query($p: ID!, $f: NoticeFilter) { notices(pageId: $p, filter: $f) { count } }',
      v => ({ f: { subject: { [operator]: v } } }),
    ]),
    ['the filter in', 'query($p: ID!, $f: NoticeFilter) { notices(pageId: $p, filter: $f) { count } }', v => ({ f: { tagList: { in: [v] } } })],
    [
      'a filter through a relation',
      'query($p: ID!, $f: NoticeFilter) { page(id: $p) { notices(filter: $f) { id } } }',
      v => ({ f: { updates: { content: { cont: v } } } }),
    ],
    ['a filter of ids', 'query($f: PageFilter) { pages(filter: $f) { count } }', v => ({ f: { id: { in: [v] } } })],
    ['a filter of e-mail', 'query($p: ID!, $f: SubscriberFilter) { subscribers(pageId: $p, filter: $f) { count } }', v => ({ f: { email: { eq: v } } })],
    ['forComponent', 'query($p: ID!, $f: SubscriberFilter) { subscribers(pageId: $p, filter: $f) { count } }', v => ({ f: { forComponent: v } })],
    ['a name', 'mutation($i: CreatePage!) { createPage(input: $i) { page { id } } }', v => ({ i: { name: v } })],
    ...['timezone', 'supportEmail', 'supportTelephone', 'supportUrl', 'metaTitle', 'metaDescription', 'vendorAnalyticsId', 'locale'].map(
      (field): (typeof places)[number] => [
        `${field} of a page`,
        'mutation($i: CreatePage!) { createPage(input: $i) { page { id } } }',
        v => ({ i: { name: 'x', [field]: v } }),
      ],
    ),
    ...['subject', 'initialComment', 'beginsAtDate', 'beginsAtTime'].map((field): (typeof places)[number] => [
      `${field} of a notice`,
      'mutation($p: ID!, $i: CreateNotice!) { createNotice(pageId: $p, input: $i) { notice { id } } }',
      v => ({
        i: { type: 'PLANNED', subject: 'x', beginsAt: '2031-01-01', endsAt: '2031-01-02', beginsAtDate: '2031-01-01', beginsAtTime: '10:00', [field]: v },
      }),
    ]),
    ['a tag', 'mutation($p: ID!, $i: CreateNotice!) { createNotice(pageId: $p, input: $i) { notice { id } } }', v => ({ i: { subject: 'x', tagList: [v] } })],
    [
      'component ids',
      'mutation($p: ID!, $i: CreateNotice!) { createNotice(pageId: $p, input: $i) { notice { id } } }',
      v => ({ i: { subject: 'x', componentIds: [v] } }),
    ],
    ['a moment', 'mutation($p: ID!, $i: CreateNotice!) { createNotice(pageId: $p, input: $i) { notice { id } } }', v => ({ i: { subject: 'x', beganAt: v } })],
    ...['email', 'phoneNumber', 'firstName', 'lastName', 'nickname', 'company'].map((field): (typeof places)[number] => [
      `${field} of a subscriber`,
      'mutation($p: ID!, $i: CreateSubscriber!) { createSubscriber(pageId: $p, input: $i) { subscriber { id } } }',
      v => ({ i: { email: 'x@example.org', [field]: v } }),
    ]),
    [
      'parentId',
      'mutation($p: ID!, $i: CreateComponent!) { createComponent(pageId: $p, input: $i) { component { id } } }',
      v => ({ i: { name: 'x', parentId: v } }),
    ],
    ['a colour', 'mutation($p: ID!, $v: String) { updateBrand(pageId: $p, input: { colorBodyText: $v }) { page { id } } }', v => ({ v })],
    ['a domain', 'mutation($p: ID!, $v: String!) { setCustomDomain(pageId: $p, input: { domain: $v }) { page { id } } }', v => ({ v })],
    ['a file', 'mutation($p: ID!, $v: Bytes!) { setTheme(pageId: $p, input: { zip: $v }) { page { id } } }', v => ({ v })],
  ];

  test.each(places)('in %s are refused, and are no failure of ours', async (_, query, variables) => {
    for (const value of odd) {
      const { status, json } = await service.graphql(query, { p: cast.page, ...variables(value) });
      expect(status).toBe(200);
      expect(json.errors?.map((error: { extensions: { code: string } }) => error.extensions.code)).toEqual([
        expect.stringMatching(/^(BAD_REQUEST|BAD_USER_INPUT|NOT_FOUND|INVALID)$/),
      ]);
    }
  });
});
