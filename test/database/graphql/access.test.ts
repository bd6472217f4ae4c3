import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { settings } from '../../../src/core/config.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type Cast, makeCast } from '../../support/graphql-records.js';

let service: TestService;
let cast: Cast;
beforeAll(async () => {
  service = await startTestService();
  cast = await makeCast(service);
});
afterAll(() => service.stop());

const usual = settings.anonymousReads;
afterEach(() => {
  settings.anonymousReads = usual;
});

type Mode = typeof settings.anonymousReads;

const reads = (): Record<string, string> => ({
  page: `page(id: "${cast.page}") { id name state }`,
  'page.brand': `page(id: "${cast.page}") { brand { colorBodyText } }`,
  'page.components': `page(id: "${cast.page}") { components { name } }`,
  'page.notices': `page(id: "${cast.page}") { notices { subject updates { content } components { name } } }`,
  component: `component(pageId: "${cast.page}", id: ${cast.components.cards}) { id name state }`,
  'page.components.below': `page(id: "${cast.page}") { components { children { name } parent { name } notices { subject } } }`,
  'component.notices': `component(pageId: "${cast.page}", id: ${cast.components.cards}) { notices { subject updates { content } } }`,
  components: `components(pageId: "${cast.page}") { count }`,
  notices: `notices(pageId: "${cast.page}") { count }`,
  notice: `notice(pageId: "${cast.page}", id: ${cast.notices.incident}) { subject }`,
  noticeUpdates: `noticeUpdates(pageId: "${cast.page}", noticeId: ${cast.notices.incident}) { count }`,
  brand: `brand(pageId: "${cast.page}") { colorBodyText }`,
  pages: 'pages { count }',
  'page.customDomain': `page(id: "${cast.page}") { customDomain { to } }`,
  'page.theme': `page(id: "${cast.page}") { theme { createdAt } }`,
  'page.subscribers': `page(id: "${cast.page}") { subscribers { id } }`,
  'page.noticeTemplates': `page(id: "${cast.page}") { noticeTemplates { id } }`,
  subscribers: `subscribers(pageId: "${cast.page}") { count }`,
  subscriber: `subscriber(pageId: "${cast.page}", id: ${cast.subscribers.ada}) { id }`,
  noticeTemplates: `noticeTemplates(pageId: "${cast.page}") { count }`,
  noticeTemplate: `noticeTemplate(pageId: "${cast.page}", id: "${cast.templates.page}") { id }`,
  customDomain: `customDomain(pageId: "${cast.page}") { to }`,
  theme: `theme(pageId: "${cast.page}") { createdAt }`,
  timezones: 'timezones { count }',
  timezone: 'timezone(id: "UTC") { name }',
  hello: 'hello',
});
const names = [
  ...['page', 'page.brand', 'page.components', 'page.notices', 'component'],
  ...['page.components.below', 'component.notices', 'components', 'notices', 'notice', 'noticeUpdates', 'brand'],
  ...[
    'pages',
    'page.customDomain',
    'page.theme',
    'page.subscribers',
    'page.noticeTemplates',
    'subscribers',
    'subscriber',
    'noticeTemplates',
    'noticeTemplate',
  ],
  ...['customDomain', 'theme', 'timezones', 'timezone', 'hello'],
];
const ofThePage = names.slice(0, 5);
const ofThePublic = names.slice(0, 12);
const open: Record<Mode, string[]> = { none: [], page: ofThePage, public: ofThePublic };

test('every read is in these lists', () => {
  expect(Object.keys(reads())).toEqual(names);
});

