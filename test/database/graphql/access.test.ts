import type { Settings } from '../../../src/core/config.js';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { useOwnService } from '../../support/service.js';
import { type GraphqlRecords, createGraphqlRecords } from '../../support/graphql-records.js';

const service = useOwnService();
let records: GraphqlRecords;
beforeAll(async () => {
  records = await createGraphqlRecords(service);
});

afterEach(() => {
  service.settings.anonymousReads = 'public';
});

type Mode = Settings['anonymousReads'];

const reads = (): Record<string, string> => ({
  page: `page(id: "${records.page}") { id name state }`,
  'page.brand': `page(id: "${records.page}") { brand { colorBodyText } }`,
  'page.components': `page(id: "${records.page}") { components { nodes { name } } }`,
  'page.notices': `page(id: "${records.page}") { notices { nodes { subject updates { nodes { content } } components { nodes { name } } } } }`,
  component: `component(pageId: "${records.page}", id: ${records.components.cards}) { id name state }`,
  'page.components.below': `page(id: "${records.page}") { components { nodes { children { nodes { name } } parent { name } notices { nodes { subject } } } } }`,
  'component.notices': `component(pageId: "${records.page}", id: ${records.components.cards}) { notices { nodes { subject updates { nodes { content } } } } }`,
  components: `components(pageId: "${records.page}") { totalCount }`,
  notices: `notices(pageId: "${records.page}") { totalCount }`,
  notice: `notice(pageId: "${records.page}", id: ${records.notices.incident}) { subject }`,
  noticeUpdates: `noticeUpdates(pageId: "${records.page}", noticeId: ${records.notices.incident}) { totalCount }`,
  brand: `brand(pageId: "${records.page}") { colorBodyText }`,
  pages: 'pages { totalCount }',
  'page.customDomain': `page(id: "${records.page}") { customDomain { to } }`,
  'page.theme': `page(id: "${records.page}") { theme { createdAt } }`,
  'page.subscribers': `page(id: "${records.page}") { subscribers { nodes { id } } }`,
  'page.noticeTemplates': `page(id: "${records.page}") { noticeTemplates { nodes { id } } }`,
  subscribers: `subscribers(pageId: "${records.page}") { totalCount }`,
  subscriber: `subscriber(pageId: "${records.page}", id: ${records.subscribers.ada}) { id }`,
  noticeTemplates: `noticeTemplates(pageId: "${records.page}") { totalCount }`,
  noticeTemplate: `noticeTemplate(pageId: "${records.page}", id: "${records.templates.page}") { id }`,
  customDomain: `customDomain(pageId: "${records.page}") { to }`,
  theme: `theme(pageId: "${records.page}") { createdAt }`,
  timezones: 'timezones { totalCount }',
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
const openOnPage = [...names.slice(0, 5), 'notice'];
const openToPublic = names.slice(0, 12);
const open: Record<Mode, string[]> = { none: [], page: openOnPage, public: openToPublic };

test('the lists cover every query', () => {
  expect(Object.keys(reads())).toEqual(names);
});

describe.each(['none', 'page', 'public'] as const)('an anonymous caller with ANONYMOUS_READS=%s', mode => {
  test.each(names)('can read %s, or gets UNAUTHENTICATED', async name => {
    service.settings.anonymousReads = mode;
    const { status, json } = await service.graphql(`{ ${reads()[name]} }`, {}, { token: null });
    expect(status).toBe(200);
    if (open[mode].includes(name)) {
      expect(json.errors).toBeUndefined();
      expect(Object.values(json.data)[0]).not.toBeNull();
    } else {
      expect(json.errors).toEqual([
        expect.objectContaining({
          message: 'This action requires authentication to continue.',
          extensions: expect.objectContaining({ code: 'UNAUTHENTICATED' }),
        }),
      ]);
      expect(Object.values(json.data)).toEqual([null]);
    }
  });

  test('can use introspection', async () => {
    service.settings.anonymousReads = mode;
    const { json } = await service.graphql(
      '{ __typename __schema { queryType { name } } __type(name: "Subscriber") { name } }',
      {},
      { token: null },
    );
    expect(json).toEqual({
      data: { __typename: 'Query', __schema: { queryType: { name: 'Query' } }, __type: { name: 'Subscriber' } },
    });
  });

  test('cannot write', async () => {
    service.settings.anonymousReads = mode;
    const { json } = await service.graphql(
      'mutation { createPage(input: { name: "Mine" }) { page { id } } }',
      {},
      { token: null },
    );
    expect(json.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect(
      (await service.graphql('{ pages(filter: { name: { eq: "Mine" } }) { totalCount } }')).json.data.pages.totalCount,
    ).toBe(0);
  });
});

describe('a page that anonymous callers can read', () => {
  const distant = async (token: string | null) => {
    const query = `{ page(id: "${records.page}") { notices { nodes { subject } } components { nodes { notices { nodes { subject } } } } } }`;
    return JSON.stringify((await service.graphql(query, {}, { token })).json.data);
  };

  test('shows no notice of the distant past at any depth, nor through a filter', async () => {
    const input = {
      subject: 'Long ago',
      state: 'RESOLVED',
      componentIds: [records.components.mail],
      shouldPublish: false,
      beganAt: '2020-01-01T00:00:00Z',
      endedAt: '2020-01-02T00:00:00Z',
    };
    const made = await service.graphql(
      'mutation($p: ID!, $i: OpenIncidentInput!) { openIncident(pageId: $p, input: $i) { notice { id } } }',
      {
        p: records.page,
        i: input,
      },
    );
    expect(made.json.errors).toBeUndefined();
    service.settings.anonymousReads = 'public';
    expect(await distant(service.tokens.read)).toContain('Long ago');
    expect(await distant(null)).toContain('Cards fail');
    expect(await distant(null)).not.toContain('Long ago');
    const { id } = made.json.data.openIncident.notice;
    const query = `{ notices(pageId: "${records.page}", filter: { subject: { eq: "Long ago" } }) { totalCount } }`;
    expect((await service.graphql(query, {}, { token: null })).json.data.notices.totalCount).toBe(0);
    expect(
      (await service.graphql(`{ notice(pageId: "${records.page}", id: ${id}) { subject } }`, {}, { token: null })).json
        .errors[0].extensions.code,
    ).toBe('NOT_FOUND');
    expect(
      (
        await service.graphql(
          `{ noticeUpdates(pageId: "${records.page}", noticeId: ${id}) { totalCount } }`,
          {},
          { token: null },
        )
      ).json.errors[0].extensions.code,
    ).toBe('NOT_FOUND');
  });

  test.each([
    ['by an alias', (page: string) => `{ page(id: "${page}") { name: subscribers { nodes { email } } } }`],
    [
      'in a fragment',
      (page: string) => `{ page(id: "${page}") { ...On } } fragment On on Page { subscribers { nodes { email } } }`,
    ],
    [
      'below what is open',
      (page: string) =>
        `{ page(id: "${page}") { notices(first: 2) { nodes { components(first: 2) { nodes { notices { nodes { id } } } } } } subscribers { nodes { components { nodes { id } } } } } }`,
    ],
    [
      'beside what is open',
      (page: string) => `{ open: page(id: "${page}") { id } subscribers(pageId: "${page}") { nodes { email } } }`,
    ],
  ])('does not reveal a subscriber %s', async (_, query) => {
    const { json, text } = await service.graphql(query(records.page), {}, { token: null });
    expect(json.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect(text.toLowerCase()).not.toContain('ada@example.org');
  });

  test('does not refuse a field that @include leaves out', async () => {
    const { json } = await service.graphql(
      `{ page(id: "${records.page}") { id subscribers @skip(if: true) { nodes { email } } } }`,
      {},
      { token: null },
    );
    expect(json).toEqual({ data: { page: { id: records.page } } });
  });
});

describe('a read token', () => {
  test.each(names)('can read %s', async name => {
    const { json } = await service.graphql(`{ ${reads()[name]} }`, {}, { token: service.tokens.read });
    const missing = name === 'customDomain' || name === 'theme';
    expect(json.errors?.map((error: { extensions: { code: string } }) => error.extensions.code)).toEqual(
      missing ? ['NOT_FOUND'] : undefined,
    );
  });

  test('cannot write, and gets FORBIDDEN before the input is checked', async () => {
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

test('a write token can read and write', async () => {
  const { json } = await service.graphql(
    'mutation { createPage(input: { name: "Ours" }) { page { name subscribers { nodes { id } } } } }',
  );
  expect(json).toEqual({ data: { createPage: { page: { name: 'Ours', subscribers: { nodes: [] } } } } });
});

test('a refusal names the selected field that requires access', async () => {
  const ask = async (selection: string) =>
    (await service.graphql(`{ page(id: "${records.page}") { name ${selection} } }`, {}, { token: null })).json
      .errors?.[0].extensions;
  expect(await ask('components { nodes { name } }')).toBeUndefined();
  expect(await ask('components { nodes { name } } subscribers { totalCount }')).toEqual({
    code: 'UNAUTHENTICATED',
    path: ['page', 'subscribers'],
  });
  expect(await ask('notices { nodes { page { subscribers { totalCount } } } }')).toEqual({
    code: 'UNAUTHENTICATED',
    path: ['page', 'notices', 'nodes', 'page', 'subscribers'],
  });
});
