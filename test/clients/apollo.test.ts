import { beforeAll, expect, test } from '@jest/globals';
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { relayStylePagination } from '@apollo/client/utilities';
import { collectRecords, recordsDocument } from '../support/client-records.js';
import { createGraphqlRecords, type GraphqlRecords } from '../support/graphql-records.js';
import { useService } from '../support/service.js';

const service = useService();
let records: GraphqlRecords;
beforeAll(async () => {
  records = await createGraphqlRecords(service);
});

const createClient = (token?: string) =>
  new ApolloClient({
    link: new HttpLink({
      uri: `${service.url}/graphql`,
      headers: token ? { authorization: `Bearer ${token}` } : {},
    }),
    cache: new InMemoryCache({
      possibleTypes: { Notice: ['UnplannedNotice', 'PlannedNotice', 'GeneralNotice'] },
      typePolicies: { Page: { fields: { components: relayStylePagination() } } },
    }),
  });

test('the cache of Apollo Client has each record of the answer by its type and id', async () => {
  const client = createClient();
  const { data } = await client.query({ query: gql(recordsDocument), variables: { page: records.page } });
  const cached = client.cache.extract() as Record<string, object>;
  const answered = [...collectRecords(data).values()];
  expect(answered).toHaveLength(14);
  for (const record of answered) expect(cached[`${record.__typename}:${record.id}`]).toMatchObject(record);
  const keys = Object.keys(cached).filter(key => !/^(ROOT_QUERY|__META)$/.test(key));
  expect(keys.toSorted()).toEqual(answered.map(({ __typename, id }) => `${__typename}:${id}`).toSorted());
});

test('the payload of a write changes what is cached, without another query', async () => {
  const client = createClient(service.tokens.write);
  const query = gql(recordsDocument);
  const variables = { page: records.page };
  await client.query({ query, variables });
  const mutation = gql`mutation($page: ID!, $input: OpenIncidentInput!) {
    openIncident(pageId: $page, input: $input) { notice { id } components { id state } page { id state } }
  }`;
  const input = { subject: 'Mail is slow', componentIds: [records.components.mail], shouldPublish: false };
  await client.mutate({ mutation, variables: { ...variables, input } });
  const { page } = client.cache.readQuery({ query, variables }) as {
    page: { components: { edges: { node: { name: string; state: string } }[] } };
  };
  const mail = page.components.edges.map(({ node }) => node).find(({ name }) => name === 'Mail');
  expect(mail).toMatchObject({ state: 'DEGRADED' });
});

test('the edges of pages of a list are merged', async () => {
  const client = createClient();
  const query = gql`query($page: ID!, $after: String) {
    page(id: $page) { id components(first: 2, after: $after) { edges { node { id } } pageInfo { hasNextPage endCursor } } }
  }`;
  const names = (data: unknown) =>
    (data as { page: { components: { edges: { node: { id: string } }[] } } }).page.components.edges.map(
      ({ node }) => node.id,
    );
  const variables = { page: records.page };
  const first = await client.query({ query, variables });
  expect(names(first.data)).toHaveLength(2);
  const { page } = first.data as { page: { components: { pageInfo: { endCursor: string } } } };
  const { endCursor: after } = page.components.pageInfo;
  await client.query({ query, variables: { ...variables, after }, fetchPolicy: 'network-only' });
  expect(new Set(names(client.cache.readQuery({ query, variables }))).size).toBe(4);
});
