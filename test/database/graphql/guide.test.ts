import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openEvents } from '../../support/event-stream.js';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { parseCurl, readExamples } from '../../support/guide-examples.js';
import { useService } from '../../support/service.js';

/** Every example of docs/graphql-api.md, run as a reader would. */
const service = useService();
const examples = readExamples(readFileSync('docs/graphql-api.md', 'utf8'));
const commands = examples.filter(example => example.startsWith('curl '));
const documents = examples.filter(example => /^(query|mutation)\b/.test(example));
const selections = examples.filter(example => example.startsWith('notices('));
const answers = examples.filter(example => example.startsWith('{'));
const modules = examples.filter(example => example.startsWith('import '));
/** Run in test/clients/urql.test.ts and test/browser/event-source.test.ts. */
const fragments = examples.filter(example => /^(const (keys|parameters) = |cacheExchange\()/.test(example));
let page: { id: string; path: string };
beforeAll(async () => {
  page = await createPage(service, { name: 'Meridian Freight' });
  await createComponent(service, page.path, { name: 'Card payments' });
  for (const subject of ['First', 'Second'])
    await createNotice(service, page.path, { subject, initial_comment: 'Text' });
});

const prepare = (command: string) => parseCurl(command, { TOKEN: service.tokens.write, PAGE: page.id });
const run = (command: string) => {
  const { url, ...request } = prepare(command);
  return service.call('POST', url, { ...request, token: null });
};
const find = (examples: string[], text: string) => examples.find(example => example.includes(text))!;

test('each example is of a kind that is run', () => {
  const known = [commands, documents, selections, answers, modules, fragments].map(({ length }) => length);
  expect(known.reduce((sum, length) => sum + length)).toBe(examples.length);
  expect(known.map(length => length > 0)).toEqual(known.map(() => true));
});

describe('the commands', () => {
  test.each(commands.filter(command => !/curl -N|If-None-Match|Idempotency-Key/.test(command)))('%s', async command => {
    const { status, json } = await run(command);
    expect([status, json.errors]).toEqual([200, undefined]);
    for (const field of Object.values(json.data as Record<string, { userErrors?: [] }>))
      expect([field, field.userErrors ?? []]).toEqual([expect.anything(), []]);
  });

  test('a page of a list follows on the one before', async () => {
    const command = find(commands, '"after": null');
    const first = (await run(command)).json.data.notices;
    const next = (await run(command.replace('null', `"${first.pageInfo.endCursor}"`))).json.data.notices;
    expect(next.nodes).toHaveLength(1);
    expect(next.nodes).not.toEqual(first.nodes);
  });

  test('a retry with the same key writes nothing', async () => {
    const command = find(commands, 'Idempotency-Key');
    const first = await run(command);
    const second = await run(command);
    expect(first.json.data.createComponent.component.id).toMatch(/^\d+$/);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  test('with the ETag of the response before, the response is 304', async () => {
    const command = find(commands, 'If-None-Match');
    const first = await run(command);
    expect(first.status).toBe(200);
    const second = await run(command.replace('W/"..."', first.headers.get('etag')!));
    expect([second.status, second.text]).toEqual([304, '']);
  });

  test('a subscription has its first event at once', async () => {
    const { url, body, headers } = prepare(find(commands, 'curl -N'));
    const stream = await openEvents(`${service.url}${url}`, { method: 'POST', headers, body: body! });
    expect((await stream.next())!.json.data.pageChanged).toMatchObject({ cursor: expect.any(String), page: {} });
    stream.close();
  });
});

test.each(documents)('the document runs: %s', async document => {
  const { json } = await service.graphql(document.replace('"..."', `"${page.id}"`), { page: page.id });
  expect(json.errors).toBeUndefined();
});

test.each(selections)('the selection can be made of a page: %s', async selection => {
  const query = `query ($page: ID!, $cursor: String) { page(id: $page) { ${selection} } }`;
  expect((await service.graphql(query, { page: page.id })).json.errors).toBeUndefined();
});

test.each(answers)('is the answer to the document before it: %s', async answer => {
  const document = examples[examples.indexOf(answer) - 1]!;
  const { json } = await service.graphql(document.replace('"..."', `"${page.id}"`));
  const [data] = Object.values(json.data);
  const normalize = (text: string) => JSON.stringify(JSON.parse(text));
  const [start, end] = normalize(answer).split('..., ');
  expect(JSON.stringify(data).startsWith(start!)).toBe(true);
  expect(JSON.stringify(data).endsWith(end!)).toBe(true);
});

test.each(modules)('the module runs: %s', async module => {
  const folder = resolve('node_modules/.cache/guide');
  const file = resolve(folder, `example-${process.pid}.mjs`);
  await mkdir(folder, { recursive: true });
  const values = { token: service.tokens.read, page: page.id, after: null };
  const text = module.replace('https://status.example.com', service.url);
  const constants = Object.entries(values).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`);
  await writeFile(file, `${constants.join('')}${text}\nexport { client, events };\n`);
  const { client, events } = await import(pathToFileURL(file).href);
  expect((await events.next()).value).toMatchObject({ data: { pageChanged: { page: { state: 'DEGRADED' } } } });
  await events.return();
  client.dispose();
  await rm(file);
});
