import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createComponent, createNotice, createPage, createUpdate } from '../../support/factories.js';
import { type TestService, useService } from '../../support/service.js';

/** Lists of related records that can become many: connections, wherever they are. */
const service = useService();
let page: string;
let root: string;
let notice: string;
beforeAll(async () => {
  const { id, path } = await createPage(service, { name: 'Connections' });
  page = id;
  root = String((await createComponent(service, path, { name: 'Root' })).id);
  for (let index = 1; index <= 30; index++)
    await createComponent(service, path, { name: `Part ${index}`, parent_id: root });
  notice = String((await createNotice(service, path, { subject: 'Slow', component_ids: [root] })).id);
  for (const content of ['One', 'Two', 'Three', 'Four'])
    await createUpdate(service, `${path}/notices/${notice}`, { content });
});

/** Selects fields of the component with all the others below it. */
const ofRoot = (selection: string) => `component(pageId: "${page}", id: "${root}") { ${selection} }`;
const ofNotice = (selection: string) => `notice(pageId: "${page}", id: "${notice}") { ${selection} }`;

/** The response of the fast path, which that of the standard execution equals. */
async function read(fields: string) {
  const fast = (await service.graphql(`{ ${fields} }`)).json;
  expect(fast.errors).toBeUndefined();
  // A field that is no read makes the same query take the standard execution.
  expect((await service.graphql(`{ ${fields} __typename }`)).json.data).toEqual({ ...fast.data, __typename: 'Query' });
  return fast.data;
}

const contents = ({ nodes }: { nodes: { content: string }[] }) => nodes.map(({ content }) => content);

describe('a connection below a record', () => {
  test('has 25 records by default, and says that there are more', async () => {
    const { component } = await read(ofRoot('children { nodes { name } totalCount pageInfo { hasNextPage } }'));
    expect(component.children.nodes).toHaveLength(25);
    expect(component.children).toMatchObject({ totalCount: 30, pageInfo: { hasNextPage: true } });
  });

  test('can be read to its end by cursor, each record once', async () => {
    const names: string[] = [];
    let after: string | null = null;
    for (let step = 0; step < 3; step++) {
      const { component }: { component: { children: Slice } } = await read(
        ofRoot(`children(first: 12, after: ${JSON.stringify(after)}) {
          edges { cursor node { name } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`),
      );
      const { edges, pageInfo } = component.children;
      names.push(...edges.map(({ node }) => node.name));
      expect(pageInfo).toEqual({
        hasNextPage: step < 2,
        hasPreviousPage: step > 0,
        startCursor: edges[0]!.cursor,
        endCursor: edges.at(-1)!.cursor,
      });
      after = pageInfo.endCursor;
    }
    expect(names).toEqual(Array.from({ length: 30 }, (_, index) => `Part ${index + 1}`));
  });

  test('takes an order, and a filter that counts too', async () => {
    const { component } = await read(
      ofRoot(`children(first: 3, orderBy: [{ field: NAME, direction: DESC }], filter: { name: { cont: "2" } }) {
        nodes { name } totalCount }`),
    );
    expect(component.children).toEqual({
      nodes: [{ name: 'Part 29' }, { name: 'Part 28' }, { name: 'Part 27' }],
      totalCount: 12,
    });
  });

  test('gives the end of the list in the order of the list', async () => {
    const select = 'nodes { content } pageInfo { hasNextPage hasPreviousPage startCursor }';
    const last = (await read(ofNotice(`updates(last: 2) { ${select} }`))).notice.updates;
    expect(contents(last)).toEqual(['Three', 'Four']);
    expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const before = `updates(last: 2, before: "${last.pageInfo.startCursor}") { ${select} }`;
    const rest = (await read(ofNotice(before))).notice.updates;
    expect(contents(rest)).toEqual(['One', 'Two']);
    expect(rest.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  });

  test('is nested in another, with edges in edges, under aliases of its own', async () => {
    const { component } = await read(
      ofRoot(`some: notices { edges { node {
        subject
        components { edges { node { name children(first: 1) { totalCount
          edges { node { name notices { totalCount nodes { subject } } } } } } } }
        updates(first: 1) { nodes { content } totalCount }
        all: updates { totalCount } } } }`),
    );
    const [{ node }] = component.some.edges;
    expect(node).toEqual({
      subject: 'Slow',
      components: {
        edges: [
          {
            node: {
              name: 'Root',
              children: {
                totalCount: 30,
                edges: [{ node: { name: 'Part 1', notices: { totalCount: 0, nodes: [] } } }],
              },
            },
          },
        ],
      },
      updates: { nodes: [{ content: 'One' }], totalCount: 4 },
      all: { totalCount: 4 },
    });
  });

  test('of ancestors and descendants is one, too', async () => {
    const { parts, component } = await read(
      `parts: components(pageId: "${page}", filter: { name: { eq: "Part 7" } }) {
         nodes { ancestors { nodes { name } totalCount } } } ${ofRoot('descendants(last: 1) { nodes { name } totalCount }')}`,
    );
    expect(parts.nodes).toEqual([{ ancestors: { nodes: [{ name: 'Root' }], totalCount: 1 } }]);
    expect(component.descendants).toEqual({ nodes: [{ name: 'Part 30' }], totalCount: 30 });
  });
});

interface Slice {
  edges: { cursor: string; node: { name: string } }[];
  pageInfo: { endCursor: string };
}

describe('a connection refuses', () => {
  const refuse = async (list: string) => {
    const [error] = (await service.graphql(`{ ${ofRoot(`children(${list}) { totalCount }`)} }`)).json.errors;
    return [error.extensions.code, error.message];
  };

  test.each(['first: 0', 'first: -1', 'first: 101', 'last: 0', 'last: 101'])('%s', async list => {
    const name = list.split(':')[0]!;
    expect(await refuse(list)).toEqual(['BAD_REQUEST', `\`${name}\` of children must be from 1 to 100.`]);
  });

  test('first together with last', async () => {
    expect(await refuse('first: 1, last: 1')).toEqual(['BAD_REQUEST', 'Use either `first` or `last` of children.']);
  });

  test.each(['after', 'before'])('a cursor of another list as %s', async name => {
    expect(await refuse(`${name}: "WyJpZCBhc2MiLDFd"`)).toEqual([
      'BAD_REQUEST',
      `\`${name}\` must be a cursor of this list, requested with the same \`orderBy\`.`,
    ]);
  });
});

describe('one statement', () => {
  const statements: string[] = [];
  let original: TestService['database']['read'];
  beforeEach(() => {
    original = service.database.read;
    statements.length = 0;
    service.database.read = (text, values) => {
      statements.push(text);
      return original(text, values);
    };
  });
  afterEach(() => {
    service.database.read = original;
  });
  const send = async (selection: string) => {
    const query = `query($page: ID!) { page(id: $page) { ${selection} } }`;
    expect((await service.graphql(query, { page })).json.errors).toBeUndefined();
  };

  test('reads nested connections with their totals and cursors', async () => {
    await send(
      'components(first: 2) { totalCount pageInfo { endCursor } nodes { notices { totalCount nodes { updates { totalCount } } } } }',
    );
    expect(statements).toHaveLength(1);
  });

  test('does not count what is not selected', async () => {
    await send('components(first: 2) { nodes { name } }');
    expect(statements).toHaveLength(1);
    expect(statements[0]).not.toContain('count(');
  });
});
