import { beforeEach, describe, expect, test } from '@jest/globals';
import { useService } from '../../support/service.js';

const service = useService();
let page: string;
beforeEach(async () => {
  page = (await write('createPage(input: { name: "Ours" }) { page { id } }')).createPage.page.id;
});

/** Sends a mutation that must succeed; `$page` is a new page. */
async function write(body: string) {
  const { json } = await service.graphql(`mutation { ${body.replaceAll('$page', JSON.stringify(page ?? ''))} }`);
  if (json.errors) throw new Error(JSON.stringify(json.errors));
  return json.data;
}
/** Returns the errors of a mutation that must fail. */
async function refused(body: string) {
  const { status, json } = await service.graphql(`mutation { ${body.replaceAll('$page', JSON.stringify(page))} }`);
  expect(status).toBe(200);
  return json.errors as {
    message: string;
    path: string[];
    extensions: { code: string; fields?: Record<string, string[]> };
  }[];
}
const read = async (body: string) =>
  (await service.graphql(`{ ${body.replaceAll('$page', JSON.stringify(page))} }`)).json;
const notice = async (input: string) =>
  (await write(`openIncident(pageId: $page, input: { ${input}, shouldPublish: false }) { notice { id } }`)).openIncident
    .notice.id as string;

describe('an invalid input', () => {
  test('is reported all at once, by GraphQL field', async () => {
    const [error, ...others] = await refused(
      'scheduleMaintenance(pageId: $page, input: { beginsAt: "2031-01-01T00:00:00Z", endsAt: "2030-01-01T00:00:00Z", subject: " ", componentIds: [999999], beganAt: "2031-01-01T00:00:00Z", shouldPublish: false }) { notice { id } }',
    );
    expect(others).toEqual([]);
    expect(error).toMatchObject({
      message: 'The current resource was deemed invalid.',
      path: ['scheduleMaintenance'],
      extensions: { code: 'INVALID' },
    });
    expect(error!.extensions.fields).toMatchObject({
      subject: ["can't be blank"],
      componentIds: ['is invalid'],
      endsAt: ['is invalid'],
      beganAt: ['is invalid'],
    });
  });

  test.each([
    ['createPage(input: { name: "" }) { page { id } }', { name: ["can't be blank"] }],
    [
      'createPage(input: { name: "x", timezone: "Atlantis", locale: "xx" }) { page { id } }',
      {
        timezone: ['is not included in the list', 'the nearest are: Mid-Atlantic, Azores, Atlantic Time (Canada)'],
        locale: ['is not included in the list'],
      },
    ],
    [
      'createPage(input: { name: "x", timelineThreshold: 0 }) { page { id } }',
      { timelineThreshold: ['must be greater than 0'] },
    ],
    [
      `createComponent(pageId: $page, input: { name: "${'x'.repeat(256)}" }) { component { id } }`,
      { name: ['is too long (maximum is 255 characters)'] },
    ],
    [
      'createComponent(pageId: $page, input: { name: "x", parentId: "abc" }) { component { id } }',
      { parentId: ['is invalid'] },
    ],
    [
      'createSubscriber(pageId: $page, input: { nickname: "x" }) { subscriber { id } }',
      { email: ["can't be blank"], phoneNumber: ["can't be blank"] },
    ],
    [
      'updateBrand(pageId: $page, input: { colorBodyText: "red" }) { brand { version } }',
      { colorBodyText: ['is invalid'] },
    ],
    [
      'setCustomDomain(pageId: $page, input: { domain: "127.0.0.1" }) { customDomain { to } }',
      { domain: ['is invalid'] },
    ],
    ['createNoticeTemplate(pageId: $page, input: { name: " " }) { template { id } }', { name: ["can't be blank"] }],
  ])('%s', async (body, fields) => {
    expect((await refused(body))[0]!.extensions).toEqual({ code: 'INVALID', fields });
  });

  test('reports an address that another subscriber has as taken', async () => {
    await write('createSubscriber(pageId: $page, input: { email: "a@b.example" }) { subscriber { id } }');
    const [error] = await refused(
      'createSubscriber(pageId: $page, input: { email: "A@B.example" }) { subscriber { id } }',
    );
    expect(error!.extensions).toEqual({ code: 'INVALID', fields: { email: ['has already been taken'] } });
  });

  test('writes nothing', async () => {
    await refused('updatePage(id: $page, input: { name: "Other", locale: "xx" }) { page { id } }');
    expect((await read('page(id: $page) { name version }')).data.page).toEqual({ name: 'Ours', version: 1 });
  });

  test.each([
    ['updatePage(id: "00000000", input: {}) { page { id } }', 'page'],
    ['updateNotice(pageId: $page, id: 999999, input: { shouldPublish: false }) { notice { id } }', 'notice'],
    ['deleteComponent(pageId: $page, id: "abc") { id }', 'component'],
    [
      'createNoticeUpdate(pageId: $page, noticeId: 999999, input: { content: "x", shouldPublish: false }) { update { id } }',
      'notice',
    ],
    ['deleteSubscriber(pageId: "00000000", id: 1) { id }', 'page'],
  ])('%s answers NOT_FOUND for a missing record', async (body, word) => {
    expect(await refused(body)).toEqual([
      expect.objectContaining({
        message: `We couldn't find the ${word} you were looking for.`,
        extensions: { code: 'NOT_FOUND' },
      }),
    ]);
  });

  test('is refused by graphql-js before anything runs if it does not match its type', async () => {
    const query = 'mutation($i: CreatePageInput!) { createPage(input: $i) { page { id } } }';
    for (const i of [
      {},
      { name: 1 },
      { name: 'x', nothing: 1 },
      { name: 'x', timelineSortOrder: 'UP' },
      { name: 'x', timelineThreshold: 2 ** 31 },
    ])
      expect((await service.graphql(query, { i })).json.errors[0].extensions.code).toBe('BAD_USER_INPUT');
  });
});

