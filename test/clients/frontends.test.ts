import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { gql } from '@apollo/client';
import { introspectionFromSchema, isInterfaceType } from 'graphql';
import { schema } from '../../src/schema.js';
import { createPage } from '../support/factories.js';
import { readExamples } from '../support/guide-examples.js';
import { useService } from '../support/service.js';
import { waitUntilEqual } from '../support/wait-until-equal.js';

/** The modules of docs/frontends.md, as a reader copies them. */
const service = useService();
const folder = resolve(`test/clients/guide-${process.pid}`);
const names = { apollo: '@apollo/client', urql: '@urql/core', relay: 'relay-runtime' };
const overview = 'query Overview($page: ID!) { page(id: $page) { id name } }';
const changes = 'subscription Changes($page: ID!) { pageChanged(pageId: $page) { cursor page { id name } } }';
let text: string;
let page: { id: string; path: string };
beforeAll(async () => {
  text = await readFile('docs/frontends.md', 'utf8');
  const examples = readExamples(text);
  expect(examples).toHaveLength(3);
  await mkdir(folder);
  for (const [name, library] of Object.entries(names))
    await writeFile(`${folder}/${name}.ts`, `${examples.find(example => example.includes(`'${library}'`))}\n`);
  await writeFile(
    `${folder}/tsconfig.json`,
    JSON.stringify({ extends: '../tsconfig.json', include: ['.'], exclude: [] }),
  );
  page = await createPage(service, { name: 'Before' });
});
afterAll(() => rm(folder, { recursive: true }));

// biome-ignore lint/suspicious/noExplicitAny: a module of the guide
const load = (name: string): Promise<any> => import(pathToFileURL(`${folder}/${name}.ts`).href);

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

test('the types of the interfaces are those of the schema', () => {
  for (const [, name, list] of text.matchAll(/^ +(\w+): \[('\w+'(?:, '\w+')*)\],$/gm)) {
    const type = schema.getType(name!)!;
    if (!isInterfaceType(type)) throw new Error(`${name} is no interface`);
    const types = schema.getPossibleTypes(type).map(one => `'${one.name}'`);
    expect(list!.split(', ').sort()).toEqual(types.sort());
  }
});

/** Renames the page while a client follows it, and waits until its cache has the name. */
async function expectChange(name: string, readName: () => string | undefined): Promise<void> {
  await service.patch(page.path, { name });
  await waitUntilEqual(async () => readName(), name);
}

test('Apollo Client shows a change of an event', async () => {
  const { createApolloClient } = await load('apollo');
  const client = createApolloClient(service.url);
  const query = { query: gql(overview), variables: { page: page.id } };
  await client.query(query);
  const events = client.subscribe({ ...query, query: gql(changes) }).subscribe({});
  await expectChange('Apollo', () => client.readQuery(query)?.page.name);
  events.unsubscribe();
  client.stop();
});

test('urql shows a change of an event', async () => {
  const { createUrqlClient } = await load('urql');
  const client = createUrqlClient(service.url, introspectionFromSchema(schema));
  const variables = { page: page.id };
  await client.query(overview, variables).toPromise();
  const events = client.subscription(changes, variables).subscribe(() => {});
  await expectChange('urql', () => client.readQuery(overview, variables)?.data.page.name);
  events.unsubscribe();
});

test('the network of Relay reads and follows', async () => {
  const { createRelayEnvironment } = await load('relay');
  const network = createRelayEnvironment(service.url).getNetwork();
  const variables = { page: page.id };
  const run = (operationKind: string, text: string) =>
    network.execute({ operationKind, text, id: null, name: 'x', metadata: {}, cacheID: 'x' }, variables, {});
  const { data } = await run('query', overview).toPromise();
  expect(data.page.id).toBe(page.id);
  let name: string | undefined;
  const events = run('subscription', changes).subscribe({
    next: (event: { data: { pageChanged: { page: { name: string } } } }) => (name = event.data.pageChanged.page.name),
  });
  await expectChange('Relay', () => name);
  events.unsubscribe();
});
