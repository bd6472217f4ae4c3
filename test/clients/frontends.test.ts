import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { gql } from '@apollo/client';
import { introspectionFromSchema, isInterfaceType, parse, validate } from 'graphql';
import { schema } from '../../src/schema.js';
import { createComponent, createPage } from '../support/factories.js';
import { readExamples } from '../support/guide-examples.js';
import { useService } from '../support/service.js';
import { waitUntilEqual } from '../support/wait-until-equal.js';

/** What docs/frontends.md has: modules, as a reader copies them, and GraphQL documents. */
const service = useService();
const folder = resolve(`test/clients/guide-${process.pid}`);
const functions = [
  'createUrqlClient',
  'createRecordCache',
  'createApolloClient',
  'createRelayEnvironment',
  'readAfterEvents',
] as const;
const overview = 'query Overview($page: ID!) { page(id: $page) { id name } }';
const changes = 'subscription Changes($page: ID!) { pageChanged(pageId: $page) { cursor page { id name } } }';
let text: string;
let documents: string[];
let page: { id: string; path: string };
beforeAll(async () => {
  text = await readFile('docs/frontends.md', 'utf8');
  const examples = readExamples(text);
  await mkdir(folder);
  const modules = functions.map(name => examples.find(example => example.includes(`export function ${name}(`))!);
  for (const [index, code] of modules.entries()) await writeFile(`${folder}/${functions[index]}.ts`, `${code}\n`);
  documents = examples.filter(example => /^(query|mutation|subscription) /.test(example));
  expect(examples).toHaveLength(modules.length + documents.length);
  await writeFile(
    `${folder}/tsconfig.json`,
    JSON.stringify({ extends: '../tsconfig.json', include: ['.'], exclude: [] }),
  );
  page = await createPage(service, { name: 'Before' });
});
afterAll(() => rm(folder, { recursive: true }));

// biome-ignore lint/suspicious/noExplicitAny: a function of the guide
const load = async (name: (typeof functions)[number]): Promise<(...args: any[]) => any> =>
  (await import(pathToFileURL(`${folder}/${name}.ts`).href))[name];

test('the modules have the right types', async () => {
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const run = promisify(execFile)(process.execPath, [compiler, '--noEmit', '-p', folder]);
  expect(
    await run.then(
      () => '',
      ({ stdout }) => stdout,
    ),
  ).toBe('');
});

test('the client for urql is that of the example', async () => {
  const [copy, original] = await Promise.all(
    [`${folder}/createUrqlClient.ts`, 'examples/frontend/src/client.ts'].map(path => readFile(path, 'utf8')),
  );
  expect(copy).toBe(original);
});

test('the types of the interfaces are those of the schema', () => {
  for (const [, name, list] of text.matchAll(/^ +(\w+): \[('\w+'(?:, '\w+')*)\],$/gm)) {
    const type = schema.getType(name!)!;
    if (!isInterfaceType(type)) throw new Error(`${name} is no interface`);
    const types = schema.getPossibleTypes(type).map(one => `'${one.name}'`);
    expect(list!.split(', ').sort()).toEqual(types.sort());
  }
});

test('the documents are valid, and those for visitors are answered without a token', async () => {
  for (const document of documents) expect(validate(schema, parse(document))).toEqual([]);
  const [visitors] = documents;
  await createComponent(service, page.path, { name: 'API' });
  const variables = { page: page.id };
  const client = (await load('createUrqlClient'))(service.url);
  // Under load it may be refused for a moment, as for any visitor.
  const read = () => client.query(visitors, variables, { requestPolicy: 'network-only' }).toPromise();
  await waitUntilEqual(async () => (await read()).error?.message, undefined);
  const { data } = client.readQuery(visitors, variables);
  const shown = { name: 'API', status: 'OPERATIONAL', parentId: null };
  expect(data.page).toMatchObject({ banner: { status: 'OPERATIONAL' }, components: { nodes: [shown] } });
  expect(data.page.components.nodes[0].history).toHaveLength(90);
  const event = await new Promise<{ data: object }>(done => {
    const fields = visitors!.replace(/^query[^}]+}\s+}/, '');
    const events = client.subscription(fields, variables).subscribe((result: { data: object }) => {
      done(result);
      setImmediate(() => events.unsubscribe());
    });
  });
  expect(event.data).toMatchObject({ pageChanged: { page: { id: page.id, components: { nodes: [shown] } } } });
});

