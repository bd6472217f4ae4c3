import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createNotice, createPage } from '../../support/factories.js';
import { peopleOrigin, signIn } from '../../support/people.js';
import { seed } from '../../support/property-runs.js';
import { startTestService, type TestService } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until-equal.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ publicUrl: peopleOrigin, rateLimit: 0 });
});
afterAll(() => service.stop());

const count = 500;
const maxDelayMs = 40;
const atOnce = 25;

interface Request {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Of the body, where it is not sent to its end. */
  announced?: number;
}

/** Mulberry32: the same moments for the same seed. */
function createRandom(state: number): () => number {
  let a = state;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Resolves to the status, or to 0 if the client has left before. */
const send = ({ path, method = 'GET', headers = {}, body = '', announced }: Request, leaveAfterMs?: number) =>
  new Promise<number>(resolve => {
    const length = announced ?? body.length;
    const client = request(`${service.url}${path}`, {
      method,
      agent: new Agent({ keepAlive: false }),
      headers: { host: 'localhost', ...(length && { 'content-length': length }), ...headers },
    });
    client.on('response', response => {
      response.resume().on('error', () => {});
      response.on('end', () => resolve(response.statusCode!));
    });
    client.on('error', () => {}).on('close', () => resolve(0));
    client.write(body);
    if (announced === undefined) client.end();
    if (leaveAfterMs !== undefined) void wait(leaveAfterMs).then(() => client.destroy());
  });

async function listRequests(): Promise<Request[]> {
  const { id } = await createPage(service);
  for (let number = 0; number < 3; number++) await createNotice(service, `/v1/pages/${id}`, { subject: 'Slow' });
  const { cookie } = await signIn(service);
  const owner = { cookie, origin: peopleOrigin, 'content-type': 'application/octet-stream' };
  const json = { authorization: `Bearer ${service.tokens.write}`, 'content-type': 'application/json' };
  const query = (text: string) => JSON.stringify({ query: text.replaceAll('$id', id) });
  const events = encodeURIComponent(`subscription { pageChanged(pageId: "${id}") { id } }`);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const archive = gzipSync('x'.repeat(10));
  return [
    { path: `/status/${id}/` },
    { path: `/status/${id}/events` },
    { path: `/status/${id}/subscribe?by=email` },
    { path: `/status/${id}/subscribe`, method: 'POST', headers: form, body: 'by=email&email=x' },
    { path: `/status/${id}/subscribe`, method: 'POST', headers: form, body: 'by=email', announced: 100 },
    { path: `/graphql/stream?query=${events}`, headers: { ...json, accept: 'text/event-stream' } },
    { path: `/graphql/stream?query=${events}`, headers: { accept: 'text/event-stream' } },
    {
      path: '/graphql',
      method: 'POST',
      headers: json,
      body: query('{ page(id: "$id") { name notices { nodes { id } } } }'),
    },
    {
      path: '/graphql',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: query('{ page(id: "$id") { name } }'),
    },
    { path: '/graphql', method: 'POST', headers: json, body: '{"query":', announced: 100 },
    { path: `/v1/pages/${id}/notices`, headers: json },
    { path: `/v1/pages/${id}/notices` },
    { path: `/v1/pages/${id}/components`, method: 'POST', headers: json, body: '{"name":"Checkout"}' },
    { path: '/mcp', method: 'POST', headers: json, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
    { path: '/hooks/unknown', method: 'POST', headers: json, body: '{}' },
    { path: `/console/export?page=${id}`, method: 'POST', headers: owner },
    { path: '/console/import?from=archive&file=archive.zip:10', method: 'POST', headers: owner, body: archive },
    { path: '/console/import?from=archive&file=archive.zip:10', method: 'POST', headers: owner, announced: 100 },
  ];
}

async function readCounters(): Promise<Record<string, number>> {
  const text = await (await fetch(`${service.url.replace('127.0.0.1', 'localhost')}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^all_clear_${name} (\\d+)$`, 'm').exec(text)![1]);
  return {
    requests: read('api_requests_in_progress'),
    streams: read('event_streams'),
    renders: read('page_renders_waiting'),
  };
}

test('clients that leave at any moment leave nothing that is counted for them', async () => {
  const requests = await listRequests();
  const statuses = [];
  for (const one of requests)
    if (one.announced === undefined && !/events|stream/.test(one.path)) statuses.push([one.path, await send(one)]);
  expect(statuses.filter(([, status]) => status === 0 || status === 503 || status === 429)).toEqual([]);
  const random = createRandom(seed);
  for (let sent = 0; sent < count; sent += atOnce)
    await Promise.all(
      Array.from({ length: atOnce }, (_, index) =>
        send(requests[(sent + index) % requests.length]!, random() * maxDelayMs),
      ),
    );
  await waitUntil(readCounters, counters => Object.values(counters).every(value => value === 0));
  // Two at once are allowed, of two pages, and all forms that are taken at once.
  const exported = requests.find(({ path }) => path.startsWith('/console/export'))!;
  const ofOther = { ...exported, path: `/console/export?page=${(await createPage(service)).id}` };
  await waitUntil(
    () => Promise.all([send(exported), send(ofOther)]),
    both => both.every(status => status === 200),
  );
  const form = requests.find(({ method, path, announced }) => method && path.endsWith('/subscribe') && !announced)!;
  expect(await Promise.all(Array.from({ length: 20 }, () => send(form)))).not.toContain(503);
});
