import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createNotice, createPage } from '../../support/factories.js';
import { startTestService, type TestService } from '../../support/service.js';
import { TrustedDocuments } from '../../../src/graphql/trusted-documents.js';
import { schema } from '../../../src/schema.js';

const folder = mkdtempSync(join(tmpdir(), 'trusted-documents-'));
const file = join(folder, 'documents.json');
const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const write = (content: unknown) => writeFileSync(file, JSON.stringify(content));

const notices = 'query Notices($page: ID!) { notices(pageId: $page) { nodes { subject } } }';
const subscribers = 'query Subscribers($page: ID!) { subscribers(pageId: $page) { totalCount } }';
const create = 'mutation Create { createPage(input: { name: "By GET" }) { page { id } } }';

let service: TestService;
let page: string;
beforeAll(async () => {
  write({ [hash(notices)]: notices, subscribers, create });
  service = await startTestService({ trustedDocuments: file });
  const { id, path } = await createPage(service);
  page = id;
  await createNotice(service, path, { subject: 'Slow' });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const ask = (parameters: Record<string, string>, token?: null) =>
  service.get(`/graphql?${new URLSearchParams({ variables: JSON.stringify({ page }), ...parameters })}`, { token });
const data = { notices: { nodes: [{ subject: 'Slow' }] } };

test.each([
  ['its id', { documentId: hash(notices) }],
  ['the algorithm and its id', { documentId: `sha256:${hash(notices)}` }],
  [
    'the extension of Apollo Client',
    { extensions: JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hash(notices) } }) },
  ],
])('a document is asked for by %s', async (_, parameters) => {
  expect((await ask(parameters)).json).toEqual({ data });
  const posted = 'extensions' in parameters ? { extensions: JSON.parse(parameters.extensions) } : parameters;
  const json = { ...posted, variables: { page } };
  expect((await service.call('POST', '/graphql', { json })).json).toEqual({ data });
});

test('a shared cache may keep what everybody gets, for a second', async () => {
  const cacheControl = async (id: string, token?: null) =>
    (await ask({ documentId: id }, token)).headers.get('cache-control');
  // From memory, too.
  for (let time = 0; time < 3; time++) expect(await cacheControl(hash(notices), null)).toBe('public, max-age=1');
  expect(await cacheControl(hash(notices))).toBe('private, no-cache');
  expect(await cacheControl('subscribers', null)).toBe('private, no-cache');
  const byText = await ask({ query: notices }, null);
  expect(byText.headers.get('cache-control')).toBe('private, no-cache');
});

test('a mutation by GET is refused', async () => {
  expect((await service.get('/graphql?documentId=create')).status).toBe(405);
  expect(
    (await service.call('POST', '/graphql', { json: { documentId: 'create' } })).json.data.createPage,
  ).toBeDefined();
});

test('an id that is not in the file is refused, but that of Apollo Client, which then sends the text', async () => {
  const { status, json } = await ask({ documentId: 'other' });
  expect([status, json.errors[0].extensions.code]).toEqual([400, 'BAD_REQUEST']);
  expect(json.errors[0].message).toContain('TRUSTED_DOCUMENTS');
  const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: hash('x') } });
  expect((await ask({ extensions })).json.errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_SUPPORTED');
  expect((await ask({ documentId: 'other', query: notices })).json).toEqual({ data });
});

describe('the file', () => {
  test('can be a manifest of Apollo Client', () => {
    write({
      format: 'apollo-persisted-query-manifest',
      version: 1,
      operations: [{ id: 'a', name: 'N', body: notices }],
    });
    expect(TrustedDocuments.load(file, schema).find({ documentId: 'a' })).toBe(notices);
  });

  test.each([
    [{ a: '{ nothing }' }, 'a: Cannot query field "nothing"'],
    [{ a: '{' }, 'a: Syntax Error'],
    [{ a: 1 }, 'a: is not a string'],
    [null, 'cannot be read as JSON'],
  ])('stops the start with its mistakes: %j', (content, message) => {
    write(content);
    expect(() => TrustedDocuments.load(file, schema)).toThrow(message);
    expect(() => TrustedDocuments.load(file, schema)).toThrow('TRUSTED_DOCUMENTS');
  });

  test('stops the start if it does not exist', () => {
    expect(() => TrustedDocuments.load(join(folder, 'missing.json'), schema)).toThrow('TRUSTED_DOCUMENTS');
  });
});