test('an operator publishes exactly what the preview showed', async () => {
  const [, operator] = documents;
  const { id } = await createPage(service);
  const client = (await load('createUrqlClient'))(service.url, service.tokens.write);
  const only = (operation: string) => operator!.split('\n\n').find(one => one.includes(` ${operation}(`))!;
  const incident = { subject: 'Search is slow', content: 'We are looking into it.', shouldPublish: true };
  const variables = { page: id, incident };
  const { data: who } = await client.query(only('Operator'), variables).toPromise();
  expect(who.viewer.role).toBe('OWNER');
  const { data: preview } = await client.query(only('Preview'), variables).toPromise();
  const { hash } = preview.previewPublication;
  const other = { ...variables, incident: { ...incident, content: 'Another text.' }, hash };
  const { error } = await client.mutation(only('Publish'), other).toPromise();
  expect(error.graphQLErrors[0].extensions.code).toBe('PRECONDITION_FAILED');
  const { data } = await client.mutation(only('Publish'), { ...variables, hash }).toPromise();
  const shown = { notice: { id: expect.any(String) }, publication: { audience: [] }, userErrors: [] };
  expect(data.openIncident).toMatchObject(shown);
});

/** Renames the page while a client follows it, and waits until its cache has the name. */
async function expectChange(name: string, readName: () => string | undefined): Promise<void> {
  await service.patch(page.path, { name });
  await waitUntilEqual(async () => readName(), name);
}

test('Apollo Client shows a change of an event', async () => {
  const client = (await load('createApolloClient'))(service.url);
  const query = { query: gql(overview), variables: { page: page.id } };
  await client.query(query);
  const events = client.subscribe({ ...query, query: gql(changes) }).subscribe({});
  await expectChange('Apollo', () => client.readQuery(query)?.page.name);
  events.unsubscribe();
  client.stop();
});

test('the cache of records of urql shows a change of an event', async () => {
  const cache = (await load('createRecordCache'))(introspectionFromSchema(schema));
  const client = (await load('createUrqlClient'))(service.url, undefined, cache);
  const variables = { page: page.id };
  await client.query(overview, variables).toPromise();
  const events = client.subscription(changes, variables).subscribe(() => {});
  await expectChange('urql', () => client.readQuery(overview, variables)?.data.page.name);
  events.unsubscribe();
});

/** An operation as Relay's compiler writes it. */
const toRelay = (operationKind: string, text: string) =>
  ({ operationKind, text, id: null, name: 'x', metadata: {}, cacheID: 'x' }) as const;

test('the network of Relay reads and follows', async () => {
  const network = (await load('createRelayEnvironment'))(service.url).getNetwork();
  const variables = { page: page.id };
  const { data } = await network.execute(toRelay('query', overview), variables, {}).toPromise();
  expect(data.page.id).toBe(page.id);
  let name: string | undefined;
  const events = network.execute(toRelay('subscription', changes), variables, {}).subscribe({
    next: (event: { data: { pageChanged: { page: { name: string } } } }) => (name = event.data.pageChanged.page.name),
  });
  await expectChange('Relay', () => name);
  events.unsubscribe();
});

test('events during a read cause one more read together, after it', async () => {
  let reads = 0;
  const ends: (() => void)[] = [];
  const onEvent = (await load('readAfterEvents'))(() => {
    reads += 1;
    return new Promise<void>(end => ends.push(end));
  });
  const running = onEvent();
  onEvent();
  onEvent();
  expect(reads).toBe(1);
  ends[0]!();
  await waitUntilEqual(async () => reads, 2);
  ends[1]!();
  await running;
  void onEvent();
  expect(reads).toBe(3);
});

/** Follows a page of a service that cannot be reached, and returns how to stop. */
const followers: Record<string, (url: string) => Promise<() => void>> = {
  urql: async url => {
    const client = (await load('createUrqlClient'))(url);
    return client.subscription(changes, { page: '1' }).subscribe(() => {}).unsubscribe;
  },
  'Apollo Client': async url => {
    const client = (await load('createApolloClient'))(url);
    const events = client.subscribe({ query: gql(changes), variables: { page: '1' } }).subscribe({});
    return () => events.unsubscribe();
  },
  Relay: async url => {
    const network = (await load('createRelayEnvironment'))(url).getNetwork();
    return network.execute(toRelay('subscription', changes), { page: '1' }, {}).subscribe({}).unsubscribe;
  },
};

test.each(Object.keys(followers))('%s goes on to connect every few seconds', async name => {
  const server = createServer(socket => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { setTimeout } = globalThis;
  const waits: number[] = [];
  const spy = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, delay = 0) => {
    if (delay >= 1_000) waits.push(delay);
    return setTimeout(run, delay >= 1_000 ? 0 : delay);
  }) as typeof setTimeout);
  const stop = await followers[name]!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await waitUntilEqual(async () => waits.length >= 10, true);
  stop();
  spy.mockRestore();
  server.close();
  expect(Math.max(...waits)).toBeLessThanOrEqual(5_000);
});
