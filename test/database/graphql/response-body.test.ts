import { expect, test } from '@jest/globals';
import { createPage, createNotice } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();
const introspection = '{ __schema { types { name description fields { name description } } } }';
const short = '{ hello }';
const sent = (query: string, headers: Record<string, string> = {}) =>
  service.call('POST', '/graphql', { json: { query }, headers });
const received = (query: string, headers: Record<string, string> = {}) =>
  service.get(`/graphql?query=${encodeURIComponent(query)}`, { headers });

test.each([
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['deflate', null],
  ['identity', null],
  ['br;q=0, gzip', 'gzip'],
])('a response above 2 kB to Accept-Encoding %s has the encoding %s', async (accepted, expected) => {
  const response = await sent(introspection, { 'accept-encoding': accepted });
  expect(response.headers.get('content-encoding')).toBe(expected);
  expect(response.headers.get('vary')).toMatch(/Accept-Encoding/);
  expect(response.json.data.__schema.types.length).toBeGreaterThan(100);
  const bytes = Number(response.headers.get('content-length'));
  if (expected) expect(bytes).toBeLessThan(response.text.length / 4);
});

test('a short response is not compressed', async () => {
  const response = await sent(short, { 'accept-encoding': 'br' });
  expect(response.headers.get('content-encoding')).toBeNull();
  expect(response.headers.get('vary')).toMatch(/Accept-Encoding/);
});

test.each([
  ['POST', sent],
  ['GET', received],
])('a query by %s is 304 while its response is the one that the client has', async (_, send) => {
  const { path, id } = await createPage(service);
  const query = `{ page(id: "${id}") { notices { nodes { subject } } } }`;
  const first = await send(query);
  const etag = first.headers.get('etag')!;
  expect(etag).toMatch(/^W\/"[\w-]{22}"$/);

  const unchanged = await send(query, { 'if-none-match': etag });
  expect([unchanged.status, unchanged.text]).toEqual([304, '']);
  expect(unchanged.headers.get('etag')).toBe(etag);
  expect(unchanged.headers.get('cache-control')).toBe('private, no-cache');

  await createNotice(service, path, { subject: 'Slow' });
  const changed = await send(query, { 'if-none-match': etag });
  expect(changed.status).toBe(200);
  expect(changed.headers.get('etag')).not.toBe(etag);
  expect(changed.text).toContain('Slow');
});

test('all encodings of a response have one ETag', async () => {
  const etags = new Set<string | null>();
  for (const accepted of ['identity', 'gzip', 'br'])
    etags.add((await sent(introspection, { 'accept-encoding': accepted })).headers.get('etag'));
  expect(etags.size).toBe(1);
  const [etag] = etags;
  const response = await sent(introspection, { 'accept-encoding': 'br', 'if-none-match': etag! });
  expect(response.status).toBe(304);
});

test('HEAD has the headers of GET', async () => {
  const path = `/graphql?query=${encodeURIComponent(introspection)}`;
  const head = await service.call('HEAD', path, { headers: { 'accept-encoding': 'gzip' } });
  const get = await service.get(path, { headers: { 'accept-encoding': 'gzip' } });
  for (const name of ['etag', 'content-encoding', 'content-length', 'vary'])
    expect(head.headers.get(name)).toBe(get.headers.get(name));
});

test('a mutation has no ETag, and is executed whatever If-None-Match says', async () => {
  const { id } = await createPage(service);
  const mutation = `mutation { createComponent(pageId: "${id}", input: { name: "API" }) { component { name } } }`;
  const first = await sent(mutation, { 'if-none-match': '*' });
  expect([first.status, first.headers.get('etag')]).toEqual([200, null]);
  expect(first.json.data.createComponent.component.name).toBe('API');
});

test('a refused request has no ETag', async () => {
  expect((await received('{')).headers.get('etag')).toBeNull();
  expect((await service.call('POST', '/graphql', { json: {} })).headers.get('etag')).toBeNull();
});
