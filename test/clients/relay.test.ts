import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import relay, { type ConcreteRequest } from 'relay-runtime';
import { type ClientRecord, collectRecords, recordsDocument } from '../support/client-records.js';
import { createGraphqlRecords, type GraphqlRecords } from '../support/graphql-records.js';
import { useService } from '../support/service.js';

const { commitMutation, ConnectionHandler, Environment, fetchQuery, Network, RecordSource, Store } = relay;
const service = useService();
let records: GraphqlRecords;
let folder: string;
/** Where Relay reports that records conflict. */
const reported = jest.spyOn(console, 'error').mockImplementation(() => {});
afterEach(() => {
  reported.mockClear();
});

const moreComponents = /* GraphQL */ `
  fragment records_components on Page
  @argumentDefinitions(count: { type: "Int", defaultValue: 2 }, cursor: { type: "String" })
  @refetchable(queryName: "recordsComponentsQuery") {
    components(first: $count, after: $cursor) @connection(key: "records_components") {
      edges { node { id name state } }
    }
  }
`;

/** A page as a frontend shows it, of which Relay's compiler makes a query by `node`. */
const wholePage = /* GraphQL */ `
  fragment records_page on Page @refetchable(queryName: "recordsPageQuery") {
    name
    state
    components(first: 50) { edges { node { id name state } } }
    notices(first: 3) {
      edges { node { id subject state updates(first: 3) { edges { node { id content notice { subject } } } } } cursor }
      pageInfo { endCursor hasNextPage }
    }
  }
`;

const deletions = [
  /* GraphQL */ `
    mutation recordsDeleteNoticeMutation($id: ID!, $connections: [ID!]!) {
      deleteNotice(id: $id) { deletedNodeId @deleteEdge(connections: $connections) }
    }
  `,
  /* GraphQL */ `
    mutation recordsDeleteComponentMutation($id: ID!) { deleteComponent(id: $id) { deletedNodeId @deleteRecord } }
  `,
];
const someNotices = /* GraphQL */ `
  query recordsNoticesQuery($page: ID!) {
    page(id: $page) {
      notices(first: 10) @connection(key: "records_notices") { edges { node { id nodeId } } }
      components(first: 10) { nodes { id nodeId } }
    }
  }
`;

beforeAll(async () => {
  [records, folder] = await Promise.all([createGraphqlRecords(service), mkdtemp(join(tmpdir(), 'relay-'))]);
  await mkdir(join(folder, 'src'));
  const configuration = {
    src: './src',
    schema: resolve('schema.graphql'),
    language: 'javascript',
    eagerEsModules: true,
    schemaConfig: { nodeInterfaceIdField: 'nodeId' },
  };
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'relay.config.json'), JSON.stringify(configuration));
  const documents = [moreComponents, wholePage, someNotices, ...deletions, recordsDocument].map(
    text => `graphql\`${text}\`;\n`,
  );
  await writeFile(join(folder, 'src/records.js'), documents.join(''));
  const compiler = resolve('test/clients/node_modules/relay-compiler/cli.js');
  await promisify(execFile)(process.execPath, [compiler, 'relay.config.json'], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true }));

const readArtifact = async (name: string): Promise<ConcreteRequest> =>
  (await import(join(folder, `src/__generated__/${name}.graphql.js`))).default;

type GetDataID = (record: Record<string, string>, type: string) => string;
/** As docs/graphql-api.md says; Relay makes an id where there is none. */
const byNodeId = (({ nodeId }) => nodeId) as GetDataID;

const createEnvironment = (getDataID?: GetDataID) =>
  new Environment({
    store: new Store(new RecordSource()),
    network: Network.create(
      async ({ text }, variables) =>
        (await service.graphql(text!, variables, /^mutation/.test(text!) ? {} : { token: null })).json,
    ),
    ...(getDataID && { getDataID }),
  });
type TestEnvironment = ReturnType<typeof createEnvironment>;

async function readRecords(environment: TestEnvironment): Promise<ClientRecord[]> {
  const query = await readArtifact('recordsQuery');
  await fetchQuery(environment, query, { page: records.page }).toPromise();
  const { json } = await service.graphql(recordsDocument, { page: records.page });
  return [...collectRecords(json.data).values()];
}

