import { beforeEach, describe, expect, test } from '@jest/globals';
import { useOwnService } from '../../support/service.js';

const service = useOwnService();
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
    extensions: { code: string; path?: string[] };
  }[];
}
const read = async (body: string) =>
  (await service.graphql(`{ ${body.replaceAll('$page', JSON.stringify(page))} }`)).json;
const notice = async (input: string) =>
  (await write(`openIncident(pageId: $page, input: { ${input}, shouldPublish: false }) { notice { id } }`)).openIncident
    .notice.id as string;

/** Runs a mutation that selects `userErrors`. */
async function userErrors(call: string, selection: string) {
  const { status, json } = await service.graphql(
    `mutation { payload: ${call.replaceAll('$page', JSON.stringify(page))} { ${selection} userErrors { path code message } } }`,
  );
  expect([status, json.errors]).toEqual([200, undefined]);
  return json.data.payload;
}
const invalidPage = 'updatePage(id: $page, input: { name: "Other", locale: "xx" })';

describe('an invalid input', () => {
  test('is reported all at once, with path, code, value and what is allowed', async () => {
    const component = (await write('createComponent(pageId: $page, input: { name: "x" }) { component { id } }'))
      .createComponent.component.id;
    const payload = await userErrors(
      `scheduleMaintenance(pageId: $page, input: { subject: " ", content: "${'x'.repeat(65_536)}",
        beginsAt: "2031-01-01T00:00:00Z", endsAt: "2030-01-01T00:00:00Z", beganAt: "2031-01-01T00:00:00Z",
        componentIds: [${component}, 999999, "x"], tagList: ["${'y'.repeat(256)}"], shouldPublish: false })`,
      'notice { id } page { id } components { id } publication { id } warnings { code }',
    );
    expect(payload).toEqual({
      notice: null,
      page: null,
      components: null,
      publication: null,
      warnings: null,
      userErrors: [
        {
          path: ['input', 'endsAt'],
          code: 'BEFORE_START',
          message: '`endsAt` must be after the start, not 2030-01-01T00:00:00.000Z.',
        },
        {
          path: ['input', 'beganAt'],
          code: 'IN_FUTURE',
          message: '`beganAt` must not be in the future, not 2031-01-01T00:00:00.000Z.',
        },
        {
          path: ['input', 'tagList'],
          code: 'TOO_LONG',
          message: '`tagList` must have at most 255 characters.',
        },
        {
          path: ['input', 'componentIds', '1'],
          code: 'NOT_FOUND',
          message: '`componentIds.1` must be the id of a component of the page, not "999999".',
        },
        {
          path: ['input', 'componentIds', '2'],
          code: 'NOT_FOUND',
          message: '`componentIds.2` must be the id of a component of the page, not "x".',
        },
        {
          path: ['input', 'content'],
          code: 'TOO_LONG',
          message: `\`content\` must have at most 65,535 characters, not "${'x'.repeat(60)}…" (65,536 characters).`,
        },
      ],
    });
  });

  test('is located in the member of a list', async () => {
    const component = (await write('createComponent(pageId: $page, input: { name: "x" }) { component { id } }'))
      .createComponent.component.id;
    const { userErrors: problems } = await userErrors(
      `openIncident(pageId: $page, input: { subject: "x", shouldPublish: false, affectedComponents: [
         { componentId: ${component}, impact: DEGRADED }, { componentId: 999999, impact: DEGRADED }] })`,
      'notice { id }',
    );
    expect(problems).toEqual([
      {
        path: ['input', 'affectedComponents', '1', 'componentId'],
        code: 'NOT_FOUND',
        message: '`affectedComponents.1.componentId` must be the id of a component of the page, not "999999".',
      },
    ]);
  });

  test.each([
    ['createPage(input: { name: "" })', 'page', 'name', 'BLANK', '`name` must not be blank.'],
    [
      'createPage(input: { name: "x", timezone: "Atlantis" })',
      'page',
      'timezone',
      'NOT_IN_LIST',
      '`timezone` must be one of the `timezones`, by its identifier or its name (the nearest are: Atlantic Time ' +
        '(Canada), Mid-Atlantic, Azores), not "Atlantis".',
    ],
    [
      'createPage(input: { name: "x", supportUrl: "example.org" })',
      'page',
      'supportUrl',
      'INVALID',
      '`supportUrl` must be an address that begins with http:// or https://, not "example.org".',
    ],
    [
      'createPage(input: { name: "x", timelineThresholdSeconds: 0 })',
      'page',
      'timelineThresholdSeconds',
      'OUT_OF_RANGE',
      '`timelineThresholdSeconds` must be greater than 0, not 0.',
    ],
    [
      'createPage(input: { name: "x", supportEmail: "nobody" })',
      'page',
      'supportEmail',
      'INVALID',
      '`supportEmail` must be an e-mail address, not "nobody".',
    ],
    [
      'createComponent(pageId: $page, input: { name: "x", parentId: "abc" })',
      'component',
      'parentId',
      'NOT_FOUND',
      '`parentId` must be the id of a component of the page, not "abc".',
    ],
    [
      'updateBrand(pageId: $page, input: { colorBodyText: "red" })',
      'brand',
      'colorBodyText',
      'INVALID',
      '`colorBodyText` must be a colour such as #27ae60 or rgba(0,0,0,0.5), not "red".',
    ],
    [
      'setCustomDomain(pageId: $page, input: { domain: "127.0.0.1" })',
      'customDomain',
      'domain',
      'INVALID',
      '`domain` must be a host name that contains a dot and is not under localhost, not "127.0.0.1".',
    ],
    [
      'configureChannel(pageId: $page, input: { channel: EMAIL, url: "https://chat.example/secret" })',
      'page',
      'channel',
      'NOT_IN_LIST',
      '`channel` must be one of SLACK, TEAMS, DISCORD, MASTODON, not EMAIL.',
    ],
  ])('%s', async (call, record, field, code, message) => {
    expect(await userErrors(call, `${record} { __typename }`)).toEqual({
      [record]: null,
      userErrors: [{ path: ['input', field], code, message }],
    });
  });

  test('names the states of the type of the notice as the schema does', async () => {
    const id = await notice('subject: "x"');
    const { userErrors: errors } = await userErrors(
      `advanceNotice(pageId: $page, id: ${id}, input: { state: UNDERWAY, shouldPublish: false })`,
      '',
    );
    expect(errors).toEqual([
      {
        path: ['input', 'state'],
        code: 'NOT_IN_LIST',
        message: '`state` must be one of INVESTIGATING, IDENTIFIED, RECOVERING, RESOLVED, FALSE_ALARM, not UNDERWAY.',
      },
    ]);
  });

  test('does not repeat the address of a webhook, which is a secret', async () => {
    const { userErrors: errors } = await userErrors(
      'configureChannel(pageId: $page, input: { channel: SLACK, url: "http://chat.example/secret" })',
      '',
    );
    expect(errors).toMatchObject([{ path: ['input', 'url'], code: 'INVALID' }]);
    expect(JSON.stringify(errors)).not.toContain('secret');
  });

  test('reports an address that another subscriber has as taken', async () => {
    await write('createSubscriber(pageId: $page, input: { email: "a@b.example" }) { subscriber { id } }');
    expect(
      await userErrors('createSubscriber(pageId: $page, input: { email: "A@B.example" })', 'subscriber { id }'),
    ).toEqual({
      subscriber: null,
      userErrors: [
        {
          path: ['input', 'email'],
          code: 'TAKEN',
          message: '`email` must not be that of another subscriber of the page, not "A@B.example".',
        },
      ],
    });
  });

  test('is an error where userErrors is not selected, so that it never goes unnoticed', async () => {
    const message = expect.stringMatching(/^`locale` must be one of .*\ben\b.*, not "xx"\.$/);
    expect(await refused(`${invalidPage} { page { id } }`)).toMatchObject([
      {
        message,
        path: ['updatePage'],
        extensions: {
          code: 'INVALID',
          path: ['input', 'locale'],
          userErrors: [{ path: ['input', 'locale'], code: 'NOT_IN_LIST', message }],
        },
      },
    ]);
  });

  test('is found in a fragment, and left out by a directive', async () => {
    const document = `mutation($with: Boolean!) { ${invalidPage.replace('$page', JSON.stringify(page))} { ...Refused } }
      fragment Refused on PagePayload { page { id } errors: userErrors @include(if: $with) { code } }`;
    const selected = (await service.graphql(document, { with: true })).json;
    expect(selected).toEqual({ data: { updatePage: { page: null, errors: [{ code: 'NOT_IN_LIST' }] } } });
    const unselected = (await service.graphql(document, { with: false })).json;
    expect(unselected).toMatchObject({ data: { updatePage: null }, errors: [{ extensions: { code: 'INVALID' } }] });
  });

  test('does not affect the other fields of the document', async () => {
    const { json } = await service.graphql(`mutation {
      one: createPage(input: { name: "" }) { page { id } userErrors { code } }
      two: createPage(input: { name: "Two" }) { page { name } userErrors { code } } }`);
    expect(json).toEqual({
      data: {
        one: { page: null, userErrors: [{ code: 'BLANK' }] },
        two: { page: { name: 'Two' }, userErrors: [] },
      },
    });
  });

  test('writes nothing', async () => {
    await refused(`${invalidPage} { page { id } }`);
    await userErrors(invalidPage, '');
    expect((await read('page(id: $page) { name version }')).data.page).toEqual({ name: 'Ours', version: 1 });
  });

  test.each([
    ['updatePage(id: "00000000", input: {}) { page { id } }', 'page', 'id'],
    ['updateNotice(pageId: $page, id: 999999, input: { shouldPublish: false }) { notice { id } }', 'notice', 'id'],
    ['deleteComponent(pageId: $page, id: "abc") { deletedId }', 'component', 'id'],
    [
      'createNoticeUpdate(pageId: $page, noticeId: 999999, input: { content: "x", shouldPublish: false }) { update: noticeUpdate { id } }',
      'notice',
      'noticeId',
    ],
    ['deleteSubscriber(pageId: "00000000", id: 1) { deletedId }', 'page', 'pageId'],
    ['deleteTheme(pageId: $page) { page { id } }', 'theme', 'pageId'],
  ])('%s answers NOT_FOUND for a missing record, and names its argument', async (body, word, argument) => {
    expect(await refused(body)).toEqual([
      expect.objectContaining({
        message: `We couldn't find the ${word} you were looking for.`,
        extensions: { code: 'NOT_FOUND', path: [argument] },
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
      { name: 'x', timelineThresholdSeconds: 2 ** 31 },
    ])
      expect((await service.graphql(query, { i })).json.errors[0].extensions.code).toBe('BAD_USER_INPUT');
  });
});

describe('ifVersion', () => {
  test.each([
    ['updatePage(id: $page, ifVersion: VERSION, input: { metaTitle: "x" }) { page { id } }'],
    ['updateBrand(pageId: $page, ifVersion: VERSION, input: { colorBodyText: "#000" }) { brand { version } }'],
    ['resetBrand(pageId: $page, ifVersion: VERSION) { brand { version } }'],
    ['deletePage(id: $page, ifVersion: VERSION) { deletedId }'],
  ])('%s', async body => {
    expect(await refused(body.replace('VERSION', '2'))).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/version/),
        extensions: { code: 'PRECONDITION_FAILED', path: ['ifVersion'], currentVersion: 1 },
      }),
    ]);
    expect(await write(body.replace('VERSION', '1'))).toBeTruthy();
  });

  test('takes a variable of the type that code generators write', async () => {
    const query =
      'mutation($page: ID!, $v: Int) { updatePage(id: $page, ifVersion: $v, input: { metaTitle: "x" }) { page { version } } }';
    expect((await service.graphql(query, { page, v: 1 })).json.data.updatePage.page).toEqual({ version: 2 });
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
        `mutation { updateNotice(pageId: "${page}", id: ${id}, ifVersion: 1, input: { subject: "${subject}", shouldPublish: false }) { notice { subject } } }`,
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
          'updateNotice(pageId: $page, id: 999999, ifVersion: 5, input: { shouldPublish: false }) { notice { id } }',
        )
      )[0]!.extensions.code,
    ).toBe('NOT_FOUND');
    expect(
      (await refused('updatePage(id: $page, ifVersion: 5, input: { name: "" }) { page { id } }'))[0]!.extensions.code,
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

test('lists the first hundred values that an input has wrong, whether they are selected or not', async () => {
  const values = Array.from({ length: 150 }, () => '{ metricId: "1", value: 1e18 }').join(' ');
  const call = `recordMetricValues(pageId: $page, input: { values: [${values}] })`;
  const { userErrors: selected } = await userErrors(call, 'count');
  expect(selected).toHaveLength(100);
  expect(selected.at(-1).path).toEqual(['input', 'values', '49', 'value']);
  const [error] = await refused(`${call} { count }`);
  expect(error).toMatchObject({ extensions: { code: 'INVALID', userErrors: selected } });
});
