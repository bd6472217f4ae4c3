import { beforeAll, describe, expect, test } from '@jest/globals';
import { useOwnService } from '../../support/service.js';
import { execute, type GraphqlRecords, createGraphqlRecords } from '../../support/graphql-records.js';

const service = useOwnService();
let records: GraphqlRecords;
beforeAll(async () => {
  records = await createGraphqlRecords(service);
});

/** Sends a query whose `$page` is the page of the test records. */
const read = (query: string, variables: Record<string, unknown> = {}) =>
  execute(service, `query ${query}`, { page: records.page, ...variables });
// biome-ignore lint/suspicious/noExplicitAny: records with the fields that a test selected
const subjects = (nodes: any[]) => nodes.map(({ subject }) => subject);

describe('filters', () => {
  test.each([
    ['{ subject: { cont: "FAIL" } }', ['Cards fail']],
    ['{ subject: { matches: "%o%" } }', ['Hello', 'Slow search']],
    ['{ state: { in: [SCHEDULED, RESOLVED] } }', ['New disks', 'Slow search']],
    ['{ state: { notEq: SCHEDULED } }', ['Cards fail', 'Slow search']],
    ['{ state: { present: false } }', ['Hello']],
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
    const { notices } = await read(
      `($page: ID!) { notices(pageId: $page, filter: ${filter}) { nodes { subject } totalCount } }`,
    );
    expect(subjects(notices.nodes)).toEqual(expected);
    expect(notices.totalCount).toBe(expected.length);
  });

  test('of pages reach through their notices and components', async () => {
    const counted = async (filter: string) =>
      (await read(`{ pages(filter: ${filter}) { totalCount } }`)).pages.totalCount;
    expect(await counted('{ notices: { state: { eq: INVESTIGATING } } }')).toBe(1);
    expect(await counted('{ components: { name: { eq: "Mail" } } }')).toBe(1);
    expect(await counted('{ components: { name: { notEq: "Mail" } } }')).toBe(1);
    expect(await counted('{ state: { eq: OPERATIONAL } }')).toBe(1);
  });

  test('of subscribers and templates reach through components', async () => {
    const { a, b, c, d } = await read(
      `($page: ID!, $cards: ID!) {
      a: subscribers(pageId: $page, filter: { components: { name: { eq: "Cards" } } }) { nodes { id } }
      b: subscribers(pageId: $page, filter: { forComponent: $cards }) { nodes { id } }
      c: subscribers(pageId: $page, filter: { email: { eq: "ADA@EXAMPLE.ORG" } }) { nodes { id } }
      d: noticeTemplates(pageId: $page, filter: { component: { name: { cont: "card" } } }) { nodes { name } } }`,
      { cards: records.components.cards },
    );
    expect(a.nodes).toEqual([{ id: records.subscribers.ada }]);
    expect(b.nodes).toEqual([{ id: records.subscribers.ada }, { id: records.subscribers.bob }]);
    expect(c.nodes).toEqual([{ id: records.subscribers.ada }]);
    expect(d.nodes).toEqual([{ name: 'Cards' }]);
  });

  test('of a related list apply to that list', async () => {
    const { page } = await read(
      `($page: ID!, $f: NoticeFilter) { page(id: $page) {
      notices(filter: $f) { nodes { subject updates(filter: { content: { cont: "still" } }) { nodes { content } } components(filter: { name: { eq: "Mail" } }) { nodes { name } } } } } }`,
      {
        f: { timelineState: { in: ['PRESENT', 'FUTURE'] } },
      },
    );
    expect(page.notices.nodes).toEqual([
      { subject: 'New disks', updates: { nodes: [] }, components: { nodes: [{ name: 'Mail' }] } },
      { subject: 'Cards fail', updates: { nodes: [{ content: 'Still at it.' }] }, components: { nodes: [] } },
    ]);
  });

  test.each([
    ['{ id: { eq: "abc" } }', 'id.eq'],
    ['{ id: { gt: "99999999999999999999" } }', 'id.gt'],
    ['{ components: { id: { in: ["x"] } } }', 'components.id.in'],
    ['{ subject: { eq: "\\u0000" } }', 'subject.eq'],
  ])('with a value of the wrong type are refused by name: %s', async (filter, key) => {
    const { json } = await service.graphql(`{ notices(pageId: "${records.page}", filter: ${filter}) { totalCount } }`);
    expect(json.errors).toEqual([
      expect.objectContaining({
        message: expect.stringContaining(key),
        extensions: { code: 'BAD_REQUEST', path: ['filter', ...key.split('.')] },
      }),
    ]);
  });
});