const countRecords = (environment: TestEnvironment) =>
  Object.values(environment.getStore().getSource().toJSON()).filter(record => record && 'nodeId' in record).length;

test('the store of Relay has each record of the answer by its nodeId', async () => {
  const environment = createEnvironment(byNodeId);
  const answered = await readRecords(environment);
  expect(answered).toHaveLength(14);
  const stored = environment.getStore().getSource().toJSON() as Record<string, object>;
  for (const record of answered) expect(stored[record.nodeId]).toMatchObject(record);
  expect(countRecords(environment)).toBe(14);
  expect(reported).not.toHaveBeenCalled();
});

test('without `getDataID` the store takes `id` for the key, so that records of different types become one', async () => {
  const environment = createEnvironment();
  await readRecords(environment);
  expect(countRecords(environment)).toBeLessThan(14);
  expect(String(reported.mock.calls)).toContain('conflicting types');
});

test('a fragment that is @refetchable is read by the nodeId of its record', async () => {
  const environment = createEnvironment(byNodeId);
  const answered = await readRecords(environment);
  const { nodeId } = answered.find(({ __typename }) => __typename === 'Page')!;
  const query = await readArtifact('recordsComponentsQuery');
  const { node } = (await fetchQuery(environment, query, { nodeId, count: 3 }).toPromise()) as { node: object };
  expect(node).toBeDefined();
  const page = environment.getStore().getSource().toJSON()[nodeId] as object;
  expect(Object.keys(page)).toContain('__records_components_connection');
});

test('a whole page that is @refetchable is within the limits', async () => {
  const environment = createEnvironment(byNodeId);
  const page = (await readRecords(environment)).find(({ __typename }) => __typename === 'Page')!;
  const query = await readArtifact('recordsPageQuery');
  await fetchQuery(environment, query, { nodeId: page.nodeId }).toPromise();
  const stored = environment.getStore().getSource().toJSON()[page.nodeId] as object;
  expect(Object.keys(stored)).toContain('notices(first:3)');
});

describe('a record that a mutation deletes', () => {
  afterEach(() => expect(reported).not.toHaveBeenCalled());
  type Connection = { edges: { node: { id: string; nodeId: string } }[] };
  const commit = async (environment: TestEnvironment, name: string, variables: Record<string, unknown>) => {
    const mutation = await readArtifact(name);
    return new Promise<unknown>((onCompleted, onError) => {
      commitMutation(environment, { mutation, variables, onCompleted, onError });
    });
  };
  const read = async (environment: TestEnvironment) => {
    const query = await readArtifact('recordsNoticesQuery');
    const { page } = (await fetchQuery(environment, query, { page: records.page }).toPromise()) as {
      page: { notices: Connection; components: { nodes: { id: string; nodeId: string }[] } };
    };
    return page;
  };
  const pageNodeId = () => Buffer.from(`Page:${records.page}`).toString('base64url');
  const listEdges = (environment: TestEnvironment, connection: string) => {
    const record = environment.getStore().getSource().toJSON()[connection] as { edges: { __refs: string[] } };
    return record.edges.__refs;
  };

  test('leaves its list by @deleteEdge', async () => {
    const environment = createEnvironment(byNodeId);
    await read(environment);
    const connection = ConnectionHandler.getConnectionID(pageNodeId(), 'records_notices');
    expect(listEdges(environment, connection)).toHaveLength(4);
    const variables = { id: records.notices.general, connections: [connection] };
    await commit(environment, 'recordsDeleteNoticeMutation', variables);
    expect(listEdges(environment, connection)).toHaveLength(3);
  });

  test('leaves the store by @deleteRecord', async () => {
    const environment = createEnvironment(byNodeId);
    const { nodeId } = (await read(environment)).components.nodes.find(({ id }) => id === records.components.mail)!;
    await commit(environment, 'recordsDeleteComponentMutation', { id: records.components.mail });
    expect(environment.getStore().getSource().toJSON()[nodeId]).toBeNull();
  });
});
