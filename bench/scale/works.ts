import type { Client } from './client.ts';
import { pages, type Sizes } from './fill.ts';

/** A page and how many records it has. */
export interface Measured {
  id: string;
  size: number;
}

/** At most so many times the time of the small page, or so many milliseconds. */
interface Goal {
  ratio?: number;
  p50Ms?: number;
  p95Ms?: number;
}

export interface Work {
  name: string;
  goal: Goal;
  /** Prepares the work for a page and returns what is measured. */
  prepare(page: Measured): Promise<() => Promise<unknown>> | (() => Promise<unknown>);
}

export interface Group {
  name: string;
  large: Measured;
  small: Measured;
  works: Work[];
}

export function createGroups(client: Client, { large, small }: Sizes): Group[] {
  const { graphql, lists, filters, search } = createWorks(client);
  const ofPage = (name: string, goal: Goal, path: string): Work => ({
    name,
    goal,
    prepare:
      ({ id }) =>
      () =>
        client.visit(`/status/${id}/${path}`),
  });
  const onRequest = (name: string, goal: Goal, act: (page: Measured) => Promise<unknown>): Work => ({
    name,
    goal,
    prepare: page => () => act(page),
  });
  let created = 0;
  const createNotice = (page: Measured) =>
    client.post(`/v1/pages/${page.id}/notices`, {
      subject: `Created ${++created}`,
      state: 'resolved',
      initial_comment: 'It was *short*.',
    });
  return [
    {
      name: 'Notices of a page',
      large: { id: pages.manyNotices, size: large },
      small: { id: pages.fewNotices, size: small },
      works: [
        ...lists('notices'),
        {
          name: 'one notice',
          goal: { ratio: 1.2 },
          prepare: async page => {
            const id = await findMiddle(client, 'notices', page);
            return () => client.get(`/v1/pages/${page.id}/notices/${id}`);
          },
        },
        ...['PRESENT', 'FUTURE', 'PAST_RECENT', 'PAST_DISTANT'].map(state =>
          filters('notices', { timelineState: { eq: state } }),
        ),
        ...['INVESTIGATING', 'IDENTIFIED', 'RESOLVED', 'COMPLETE'].map(state =>
          filters('notices', { state: { eq: state } }),
        ),
        graphql(
          '`notices`, `totalCount` alone',
          { p50Ms: 150 },
          'query($p: ID!) { notices(pageId: $p) { totalCount } }',
        ),
        onRequest('/v1 `notices?per_page=25`, with its count', { p50Ms: 150 }, ({ id }) =>
          client.get(`/v1/pages/${id}/notices?per_page=25`),
        ),
        onRequest(`the same, \`page=${Math.floor(large / 50)}\``, { p50Ms: 150 }, ({ id, size }) =>
          client.get(`/v1/pages/${id}/notices?per_page=25&page=${Math.floor(size / 50)}`),
        ),
        onRequest('/v1 `notices`, up to 500', { p50Ms: 150 }, ({ id }) => client.get(`/v1/pages/${id}/notices`)),
        search('notices', { subject: { cont: 'c4ca4238' } }),
        search('notices', { subject: { cont: 'elevated' } }),
        search('notices', { subject: { cont: 'no such text' } }),
        search('notices', { subject: { cont: 'störung' } }),
        search('notices', { updates: { content: { cont: 'c4ca4238' } } }),
        search('notices', { updates: { content: { cont: 'likely' } } }),
        search('notices', { components: { name: { cont: 'Part 3' } } }),
        ...lists('drafts'),
        ...lists('auditLog'),
        ofPage('the public page', { ratio: 1.2 }, ''),
        ofPage('its feed (Atom)', { ratio: 1.2 }, 'feed.atom'),
        ofPage('its calendar', { ratio: 1.2 }, 'calendar.ics'),
        ofPage('its history, the current month', { p50Ms: 50 }, 'history'),
        graphql(
          'the history of its components',
          { p50Ms: 50 },
          'query($p: ID!) { components(pageId: $p) { nodes { history { date status } } } }',
        ),
        onRequest('create a notice', { ratio: 1.5 }, createNotice),
        onRequest('create a notice, until the page shows it', { p50Ms: 150 }, async page => {
          await createNotice(page);
          while (!(await client.visit(`/status/${page.id}/feed.atom`)).includes(`Created ${created}<`));
        }),
      ],
    },
    {
      name: 'Subscribers of a page',
      large: { id: pages.manySubscribers, size: large },
      small: { id: pages.fewSubscribers, size: small },
      works: [
        ...lists('subscribers'),
        {
          name: 'one subscriber',
          goal: { ratio: 1.2 },
          prepare: async page => {
            const id = await findMiddle(client, 'subscribers', page);
            return () => client.get(`/v1/pages/${page.id}/subscribers/${id}`);
          },
        },
        onRequest('/v1 `subscribers?per_page=25`, with its count', { p50Ms: 150 }, ({ id }) =>
          client.get(`/v1/pages/${id}/subscribers?per_page=25`),
        ),
        search('subscribers', {}, { p50Ms: 150 }, true),
        search('subscribers', { email: { cont: 'person.765@example.com' } }, undefined, true),
        search('subscribers', { email: { cont: '.999' } }, undefined, true),
        search('subscribers', { email: { cont: 'example' } }, undefined, true),
        search('subscribers', { email: { cont: 'nobody@' } }, undefined, true),
        search('subscribers', { firstName: { cont: 'c4ca4238' } }, undefined, true),
        search('subscribers', { company: { cont: 'Company 432' } }, undefined, true),
        search('subscribers', { email: { eq: 'person.765@example.com' } }, { ratio: 1.2 }, true),
        ...lists('deliveries'),
      ],
    },
  ];
}