describe('ifVersion', () => {
  test.each([
    ['updatePage(id: $page, ifVersion: VERSIONS, input: { metaTitle: "x" }) { page { id } }'],
    ['updateBrand(pageId: $page, ifVersion: VERSIONS, input: { colorBodyText: "#000" }) { brand { version } }'],
    ['resetBrand(pageId: $page, ifVersion: VERSIONS) { brand { version } }'],
    ['deletePage(id: $page, ifVersion: VERSIONS) { id }'],
  ])('%s', async body => {
    expect(await refused(body.replace('VERSIONS', '[2]'))).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/version/),
        extensions: { code: 'PRECONDITION_FAILED' },
      }),
    ]);
    expect(await refused(body.replace('VERSIONS', '[]'))).toEqual([
      expect.objectContaining({ extensions: { code: 'PRECONDITION_FAILED' } }),
    ]);
    expect(await write(body.replace('VERSIONS', '[7, 1]'))).toBeTruthy();
  });

  test('accepts any version if it is null', async () => {
    expect(
      (await write('updatePage(id: $page, ifVersion: null, input: { metaTitle: "x" }) { page { version } }')).updatePage
        .page.version,
    ).toBe(2);
  });

  test('lets one of two writers with the same version win', async () => {
    const id = await notice('subject: "Down"');
    const update = (subject: string) =>
      service.graphql(
        `mutation { updateNotice(pageId: "${page}", id: ${id}, ifVersion: [1], input: { subject: "${subject}", shouldPublish: false }) { notice { subject } } }`,
      );
    const answers = await Promise.all([update('one'), update('two')]);
    expect(answers.map(({ json }) => json.errors?.[0].extensions.code ?? 'written').sort()).toEqual([
      'PRECONDITION_FAILED',
      'written',
    ]);
  });

  test('answers NOT_FOUND for a missing record, and is checked before the input', async () => {
    expect(
      (
        await refused(
          'updateNotice(pageId: $page, id: 999999, ifVersion: [5], input: { shouldPublish: false }) { notice { id } }',
        )
      )[0]!.extensions.code,
    ).toBe('NOT_FOUND');
    expect(
      (await refused('updatePage(id: $page, ifVersion: [5], input: { name: "" }) { page { id } }'))[0]!.extensions.code,
    ).toBe('PRECONDITION_FAILED');
  });
});

describe('several mutations in one request', () => {
  const create = (key: string, name: string) =>
    `${key}: createComponent(pageId: "${page}", input: { name: "${name}" }) { component { position } page { components { nodes { name } } } }`;

  test('run serially, and each sees the effect of those before it', async () => {
    const { json } = await service.graphql(`mutation { ${create('a', 'A')} ${create('b', 'B')} }`);
    expect(json).toEqual({
      data: {
        a: { component: { position: 1 }, page: { components: { nodes: [{ name: 'A' }] } } },
        b: { component: { position: 2 }, page: { components: { nodes: [{ name: 'A' }, { name: 'B' }] } } },
      },
    });
  });

  test('succeed or fail independently: the refused one is null, the others return their payload', async () => {
    const { json } = await service.graphql(`mutation { ${create('a', 'A')} ${create('b', '')} ${create('c', 'C')} }`);
    expect(json.errors).toEqual([expect.objectContaining({ path: ['b'] })]);
    expect(json.data).toMatchObject({ a: { component: { position: 1 } }, b: null, c: { component: { position: 2 } } });
    expect((await read('components(pageId: $page) { nodes { name } }')).data.components.nodes).toEqual([
      { name: 'A' },
      { name: 'C' },
    ]);
  });
});
