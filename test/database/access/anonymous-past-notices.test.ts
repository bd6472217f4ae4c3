import { beforeAll, expect, test } from '@jest/globals';
import {
  type Conditions,
  listKeys,
  toQueryString,
  resources,
  type JsonRecord,
} from '../../support/filter-reference.js';
import { createComponent, createPage, createRecord } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';

/**
 * Anonymous callers see "no past_distant notices": every response must be the same as if the notice did not exist.
 * So each request is sent twice, before and after the notice is deleted.
 */
const service = useOwnService({ anonymousReads: 'public' });
let page: string;
let component: number;
let gone: JsonRecord;
let cursors: string[];

beforeAll(async () => {
  const { id, path } = await createPage(service);
  page = id;
  component = (await createComponent(service, path, { name: 'One' })).id;
  const notice = (subject: string, values: object) =>
    createRecord(service, `${path}/notices?include=updates`, {
      subject,
      initial_comment: subject,
      tag_list: [subject],
      component_ids: [component],
      ...values,
    });
  await notice('First', { state: 'resolved' });
  gone = await notice('Bygone', {
    type: 'planned',
    begins_at: '2001-01-01',
    ends_at: '2001-01-02',
    state: 'complete',
    began_at: '2001-01-01',
    ended_at: '2001-01-02',
  });
  await notice('Last', {});
  const { json } = await service.graphql(`{ notices(pageId: "${page}") { edges { cursor node { subject } } } }`);
  const edges: { cursor: string; node: { subject: string } }[] = json.data.notices.edges;
  expect(edges.map(({ node }) => node.subject)).toEqual(['Last', 'Bygone', 'First']);
  cursors = edges.map(({ cursor }) => cursor);
}, 60_000);

const values: Record<string, string> = {
  state: 'complete',
  timeline_state: 'past_distant',
  type: 'planned',
  tag_list: 'Bygone',
  should_automate_schedule: 'false',
  should_publish: 'false',
};

/** Every legal filter key, with a value of the notice, of its update or of its component. */
function conditions(): Conditions {
  const record: JsonRecord = { ...gone, components: [{ id: component, name: 'One' }] };
  return [...listKeys(resources.notices!)].flatMap(([key, { association, attribute, operator }]): Conditions => {
    const from = association ? record[association][0] : record;
    const value = String(values[attribute] ?? from[attribute] ?? 'Bygone');
    if (operator === 'present' || operator === 'blank')
      return [
        [key, undefined],
        [key, 'false'],
      ];
    return [[key, operator === 'in' || operator === 'not_in' ? [value] : value]];
  });
}

function paths(): string[] {
  const at = `/v1/pages/${page}`;
  return [
    `${at}/notices/${gone.id}`,
    `${at}/notices/${gone.id}/updates`,
    `${at}/notices/${gone.id}/updates/${gone.updates[0].id}`,
    ...[
      '',
      '?include=updates,components',
      '?page=1',
      '?page=1&per_page=1',
      '?page=2&per_page=1',
      '?page=3&per_page=1',
    ].map(query => `${at}/notices${query}`),
    ...['notices', 'notices.updates', 'notices.components', 'components,notices.updates,notices.components'].map(
      include => `${at}?include=${include}`,
    ),
    ...conditions().map(condition => `${at}/notices?${toQueryString([condition])}`),
    ...conditions().map(condition => `${at}?include=notices&${toQueryString([condition], 'filter[notices]')}`),
    at,
    `${at}/components`,
    `${at}/components/${component}`,
  ];
}

function queries(): string[] {
  const id = JSON.stringify(page);
  const all =
    'nodes { subject updates { nodes { content } } } totalCount pageInfo { hasNextPage hasPreviousPage } edges { node { id } }';
  const orders = ['ID', 'SUBJECT', 'CREATED_AT', 'UPDATED_AT'].map(field => `[{ field: ${field}, direction: DESC }]`);
  return [
    `{ notice(pageId: ${id}, id: ${gone.id}) { subject } }`,
    `{ noticeUpdates(pageId: ${id}, noticeId: ${gone.id}) { nodes { content } totalCount } }`,
    `{ noticeUpdate(pageId: ${id}, noticeId: ${gone.id}, id: ${gone.updates[0].id}) { content } }`,
    `{ component(pageId: ${id}, id: ${component}) { state notices { nodes { subject components { nodes { notices { nodes { subject } } } } } } } }`,
    `{ page(id: ${id}) { state notices { nodes { subject } } components { nodes { notices { nodes { subject } } } } } }`,
    `{ components(pageId: ${id}) { nodes { notices { nodes { subject } } } edges { node { notices(first: 1) { nodes { subject } } } } } }`,
    ...[1, 2, 3].flatMap(first =>
      ['', ...cursors].map(
        after => `{ notices(pageId: ${id}, first: ${first}${after && `, after: "${after}"`}) { ${all} } }`,
      ),
    ),
    ...[1, 2, 3].map(last => `{ notices(pageId: ${id}, last: ${last}) { ${all} } }`),
    ...orders.map(order => `{ notices(pageId: ${id}, orderBy: ${order}, first: 2) { ${all} } }`),
    ...[
      'timelineState: { eq: PAST_DISTANT }',
      `id: { in: ["${gone.id}"] }`,
      'updates: { content: { eq: "Bygone" } }',
      'tagList: { eq: "Bygone" }',
      'subject: { notEq: "x" }',
    ].flatMap(filter => [
      `{ notices(pageId: ${id}, filter: { ${filter} }) { ${all} } }`,
      `{ page(id: ${id}) { notices(filter: { ${filter} }) { nodes { subject } } components { nodes { notices(filter: { ${filter} }) { nodes { subject } } } } } }`,
    ]),
  ];
}

async function collectResponses(token: string | null): Promise<Map<string, string>> {
  const responses = new Map<string, string>();
  for (const path of paths()) {
    const { status, text } = await service.get(path, { token });
    responses.set(path, `${status} ${text}`);
  }
  for (const query of queries()) responses.set(query, (await service.graphql(query, {}, { token })).text);
  return responses;
}

test('a notice of the distant past changes no response to an anonymous caller', async () => {
  const before = await collectResponses(null);
  const withToken = await collectResponses(service.tokens.read);
  expect((await service.delete(`/v1/pages/${page}/notices/${gone.id}`)).status).toBe(204);
  const after = await collectResponses(null);
  for (const [request, response] of before) expect([request, response]).toEqual([request, after.get(request)]);
  // With a token, most of the responses show it.
  const revealing = [...withToken.values()].filter(response => response.includes('Bygone'));
  expect(revealing.length).toBeGreaterThan(withToken.size / 3);
  expect([...before.values()].filter(response => response.includes('Last')).length).toBeGreaterThan(before.size / 5);
}, 120_000);