const newestFirst = 'orderBy: [{ field: ID, direction: DESC }], ';
const recordsOf = (list: string) => `${list[0]!.toUpperCase()}${list.slice(1, -1)}`;
const filterTypes: Record<string, string> = { auditLog: 'AuditEntryFilter', deliveries: 'DeliveryFilter' };
const filterTypeOf = (list: string) => filterTypes[list] ?? `${recordsOf(list)}Filter`;

async function findCursor(client: Client, list: string, page: Measured): Promise<{ id: string; cursor: string }> {
  const read = async (slice: string, filter?: object) => {
    const query = `query($p: ID!, $f: ${filterTypeOf(list)}) {
      list: ${list}(pageId: $p, ${slice}, filter: $f) { edges { cursor node { id } } } }`;
    const { list: found } = await client.graphql(query, { p: page.id, f: filter });
    return found.edges[0];
  };
  const first = await read('first: 1');
  const last = await read('last: 1');
  const middle = Math.round((Number(first.node.id) + Number(last.node.id)) / 2);
  const { node, cursor } = await read('first: 1', { id: { lteq: String(middle) } });
  return { id: node.id, cursor };
}

const findMiddle = async (client: Client, list: string, page: Measured) => (await findCursor(client, list, page)).id;

function createWorks(client: Client) {
  const graphql = (name: string, goal: Goal, query: string, variables: object = {}): Work => ({
    name,
    goal,
    prepare: page => () => client.graphql(query, { p: page.id, ...variables }),
  });
  /** The first, middle and last records of a list, by cursor. */
  function lists(list: string): Work[] {
    const query = (slice: string) =>
      `query($p: ID!) { ${list}(pageId: $p, ${slice}) { nodes { id } pageInfo { hasNextPage endCursor } } }`;
    const goal = { ratio: 1.2 };
    return [
      graphql(`\`${list}\`, the first 25`, goal, query('first: 25')),
      {
        name: `\`${list}\`, 25 in the middle`,
        goal,
        prepare: async page => {
          const { cursor } = await findCursor(client, list, page);
          return () => client.graphql(query(`first: 25, after: ${JSON.stringify(cursor)}`), { p: page.id });
        },
      },
      graphql(`\`${list}\`, the last 25`, goal, query('last: 25')),
    ];
  }
  /** The first records that match, without their count. */
  const filters = (list: string, filter: object): Work =>
    graphql(
      `\`${list}\` with ${describe(filter)}`,
      { ratio: 2 },
      `query($p: ID!, $f: ${filterTypeOf(list)}) { ${list}(pageId: $p, first: 25, filter: $f) { nodes { id } } }`,
      { f: filter },
    );
  /** The first records that match, and how many do, as the console searches. */
  const search = (list: string, filter: object, goal: Goal = { p95Ms: 1_000 }, isNewestFirst = false): Work =>
    graphql(
      `\`${list}\` with ${describe(filter)}, and their count`,
      goal,
      `query($p: ID!, $f: ${filterTypeOf(list)}) {
        ${list}(pageId: $p, first: 25, ${isNewestFirst ? newestFirst : ''}filter: $f) {
          totalCount nodes { id createdAt } pageInfo { hasNextPage endCursor } } }`,
      { f: filter },
    );
  return { graphql, lists, filters, search };
}

const describe = (filter: object): string => {
  const text = JSON.stringify(filter).replace(/["{}]/g, '').replace(/:/g, ' ');
  return text ? `\`${text}\`` : 'no filter';
};
