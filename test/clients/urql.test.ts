import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { cacheExchange } from '@urql/exchange-graphcache';
import { Client, fetchExchange } from '@urql/core';
import { introspectionFromSchema } from 'graphql';
import { schema } from '../../src/schema.js';
import { collectRecords, recordsDocument } from '../support/client-records.js';
import { createGraphqlRecords, type GraphqlRecords } from '../support/graphql-records.js';
import { useService } from '../support/service.js';

const service = useService();
let records: GraphqlRecords;
const warn = jest.spyOn(console, 'warn');
const requests: { method: string; url: string }[] = [];
beforeAll(async () => {
  records = await createGraphqlRecords(service);
});
afterEach(() => {
  warn.mockReset();
  requests.length = 0;
});

type Keys = Record<string, () => null>;

/** As installed: queries go by GET where their address is short enough, and no header is set. */
const createClient = (keys?: Keys) =>
  new Client({
    url: `${service.url}/graphql`,
    exchanges: [cacheExchange({ schema: introspectionFromSchema(schema), keys }), fetchExchange],
    fetch: (url, options) => {
      requests.push({ method: options?.method ?? 'GET', url: String(url) });
      return fetch(url, options);
    },
  });

test('a query without a token goes by GET, as urql sends it by default', async () => {
  const { data, error } = await createClient()
    .query('query($page: ID!) { page(id: $page) { id name } }', { page: records.page })
    .toPromise();
  expect(error).toBeUndefined();
  expect(data.page).toMatchObject({ id: records.page, name: 'All Clear' });
  expect(requests.map(({ method }) => method)).toEqual(['GET']);
});

test('the cache of urql has each record of the answer, and warns of no type without a key', async () => {
  const client = createClient();
  const { data, error } = await client.query(recordsDocument, { page: records.page }).toPromise();
  expect(error).toBeUndefined();
  const answered = collectRecords(data);
  expect(answered.size).toBe(14);
  const again = client.readQuery(recordsDocument, { page: records.page });
  expect(collectRecords(again!.data)).toEqual(answered);
  // Records of one type alone, from the cache of the other query.
  const id = [...answered.values()].find(({ __typename }) => __typename === 'UnplannedNotice')!.id;
  const part = 'query($page: ID!) { page(id: $page) { id notices(first: 10) { nodes { id subject } } } }';
  const { nodes } = client.readQuery(part, { page: records.page })!.data.page.notices;
  expect(nodes.map((node: { id: string }) => node.id)).toContain(id);
  expect(requests).toHaveLength(1);
  expect(warn).not.toHaveBeenCalled();
});

test('with the keys of the documentation it warns of no value without an identity either', async () => {
  const [code] = /^ {4}const keys = [\s\S]+?;$/m.exec(readFileSync('docs/graphql-api.md', 'utf8'))!;
  const readKeys = new Function('introspection', `${code} return keys;`) as (introspection: unknown) => Keys;
  const overview = `query($page: ID!) { page(id: $page) { id banner { status text } brand { id colorStateOk }
    components(first: 10) { nodes { id history(days: 3) { date status minutes notices { id subject } } } pageInfo { endCursor } }
    notices(first: 10) { edges { cursor node { id affectedComponents { impact component { id } } } } } } }`;
  const client = createClient(readKeys(introspectionFromSchema(schema)));
  const { error } = await client.query(overview, { page: records.page }).toPromise();
  expect(error).toBeUndefined();
  expect(warn).not.toHaveBeenCalled();
  await createClient().query(overview, { page: records.page }).toPromise();
  expect(warn).toHaveBeenCalled();
});