describe('the order', () => {
  const ordered = async (orderBy: string) =>
    subjects(
      (await read(`($page: ID!) { notices(pageId: $page, orderBy: ${orderBy}) { nodes { subject } } }`)).notices.nodes,
    );

  test('is that of the record type by default', async () => {
    const { components, noticeUpdates, noticeTemplates, pages, timezones } = await read(
      `($page: ID!, $n: ID!) {
      components(pageId: $page) { nodes { name } } noticeUpdates(pageId: $page, noticeId: $n) { nodes { content } }
      noticeTemplates(pageId: $page) { nodes { name } } pages { nodes { name } } timezones(first: 2) { nodes { offsetMinutes } } }`,
      { n: records.notices.incident },
    );
    expect(components.nodes.map(({ name }: { name: string }) => name)).toEqual([
      'Website',
      'Search',
      'Cards',
      'Checkout',
      'Mail',
    ]);
    expect(noticeUpdates.nodes).toEqual([{ content: 'We look into it.' }, { content: 'Still at it.' }]);
    expect(noticeTemplates.nodes).toEqual([{ name: 'Anything' }, { name: 'Cards' }]);
    expect(pages.nodes).toEqual([{ name: 'All Clear' }, { name: 'Nothing here' }]);
    expect(timezones.nodes[0].offsetMinutes).toBeLessThanOrEqual(timezones.nodes[1].offsetMinutes);
  });

  test('follows orderBy, ascending by default', async () => {
    expect(await ordered('[{ field: SUBJECT }]')).toEqual(['Cards fail', 'Hello', 'New disks', 'Slow search']);
    expect(await ordered('[{ field: SUBJECT, direction: DESC }]')).toEqual([
      'Slow search',
      'New disks',
      'Hello',
      'Cards fail',
    ]);
    expect(await ordered('[{ field: ID, direction: ASC }]')).toEqual([
      'Slow search',
      'Cards fail',
      'New disks',
      'Hello',
    ]);
    expect(await ordered('[{ field: CREATED_AT, direction: DESC }, { field: SUBJECT }]')).toEqual([
      'Hello',
      'New disks',
      'Cards fail',
      'Slow search',
    ]);
  });
});

describe('a list', () => {
  test('has no edges, cursors and total if it is empty', async () => {
    const { components } = await execute(
      service,
      `{ components(pageId: "${records.empty}") {
        totalCount nodes { name } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    );
    expect(components).toEqual({
      totalCount: 0,
      nodes: [],
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
  });

  test('has 25 records by default', async () => {
    const { timezones } = await read('{ timezones { totalCount nodes { name } } }');
    expect([timezones.nodes.length, timezones.totalCount]).toEqual([25, 149]);
  });

  test.each(['first: 101', 'first: 0', 'first: -1', 'last: 101', 'last: 0'])(
    'is bounded: %s is refused',
    async list => {
      const { json } = await service.graphql(`{ notices(pageId: "${records.page}", ${list}) { totalCount } }`);
      expect(json.errors[0]).toMatchObject({
        message: `\`${list.split(':')[0]}\` of notices must be from 1 to 100.`,
        extensions: { code: 'BAD_REQUEST' },
      });
    },
  );

  test.each(['page: 1', 'perPage: 5'])('has no numbered pages, which are those of /v1: %s', async list => {
    const { json } = await service.graphql(`{ notices(pageId: "${records.page}", ${list}) { totalCount } }`);
    expect(json.errors[0].message).toContain(`Unknown argument "${list.split(':')[0]}"`);
  });
});