describe.each(['none', 'page', 'public'] as const)('Without a token, while ANONYMOUS_READS is %s', mode => {
  test.each(names)('%s is open or UNAUTHENTICATED as the setting says', async name => {
    settings.anonymousReads = mode;
    const { status, json } = await service.graphql(`{ ${reads()[name]} }`, {}, { token: null });
    expect(status).toBe(200);
    if (open[mode].includes(name)) {
      expect(json.errors).toBeUndefined();
      expect(Object.values(json.data)[0]).not.toBeNull();
    } else {
      expect(json.errors).toEqual([
        expect.objectContaining({
          message: 'This action requires authentication to continue.',
          extensions: { code: 'UNAUTHENTICATED' },
        }),
      ]);
      expect(json.data ?? null).toBeNull();
    }
  });

  test('the graph describes itself', async () => {
    settings.anonymousReads = mode;
    const { json } = await service.graphql(
      '{ __typename __schema { queryType { name } } __type(name: "Subscriber") { name } }',
      {},
      { token: null },
    );
    expect(json).toEqual({
      data: { __typename: 'Query', __schema: { queryType: { name: 'Query' } }, __type: { name: 'Subscriber' } },
    });
  });

  test('nothing can be written', async () => {
    settings.anonymousReads = mode;
    const { json } = await service.graphql(
      'mutation { createPage(input: { name: "Mine" }) { page { id } } }',
      {},
      { token: null },
    );
    expect(json.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect((await service.graphql('{ pages(filter: { name: { eq: "Mine" } }) { count } }')).json.data.pages.count).toBe(
      0,
    );
  });
});

describe('Where a page is open without a token', () => {
  const distant = async (token: string | null) => {
    const query = `{ page(id: "${cast.page}") { notices { subject } components { notices { subject } } } }`;
    return JSON.stringify((await service.graphql(query, {}, { token })).json.data);
  };

  test('no notice of the distant past is shown, at any depth, nor found by a filter', async () => {
    const input = {
      subject: 'Long ago',
      state: 'RESOLVED',
      componentIds: [cast.components.mail],
      beganAt: '2020-01-01T00:00:00Z',
      endedAt: '2020-01-02T00:00:00Z',
    };
    const made = await service.graphql(
      'mutation($p: ID!, $i: CreateNotice!) { createNotice(pageId: $p, input: $i) { notice { id } } }',
      {
        p: cast.page,
        i: input,
      },
    );
    expect(made.json.errors).toBeUndefined();
    settings.anonymousReads = 'public';
    expect(await distant(service.tokens.read)).toContain('Long ago');
    expect(await distant(null)).toContain('Cards fail');
    expect(await distant(null)).not.toContain('Long ago');
    const { id } = made.json.data.createNotice.notice;
    const query = `{ notices(pageId: "${cast.page}", filter: { subject: { eq: "Long ago" } }) { totalCount } }`;
    expect((await service.graphql(query, {}, { token: null })).json.data.notices.totalCount).toBe(0);
    expect(
      (await service.graphql(`{ notice(pageId: "${cast.page}", id: ${id}) { subject } }`, {}, { token: null })).json
        .errors[0].extensions.code,
    ).toBe('NOT_FOUND');
    expect(
      (
        await service.graphql(
          `{ noticeUpdates(pageId: "${cast.page}", noticeId: ${id}) { count } }`,
          {},
          { token: null },
        )
      ).json.errors[0].extensions.code,
    ).toBe('NOT_FOUND');
  });

  test.each([
    ['by an alias', (page: string) => `{ page(id: "${page}") { name: subscribers { email } } }`],
    [
      'in a fragment',
      (page: string) => `{ page(id: "${page}") { ...On } } fragment On on Page { subscribers { email } }`,
    ],
    [
      'below what is open',
      (page: string) =>
        `{ page(id: "${page}") { notices(first: 2) { components(first: 2) { notices { id } } } subscribers { components { id } } } }`,
    ],
    [
      'beside what is open',
      (page: string) => `{ open: page(id: "${page}") { id } subscribers(pageId: "${page}") { nodes { email } } }`,
    ],
  ])('a subscriber is not shown %s', async (_, query) => {
    const { json, text } = await service.graphql(query(cast.page), {}, { token: null });
    expect(json.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect(text.toLowerCase()).not.toContain('ada@example.org');
  });

  test('what is not asked after all is not refused', async () => {
    const { json } = await service.graphql(
      `{ page(id: "${cast.page}") { id subscribers @skip(if: true) { email } } }`,
      {},
      { token: null },
    );
    expect(json).toEqual({ data: { page: { id: cast.page } } });
  });
});

describe('A read token', () => {
  test.each(names)('reads %s', async name => {
    const { json } = await service.graphql(`{ ${reads()[name]} }`, {}, { token: service.tokens.read });
    const missing = name === 'customDomain' || name === 'theme';
    expect(json.errors?.map((error: { extensions: { code: string } }) => error.extensions.code)).toEqual(
      missing ? ['NOT_FOUND'] : undefined,
    );
  });

  test('writes nothing: FORBIDDEN, and that before anything else is looked at', async () => {
    for (const query of [
      'mutation { deletePage(id: "none") { id } }',
      'mutation { createPage(input: { name: "" }) { page { id } } }',
    ]) {
      const { status, json } = await service.graphql(query, {}, { token: service.tokens.read });
      expect(status).toBe(200);
      expect(json.errors).toEqual([
        expect.objectContaining({
          message: 'The action you requested was forbidden.',
          extensions: { code: 'FORBIDDEN' },
        }),
      ]);
    }
  });
});

test('a write token reads and writes', async () => {
  const { json } = await service.graphql(
    'mutation { createPage(input: { name: "Ours" }) { page { name subscribers { id } } } }',
  );
  expect(json).toEqual({ data: { createPage: { page: { name: 'Ours', subscribers: [] } } } });
});
