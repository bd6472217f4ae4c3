import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '../../../src/db/database.js';
import type { ExternalServices } from '../../../src/graphql/context.js';
import { createGraphqlServer } from '../../../src/graphql/server.js';
import { Authenticator } from '../../../src/auth/authenticator.js';
import { Admission } from '../../../src/http/admission/admission.js';
import { createCallerIdentification } from '../../../src/http/identify-caller.js';
import { RateLimiter } from '../../../src/http/rate-limit.js';
import { restSchema, schema } from '../../../src/schema.js';
import { createApp } from '../../../src/server/app.js';
import { createPage } from '../../support/factories.js';
import { createApiParts } from '../../support/api-parts.js';
import { startTestService, type TestService } from '../../support/service.js';

/** Room for one list, two reads, three writes and four writes of notices. */
const maxRequests = 4;

let service: TestService;
let pageId: string;
const graphql = createGraphqlServer(schema, { error: () => {} } as never);
beforeAll(async () => {
  service = await startTestService();
  pageId = (await createPage(service)).id;
  await graphql.start();
});
afterAll(async () => {
  await graphql.stop();
  await service.stop();
});

let server: Server;
let admission: Admission;
let release: () => void;
let lookups: string[];
/** Serves the same database, which does not return records until `release` is called. */
beforeEach(async () => {
  const released = new Promise<void>(done => (release = done));
  lookups = [];
  const { read, query } = service.database;
  const database: Database = {
    ...service.database,
    read: async (...statement) => {
      await released;
      return read(...statement);
    },
    query: async (text, values) => {
      lookups.push(text);
      return query(text, values);
    },
  };
  admission = new Admission({ maxRequests, connections: 8 });
  const { settings } = service;
  const authenticator = new Authenticator(database, settings);
  // The first request of a token takes a place for the lookup, gives it back, and takes another.
  for (const token of [service.tokens.read, service.tokens.write]) await authenticator.authenticate(`Bearer ${token}`);
  const dependencies = { database, authenticator, settings, rateLimiter: new RateLimiter(settings), admission };
  const identifyCaller = createCallerIdentification(dependencies);
  const api = {
    ...dependencies,
    schema: restSchema,
    identifyCaller,
    services: {} as ExternalServices,
    ...createApiParts(database),
  };
  const health = { lifecycle: { findPagesProblem: () => null }, readiness: [], metrics: {} as never };
  server = createServer(createApp(api, graphql, {} as never, health));
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
});
afterEach(async () => {
  release();
  server.closeAllConnections();
  await new Promise(done => server.close(done));
});

function send(method: string, path: string, body?: object, token = service.tokens.write): Promise<Response> {
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
}

const waiting: Promise<Response>[] = [];
/** Starts a request that has to wait for the database. */
async function startWaiting(...request: Parameters<typeof send>): Promise<void> {
  const before = admission.requestsInProgress;
  waiting.push(send(...request));
  for (let tries = 0; admission.requestsInProgress === before && tries < 1_000; tries += 1)
    await new Promise(done => setTimeout(done, 10));
  expect(admission.requestsInProgress).toBe(before + 1);
}

async function expectRefusal(...request: Parameters<typeof send>): Promise<unknown> {
  const response = await send(...request);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  return response.json();
}

/** Ends all that waits, and returns the statuses. */
async function finish(): Promise<number[]> {
  release();
  return (await Promise.all(waiting.splice(0))).map(({ status }) => status);
}

test('/v1 refuses lists first and writes of notices last', async () => {
  const page = `/v1/pages/${pageId}`;
  await startWaiting('GET', `${page}/notices`);
  expect(await expectRefusal('GET', `${page}/components`)).toEqual({
    error: 'unavailable',
    error_description: 'Too many requests are in progress. Try again in a moment.',
  });
  await startWaiting('GET', page);
  await expectRefusal('GET', page);
  await startWaiting('POST', `${page}/components`, { name: 'API' });
  await expectRefusal('PATCH', page, { name: 'Other' });
  await startWaiting('POST', `${page}/notices`, { subject: 'Disk full' });
  await expectRefusal('POST', `${page}/notices`, { subject: 'Another' });
  expect(await finish()).toEqual([200, 200, 201, 201]);
  expect((await send('GET', `${page}/components`)).status).toBe(200);
  expect((await service.get(`${page}/notices`)).json.response).toMatchObject([{ subject: 'Disk full' }]);
});

test('/graphql refuses queries first and writes of notices last', async () => {
  const query = { query: `{ page(id: "${pageId}") { name } }` };
  const write = {
    query: `mutation { createComponent(pageId: "${pageId}", input: { name: "A" }) { component { id } } }`,
  };
  const announcement = {
    query: `mutation { announce(pageId: "${pageId}", input: { subject: "Soon", shouldPublish: false }) { notice { id } } }`,
  };
  await startWaiting('POST', '/graphql', query);
  expect(await expectRefusal('POST', '/graphql', query)).toEqual({
    errors: [
      {
        message: 'Too many requests are in progress. Try again in a moment.',
        extensions: { code: 'UNAVAILABLE' },
      },
    ],
  });
  await expectRefusal('GET', `/graphql?${new URLSearchParams(query)}`);
  // Only a write token makes a mutation of it.
  await expectRefusal('POST', '/graphql', announcement, service.tokens.read);
  await startWaiting('POST', '/graphql', write);
  await startWaiting('POST', '/graphql', write);
  await expectRefusal('POST', '/graphql', write);
  await startWaiting('POST', '/graphql', announcement);
  await expectRefusal('POST', '/graphql', announcement);
  expect(await finish()).toEqual([200, 200, 200, 200]);
});

test('refuses lists with the same headers as other reads, for which the router runs', async () => {
  const read = `/v1/pages/${pageId}`;
  for (const path of [`${read}/notices?per_page=500`, read]) await startWaiting('GET', path);
  const refusals = await Promise.all([`${read}/notices?per_page=500`, read].map(path => send('GET', path)));
  expect(refusals.map(({ status }) => status)).toEqual([503, 503]);
  const [list, other] = refusals.map(({ headers }) => ({
    ...Object.fromEntries(headers),
    date: '',
    'x-request-id': '',
  }));
  expect(list).toEqual(other);
  await finish();
});

test('refuses before it looks up the token, and answers what needs no database', async () => {
  await startWaiting('GET', `/v1/pages/${pageId}/notices`);
  lookups = [];
  await expectRefusal('GET', `/v1/pages/${pageId}/notices`, undefined, 'a-token-that-was-never-seen');
  expect(lookups).toEqual([]);
  expect((await send('GET', '/healthz')).status).toBe(200);
  expect((await send('GET', '/v1/nothing')).status).toBe(404);
  await finish();
});
