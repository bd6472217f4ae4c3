import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { settings } from '../../../src/core/config.js';
import { type Conditions, keysOf, queryOf, resources, type Shown } from '../../support/filter-reference.js';
import { startTestService, type TestService } from '../../support/service.js';

/**
 * "no past_distant notices" without a token: whatever is asked, the answer must be the very same as when there is no such notice. So everything is asked
 * twice, with the notice there and with it gone.
 */
let service: TestService;
let page: string;
let component: number;
let gone: Shown;
let cursors: string[];

const usual = settings.anonymousReads;
beforeAll(async () => {
  settings.anonymousReads = 'public';
  service = await startTestService();
  const make = async (path: string, values: object) => (await service.post(path, values)).json.response;
  page = (await make('/v1/pages', { name: 'All' })).id;
  component = (await make(`/v1/pages/${page}/components`, { name: 'One' })).id;
  const notice = (subject: string, values: object) =>
    make(`/v1/pages/${page}/notices?include=updates`, {
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
afterAll(async () => {
  settings.anonymousReads = usual;
  await service.stop();
});

const words: Record<string, string> = {
  state: 'complete',
  timeline_state: 'past_distant',
  type: 'planned',
  tag_list: 'Bygone',
  should_automate_schedule: 'false',
  should_publish: 'false',
};

/** Every legal key, with a value that the notice has, or its update, or its component. */
function conditions(): Conditions {
  const record: Shown = { ...gone, components: [{ id: component, name: 'One' }] };
  return [...keysOf(resources.notices!)].flatMap(([key, { association, attribute, operator }]): Conditions => {
    const from = association ? record[association][0] : record;
    const value = String(words[attribute] ?? from[attribute] ?? 'Bygone');
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
    ...[
      `${at}/notices/${gone.id}`,
      `${at}/notices/${gone.id}/updates`,
      `${at}/notices/${gone.id}/updates/${gone.updates[0].id}`,
    ],
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
    ...conditions().map(condition => `${at}/notices?${queryOf([condition])}`),
    ...conditions().map(condition => `${at}?include=notices&${queryOf([condition], 'filter[notices]')}`),
    ...[at, `${at}/components`, `${at}/components/${component}`],
  ];
}

function queries(): string[] {
  const id = JSON.stringify(page);
  const all =
    'nodes { subject updates { content } } count totalCount pagination { pages count next } pageInfo { hasNextPage hasPreviousPage } edges { node { id } }';
  const orders = ['ID', 'SUBJECT', 'CREATED_AT', 'UPDATED_AT'].map(field => `[{ field: ${field}, direction: DESC }]`);
  return [
    `{ notice(pageId: ${id}, id: ${gone.id}) { subject } }`,
    `{ noticeUpdates(pageId: ${id}, noticeId: ${gone.id}) { nodes { content } totalCount } }`,
    `{ noticeUpdate(pageId: ${id}, noticeId: ${gone.id}, id: ${gone.updates[0].id}) { content } }`,
    `{ component(pageId: ${id}, id: ${component}) { state notices { subject components { notices { subject } } } } }`,
    `{ page(id: ${id}) { state notices { subject } components { notices { subject } } } }`,
    `{ components(pageId: ${id}) { nodes { notices { subject } } edges { node { notices(first: 1) { subject } } } } }`,
    ...[1, 2, 3].flatMap(first =>
      ['', ...cursors].map(
        after => `{ notices(pageId: ${id}, first: ${first}${after && `, after: "${after}"`}) { ${all} } }`,
      ),
    ),
    ...[1, 2, 3].map(number => `{ notices(pageId: ${id}, page: ${number}, perPage: 1) { ${all} } }`),
    ...orders.map(order => `{ notices(pageId: ${id}, orderBy: ${order}, first: 2) { ${all} } }`),
    ...[
      'timelineState: { eq: PAST_DISTANT }',
      `id: { in: ["${gone.id}"] }`,
      'updates: { content: { eq: "Bygone" } }',
      'tagList: { eq: "Bygone" }',
      'subject: { notEq: "x" }',
    ].flatMap(filter => [
      `{ notices(pageId: ${id}, filter: { ${filter} }) { ${all} } }`,
      `{ page(id: ${id}) { notices(filter: { ${filter} }) { subject } components { notices(filter: { ${filter} }) { subject } } } }`,
    ]),
  ];
}

async function allAnswers(token: string | null): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const path of paths()) {
    const { status, text } = await service.get(path, { token });
    answers.set(path, `${status} ${text}`);
  }
  for (const query of queries()) answers.set(query, (await service.graphql(query, {}, { token })).text);
  return answers;
}

test('A notice of the distant past changes no answer that is given without a token', async () => {
  const before = await allAnswers(null);
  const known = await allAnswers(service.tokens.read);
  expect((await service.delete(`/v1/pages/${page}/notices/${gone.id}`)).status).toBe(204);
  const after = await allAnswers(null);
  for (const [asked, answer] of before) expect([asked, answer]).toEqual([asked, after.get(asked)]);
  // With a token most of them tell of it.
  const telling = [...known.values()].filter(answer => answer.includes('Bygone'));
  expect(telling.length).toBeGreaterThan(known.size / 3);
  expect([...before.values()].filter(answer => answer.includes('Last')).length).toBeGreaterThan(before.size / 5);
}, 120_000);
