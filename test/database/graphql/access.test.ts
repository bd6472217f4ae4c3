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

describe.each(['none', 'page', 'public'] as const)('an anonymous caller with ANONYMOUS_READS=%s', mode => {
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
});

describe('a page that anonymous callers can read', () => {
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
  test('cannot write, and gets FORBIDDEN before the input is checked', async () => {
    for (const query of [
      'mutation { deletePage(id: "none") { deletedId } }',
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