describe('cursors', () => {
  const cut = (after: string | null, orderBy: object[] | null, pageId: string) =>
    execute(
      service,
      `query($page: ID!, $after: String, $orderBy: [ComponentOrder!]) { components(pageId: $page, first: 2, after: $after, orderBy: $orderBy) {
        edges { cursor node { name } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
      { page: pageId, after, orderBy },
    );
  const makePage = async (names: string[]) => {
    const { createPage } = await execute(
      service,
      'mutation { createPage(input: { name: "Cursors" }) { page { id } } }',
    );
    for (const name of names) await add(createPage.page.id, name);
    return createPage.page.id as string;
  };
  const add = (page: string, name: string, position?: number) =>
    execute(
      service,
      'mutation($p: ID!, $i: CreateComponentInput!) { createComponent(pageId: $p, input: $i) { component { id } } }',
      { p: page, i: { name, position } },
    );

  test.each([
    ['the order of the class', null],
    ['another order', [{ field: 'NAME', direction: 'DESC' }]],
    ['an order by a moment', [{ field: 'CREATED_AT', direction: 'ASC' }]],
  ])('visit every record once, ordered by %s', async (_, orderBy) => {
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

  test('do not shift when records are added before them', async () => {
    const page = await makePage(['b', 'd', 'f', 'h']);
    const orderBy = [{ field: 'NAME' }];
    const first = (await cut(null, orderBy, page)).components;
    await add(page, 'a');
    await add(page, 'c');
    const second = (await cut(first.pageInfo.endCursor, orderBy, page)).components;
    expect(second.edges.map(({ node }: { node: { name: string } }) => node.name)).toEqual(['f', 'h']);
  });

  test('order equal records by id', async () => {
    const page = await makePage(['same', 'same', 'same', 'same']);
    const ids = async (after: string | null): Promise<{ ids: string[]; end: string }> => {
      const { components } = await execute(
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

  test('of another order are refused', async () => {
    const page = await makePage(['a', 'b', 'c']);
    const orders = [
      null,
      [{ field: 'NAME' }],
      [{ field: 'NAME', direction: 'DESC' }],
      [{ field: 'CREATED_AT' }],
      [{ field: 'UPDATED_AT' }],
    ];
    const ask = async (orderBy: object[] | null, after: string) => {
      const query =
        'query($p: ID!, $a: String, $o: [ComponentOrder!]) { components(pageId: $p, first: 2, after: $a, orderBy: $o) { totalCount } }';
      return (
        (await service.graphql(query, { p: page, a: after, o: orderBy })).json.errors?.[0].extensions.code ?? 'taken'
      );
    };
    for (const own of orders) {
      const { endCursor } = (await cut(null, own, page)).components.pageInfo;
      for (const other of orders)
        expect([own, other, await ask(other, endCursor)]).toEqual([
          own,
          other,
          own === other ? 'taken' : 'BAD_REQUEST',
        ]);
    }
  });

  test.each(['ASC', 'DESC'])('order null times as later than any, with direction %s', async direction => {
    const page = await makePage([]);
    const open = (verb: string, input: string) =>
      execute(
        service,
        `mutation { ${verb}(pageId: "${page}", input: { ${input}, shouldPublish: false }) { notice { id } } }`,
      );
    for (const day of ['03', '01', '02'])
      await open(
        'scheduleMaintenance',
        `subject: "${day}", beginsAt: "2030-01-${day}T00:00:00Z", endsAt: "2030-01-04T00:00:00Z"`,
      );
    for (const subject of ['none a', 'none b', 'none c']) await open('openIncident', `subject: "${subject}"`);
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const { notices } = await execute(
        service,
        `query($p: ID!, $a: String) { notices(pageId: $p, first: 2, after: $a, orderBy: [{ field: BEGINS_AT, direction: ${direction} }]) { nodes { subject } pageInfo { hasNextPage endCursor } } }`,
        { p: page, a: after },
      );
      seen.push(...notices.nodes.map(({ subject }: { subject: string }) => subject));
      ({ endCursor: after, hasNextPage: more } = notices.pageInfo);
    }
    // Among equal records the greater id comes first, as in every list of notices.
    const set = ['01', '02', '03'];
    const none = ['none c', 'none b', 'none a'];
    expect(seen).toEqual(direction === 'ASC' ? [...set, ...none] : [...none, ...set.toReversed()]);
  });

  test.each(['x', 'bnVsbA==', 'W10=', 'WyJ4Il0=', 'WyJcdTAwMDAiLDFd', 'W3t9LFtdXQ=='])(
    'that no list gave are refused: %j',
    async after => {
      const { json } = await service.graphql(
        'query($p: ID!, $a: String) { components(pageId: $p, after: $a) { totalCount } }',
        { p: records.page, a: after },
      );
      expect(json.errors[0].extensions.code).toBe('BAD_REQUEST');
    },
  );
});
