import { beforeAll, expect, test } from '@jest/globals';
import { createNotice, createPage, createUpdate } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';

/** What the public page shows and a frontend of its own needs. */
const service = useOwnService({ publicUrl: 'https://status.example:8443' });
let page: { id: string; path: string };
let notice: { id: string | number; path: string };
beforeAll(async () => {
  page = await createPage(service);
  notice = await createNotice(service, page.path, { subject: 'Slow', initial_comment: 'We **look**.' });
  await createUpdate(service, notice.path, { content: '# Found\n\n<script>alert(1)</script>[x](javascript:alert(1))' });
  await createNotice(service, page.path, { type: 'general', subject: 'Hello' });
  await createNotice(service, page.path, { subject: 'Over', state: 'resolved' });
  const window = { begins_at: '2099-01-01T00:00:00Z', ends_at: '2099-01-01T01:00:00Z' };
  await createNotice(service, page.path, { type: 'planned', subject: 'Soon', ...window });
});

/** The response of the fast path, which that of the standard execution equals. */
async function read(fields: string) {
  const fast = (await service.graphql(`{ ${fields} }`)).json;
  expect(fast.errors).toBeUndefined();
  expect((await service.graphql(`{ ${fields} __typename }`)).json.data).toEqual({ ...fast.data, __typename: 'Query' });
  return fast.data;
}

test('a page has its URL, and the number of its open notices', async () => {
  expect((await read(`page(id: "${page.id}") { url openNoticesCount }`)).page).toEqual({
    url: `https://${page.id}.status.example:8443`,
    openNoticesCount: 2,
  });
});

test('a notice has its newest update', async () => {
  const { notices } = await read(`notices(pageId: "${page.id}") { nodes { subject latestUpdate { content state } } }`);
  const found = { content: expect.stringContaining('# Found'), state: 'INVESTIGATING' };
  expect(notices.nodes).toEqual([
    { subject: 'Soon', latestUpdate: null },
    { subject: 'Over', latestUpdate: null },
    { subject: 'Hello', latestUpdate: null },
    { subject: 'Slow', latestUpdate: found },
  ]);
});

const html = ['<p>We <strong>look</strong>.</p>', '<h4>Found</h4>\n[x](javascript:alert(1))'];

test('an update has its text as HTML, without what could do harm, and without markup', async () => {
  const { noticeUpdates } = await read(
    `noticeUpdates(noticeId: ${notice.id}) { nodes { contentHtml contentText content } }`,
  );
  expect(noticeUpdates.nodes.map(({ contentHtml }: { contentHtml: string }) => contentHtml)).toEqual(html);
  expect(noticeUpdates.nodes[0]).toMatchObject({ contentText: 'We look.', content: 'We **look**.' });
});

test('texts are converted wherever they are read, by the type of their notice', async () => {
  const [first] = (await read(`noticeUpdates(noticeId: ${notice.id}) { nodes { nodeId } }`)).noticeUpdates.nodes;
  const data = await read(`
    one: node(nodeId: "${first.nodeId}") { ... on NoticeUpdate { text: contentHtml } }
    many: nodes(nodeIds: ["x", "${first.nodeId}"]) { __typename ... on NoticeUpdate { text: contentHtml } }
    page(id: "${page.id}") { notices(filter: { subject: { eq: "Slow" } }) { edges { node {
      ... on UnplannedNotice { updates(first: 1) { nodes { text: contentText } } }
      ... on PlannedNotice { updates(first: 1) { nodes { text: content } } }
      latestUpdate { contentHtml } } } } }`);
  expect(data.one).toEqual({ text: html[0] });
  expect(data.many).toEqual([null, { __typename: 'NoticeUpdate', text: html[0] }]);
  expect(data.page.notices.edges).toEqual([
    { node: { updates: { nodes: [{ text: 'We look.' }] }, latestUpdate: { contentHtml: html[1] } } },
  ]);
});

test('the conversion counts in the cost of a query', async () => {
  const cost = async (field: string) => {
    const query = `{ noticeUpdates(noticeId: 1, first: 10) { nodes { ${field} } } }`;
    return (await service.graphql(query, {}, { headers: { 'x-graphql-cost': '1' } })).json.extensions.cost.requested;
  };
  expect((await cost('contentHtml')) - (await cost('content'))).toBe(50);
});
