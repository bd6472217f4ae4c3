import { beforeAll, expect, test } from '@jest/globals';
import { grantEverywhere } from '../../../src/auth/roles.js';
import { Notice } from '../../../src/notices/notice.entity.js';
import { NoticeUpdate } from '../../../src/notices/updates/update.entity.js';
import { Reader } from '../../../src/records/reader.js';
import { createComponent, createNotice, createPage, createUpdate } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';

const service = useService();
let page: string;
beforeAll(async () => {
  page = (await createPage(service)).id;
});

const ids = (length: number) => Array.from({ length }, (_, index) => String(1_000_000 + index));
const tooMany = (path: string[], maximum: string) => ({
  path,
  code: 'TOO_LONG',
  message: `\`${path.at(-1)}\` must have at most ${maximum} members.`,
});

async function refusalOf(mutation: string, input: object) {
  const type = `${mutation[0]!.toUpperCase()}${mutation.slice(1)}Input!`;
  const { json } = await service.graphql(
    `mutation ($page: ID!, $input: ${type}) {
      ${mutation}(pageId: $page, input: $input) { userErrors { path code message } }
    }`,
    { page, input },
  );
  return json.data?.[mutation].userErrors ?? json;
}

const incident = { subject: 'Search is slow', shouldPublish: false };

test.each<[mutation: string, field: string, input: object]>([
  ['openIncident', 'componentIds', { ...incident, componentIds: ids(2_001) }],
  [
    'openIncident',
    'affectedComponents',
    { ...incident, affectedComponents: ids(2_001).map(componentId => ({ componentId, impact: 'DEGRADED' })) },
  ],
  ['createNoticeTemplate', 'componentIds', { name: 'Search', componentIds: ids(2_001) }],
  ['createSubscriber', 'componentIds', { email: 'list@example.com', componentIds: ids(2_001) }],
  ['createWebhook', 'componentIds', { url: 'https://example.com/hook', componentIds: ids(2_001) }],
])('%s refuses more than 2,000 %s with one problem', async (mutation, field, input) => {
  expect(await refusalOf(mutation, input)).toEqual([tooMany(['input', field], '2,000')]);
});

test.each<[mutation: string, input: object]>([
  ['openIncident', incident],
  ['announce', incident],
  ['createSubscriber', { email: 'tags@example.com' }],
])('%s refuses more than 100 tags', async (mutation, input) => {
  expect(await refusalOf(mutation, { ...input, tagList: ids(101) })).toEqual([tooMany(['input', 'tagList'], '100')]);
});

test('over the API of Statuspage a body has at most 20,000 values, and unknown names have 20 warnings', async () => {
  const open = (record: object) =>
    service.call('POST', `/api/v1/statuspage/pages/${page}/incidents`, {
      token: null,
      headers: { authorization: `OAuth ${service.tokens.write}` },
      json: { incident: { name: 'Search is slow', ...record } },
    });
  expect((await open({ component_ids: ids(20_001) })).status).toBe(413);
  expect((await open({ component_ids: ids(2_001) })).json).toEqual({
    error: ['component_ids has more than 2000 members'],
  });
  const { json, status } = await open(Object.fromEntries(ids(5_000).map(id => [`name${id}`, 'x'])));
  expect([status, json.warnings.length, json.warnings.at(-1)]).toEqual([201, 21, 'There are 4980 more.']);
});

test('the database refuses a response that is too long, of one read or of several', async () => {
  const { orm, read } = service.database;
  const notice = await createNotice(service, `/v1/pages/${page}`);
  const update = await createUpdate(service, notice.path);
  const id = String(notice.id);
  const createFinder = (maxBytes: number) => {
    const caller = { kind: 'token', key: 'test', grants: grantEverywhere('owner') } as const;
    const filterNames = { name: (name: string) => name, separator: '.' };
    const options = { caller, outputMode: 'graphql', filterNames, maxListSize: 100, maxBytes } as const;
    const reader = new Reader(orm, read, options);
    return () => reader.findParentId(Notice, NoticeUpdate, update.id);
  };
  const refusal = {
    code: 'BAD_REQUEST',
    message: expect.stringMatching(/^The response is longer than .* MB. Ask for fewer records or fields.$/),
  };
  await expect(createFinder(0)()).rejects.toMatchObject(refusal);
  const findParent = createFinder(2 * id.length);
  // At once, as the root fields of the standard execution are read.
  const results = await Promise.allSettled([findParent(), findParent(), findParent(), findParent()]);
  expect(results).toEqual([
    { status: 'fulfilled', value: id },
    { status: 'fulfilled', value: id },
    { status: 'rejected', reason: expect.objectContaining(refusal) },
    { status: 'rejected', reason: expect.objectContaining(refusal) },
  ]);
});

