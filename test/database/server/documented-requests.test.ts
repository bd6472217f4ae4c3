import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { themeArchive } from '../../support/access-records.js';
import { createComponent, createNotice, createPage } from '../../support/factories.js';
import { listCurlRequests, readExamples } from '../../support/guide-examples.js';
import { useService } from '../../support/service.js';

/**
 * Every request with curl in the documents, sent as a reader would. Those of docs/graphql-api.md have a test of their own.
 */
const documents = readdirSync('docs')
  .filter(name => name.endsWith('.md') && name !== 'graphql-api.md')
  .map(name => join('docs', name))
  .filter(path => /^ {4}curl /m.test(readFileSync(path, 'utf8')));

const service = useService();
/** One pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
let folder: string;
let page: { id: string; path: string };
/** What a reader fills in, by the text of the example. */
let ownValues: Record<string, string>;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'all-clear-documents-'));
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>';
  writeFileSync(join(folder, 'logo.svg'), svg);
  writeFileSync(join(folder, 'map.png'), png);
  writeFileSync(join(folder, 'theme.zip'), themeArchive());
  page = await createPage(service, { name: 'Meridian Freight' });
  const component = String((await createComponent(service, page.path, { name: 'Card payments' })).id);
  const notice = String((await createNotice(service, page.path, { subject: 'Slow' })).id);
  const { json } = await service.graphql(
    `mutation ($page: ID!) {
      createMetric(pageId: $page, input: { name: "Time" }) { metric { id } }
      createAlertSource(pageId: $page, input: { name: "Monitor" }) { hookUrl }
    }`,
    { page: page.id },
  );
  ownValues = {
    '2017f84a': page.id,
    '"12"': `"${component}"`,
    'metrics/3': `metrics/${json.data.createMetric.metric.id}`,
    '<token>': service.tokens.write,
  };
  const HOOK_URL = `localhost:3000${new URL(json.data.createAlertSource.hookUrl).pathname}`;
  environment = { TOKEN: service.tokens.write, PAGE: page.id, COMPONENT: component, NOTICE: notice, HOOK_URL };
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The commands with curl of a document, without answers, and without `export` of what the reader fills in. */
const readCommands = (path: string): string[] =>
  readExamples(readFileSync(path, 'utf8'))
    .filter(example => /^curl /m.test(example))
    .map(example => example.replace(/^(export |\{).*$/gm, ''));

test.each(documents)('the requests of %s are answered', async path => {
  const commands = readCommands(path).map(command =>
    Object.entries(ownValues)
      .reduce((text, [example, own]) => text.replaceAll(example, own), command)
      .replaceAll(`https://${page.id}.status.example.com`, `localhost:3000/status/${page.id}`)
      .replaceAll('https://status.example.com', 'localhost:3000'),
  );
  const requests = commands.flatMap(command => listCurlRequests(command, environment, { folder }));
  expect(requests.length).toBeGreaterThan(0);
  for (const { method, url, headers, body, files } of requests) {
    const form = new FormData();
    for (const [field, path] of Object.entries(files))
      form.append(field, new Blob([readFileSync(join(folder, path))]), path);
    const sent = Object.keys(files).length ? form : body;
    const { status, text, json } = await service.call(method, url, { token: null, headers, body: sent });
    expect(status < 300 ? null : [method, url, status, text]).toBeNull();
    expect(json?.errors).toBeUndefined();
    for (const field of Object.values((json?.data ?? {}) as Record<string, { userErrors?: [] }>))
      expect(field.userErrors ?? []).toEqual([]);
  }
});