test('a response has 4 MB, whatever its number of root fields, 2 MB without a token, 16 MB for owners of all pages', async () => {
  const owner = await createToken(service.database, 'of the page', { role: 'owner', pageIds: [page] });
  const { path, id } = await createNotice(service, `/v1/pages/${page}`);
  await createUpdate(service, path, { content: '\u20ac'.repeat(65_535) });
  const read = async (fields: number, token?: string | null, texts = 15) => {
    const contents = Array.from({ length: texts }, (_, index) => `c${index}: content`).join(' ');
    const roots = Array.from({ length: fields }, (_, index) => `n${index}: notice(id: "${id}") { ...texts }`).join(' ');
    const fragment = `fragment texts on Notice { updates(last: 1) { nodes { ${contents} } } }`;
    return (await service.graphql(`{ ${roots} } ${fragment}`, {}, { token })).json;
  };
  for (const [token, texts, megabytes] of [
    [null, 8, 2],
    [service.tokens.read, 15, 4],
    [owner, 15, 4],
  ] as const) {
    expect((await read(1, token, texts)).errors).toBeUndefined();
    const { data, errors } = await read(2, token, texts);
    expect(errors).toEqual([
      expect.objectContaining({
        message: `The response is longer than ${megabytes} MB. Ask for fewer records or fields.`,
        path: ['n1'],
      }),
    ]);
    expect(data.n1).toBeNull();
  }
  expect((await read(5)).errors).toBeUndefined();
  expect((await read(6)).errors[0].message).toBe('The response is longer than 16 MB. Ask for fewer records or fields.');
});

test('the HTML of texts counts as part of a response', async () => {
  const { path, id } = await createNotice(service, `/v1/pages/${page}`);
  await createUpdate(service, path, { content: `${'>'.repeat(16)} a\n\n`.repeat(1_200) });
  const contents = Array.from({ length: 60 }, (_, index) => `c${index}: contentHtml`).join(' ');
  const read = async (query: string) => (await service.graphql(query, {}, { token: null })).json;
  const refusal = expect.objectContaining({
    message: 'The response is longer than 2 MB. Ask for fewer records or fields.',
  });
  const updates = `updates(last: 1) { nodes { ${contents} } }`;
  expect((await read(`{ notice(id: "${id}") { ${updates} } }`)).errors).toEqual([refusal]);
  const both = await read(`{ a: notice(id: "${id}") { ${updates} } b: notice(id: "${id}") { id } }`);
  expect(both.errors).toEqual([refusal, refusal]);
});

test('the messages of a preview count as part of a response', async () => {
  const token = await createToken(service.database, 'of drafts', { role: 'drafter', pageIds: [page] });
  const input = { openIncident: { ...incident, content: `${'>'.repeat(16)}a\n\n`.repeat(450) } };
  const preview = async (field: string, times: number) => {
    const fields = Array.from({ length: times }, (_, index) => `a${index}: ${field}`).join(' ');
    const query = `query ($page: ID!, $input: NoticeChangeInput!) {
      previewPublication(pageId: $page, input: $input) { messages { ${fields} } }
    }`;
    return (await service.graphql(query, { page, input }, { token })).json;
  };
  const message = 'The response is longer than 4 MB. Ask for fewer records or fields.';
  for (const [field, possible, tooMany] of [
    ['mail { html }', 10, 60],
    ['text(channel: SLACK)', 95, 0],
    ['page', 1, 95],
  ] as const) {
    expect((await preview(field, possible)).errors).toBeUndefined();
    if (tooMany) expect((await preview(field, tooMany)).errors[0]).toMatchObject({ message });
  }
});

test('a record that is read once counts as often as a response shows it', async () => {
  const { id, path } = await createPage(service);
  const { id: component } = await createComponent(service, path, { description: 'x'.repeat(2_000) });
  for (let index = 0; index < 25; index++)
    await service.graphql(
      `mutation ($page: ID!, $input: CreateNoticeTemplateInput!) {
        createNoticeTemplate(pageId: $page, input: $input) { userErrors { path } } }`,
      { page: id, input: { name: `Outage ${index}`, componentIds: [component] } },
    );
  const token = await createToken(service.database, 'of templates', { role: 'viewer', pageIds: [id] });
  const read = async (times: number) => {
    const texts = Array.from({ length: times }, (_, index) => `a${index}: description`).join(' ');
    const query = `query ($page: ID!) {
      noticeTemplates(pageId: $page, first: 100) { nodes { components { ${texts} } } }
    }`;
    return (await service.graphql(query, { page: id }, { token })).json;
  };
  const { data, errors } = await read(60);
  expect(errors).toBeUndefined();
  expect(data.noticeTemplates.nodes[24].components[0].a59).toHaveLength(2_000);
  expect((await read(95)).errors).toEqual([
    expect.objectContaining({ message: 'The response is longer than 4 MB. Ask for fewer records or fields.' }),
  ]);
});
