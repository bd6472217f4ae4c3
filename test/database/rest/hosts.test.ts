import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import { createApp } from '../../../src/server/app.js';
import { checkDatabase } from '../../../src/server/monitoring/readiness.js';
import type { Database } from '../../../src/db/database.js';
import type { ExternalServices } from '../../../src/graphql/context.js';
import { createGraphqlServer } from '../../../src/graphql/server.js';
import { restSchema, schema } from '../../../src/schema.js';
import { Authenticator } from '../../../src/auth/authenticator.js';
import { Admission } from '../../../src/http/admission/admission.js';
import { createCallerIdentification } from '../../../src/http/identify-caller.js';
import { RateLimiter } from '../../../src/http/rate-limit.js';
import { createPage } from '../../support/factories.js';
import { createApiParts } from '../../support/api-parts.js';
import { useOwnService } from '../../support/service.js';
import { createTestSettings } from '../../support/settings.js';
import { sendRaw } from '../../support/raw-socket.js';

const service = useOwnService();
let id: string;
beforeAll(async () => {
  id = (await createPage(service, { name: 'All' })).id;
});
afterEach(() => {
  service.settings.metrics = true;
});

/** Sends a request over a raw socket, since fetch does not send a given Host header. */
async function sendTo(
  host: string,
  path: string,
  method = 'GET',
): Promise<{ status: number; head: string; body: string }> {
  const response = await sendRaw(
    service.url,
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${service.tokens.write}`,
    'Connection: close',
  );
  const [head, body] = response.split('\r\n\r\n', 2) as [string, string];
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, body };
}

const paths = [
  '/v1/hello',
  '/1/hello',
  '/graphql?query={hello}',
  '/healthz',
  '/healthz/pages',
  '/readyz',
  '/metrics',
  '/widget.js',
];

describe('the API', () => {
  test.each([
    'localhost',
    'LOCALHOST',
    'localhost:3000',
    'localhost.',
    'localhost.:80',
    '127.0.0.1',
    '[::1]:3000',
    'status.example.com',
    'any_name',
    'xn--bcher-kva.example',
  ])('answers on host %s', async host => {
    for (const path of paths.filter(path => !path.startsWith('/graphql')))
      expect([path, (await sendTo(host, path)).status]).toEqual([path, 200]);
  });

  test.each([
    '0a1b2c3d4.localhost',
    '0a1b2c3.localhost',
    'g0000000.localhost',
    'x.0a1b2c3d.localhost',
    '0a1b2c3d.localhost.example',
    '0a1b2c3dlocalhost',
    '0a1b2c3d.example',
  ])('answers on a host similar to that of a page: %s', async host => {
    expect((await sendTo(host, '/v1/hello')).status).toBe(200);
  });

  test('answers 404 on the host of a page, in any notation', async () => {
    for (const host of [
      `${id}.localhost`,
      `${id}.localhost:3000`,
      `${id.toUpperCase()}.LocalHost.`,
      '00000000.localhost',
    ]) {
      for (const path of [...paths, '/v2/hello', '/v1/nothing']) {
        const response = await sendTo(host, path);
        expect([host, path, response.status]).toEqual([host, path, 404]);
        expect(response.head).toMatch(/\r\nContent-Type: text\/plain; charset=utf-8/);
        expect(response.body).not.toMatch(/Hello|token|process_/);
      }
      expect((await sendTo(host, '/v1/pages', 'OPTIONS')).status).toBe(404);
    }
  });

  test.each([
    '',
    ' ',
    'a b',
    'localhost:',
    'localhost:x',
    'localhost:123456',
    'localhost:80:80',
    'user@localhost',
    'localhost/v1',
    'localhost?x',
    'localhost#x',
    'a..b',
    '.localhost',
    'localhost..',
    '<script>',
    "x'; drop table page;--",
    'a%2eb',
    'b\u00fccher.example',
    '[::1',
    '::1',
    '[::1]x',
    'localhost, localhost',
    'x'.repeat(254),
    `${'a.'.repeat(130)}example`,
  ])('refuses a malformed Host: %p', async host => {
    const response = await sendTo(host, '/v1/hello');
    expect(response.status).toBe(400);
    expect(response.body).not.toContain('<script>');
  });

  test('refuses a request without a Host header or with two', async () => {
    expect(await sendRaw(service.url, 'GET /v1/hello HTTP/1.1', 'Connection: close')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await sendRaw(service.url, 'GET /v1/hello HTTP/1.0')).toMatch(/^HTTP\/1\.1 400 /);
    const twice = await sendRaw(
      service.url,
      'GET /healthz HTTP/1.1',
      'Host: localhost',
      `Host: ${id}.localhost`,
      'Connection: close',
    );
    expect(twice).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('refuses two Host headers even if the response for the first is cached', async () => {
    const host = `${id}.localhost`;
    for (const _ of [1, 2]) expect((await sendTo(host, '/feed.json')).status).toBe(200);
    for (const other of [host, 'localhost']) {
      const response = await sendRaw(
        service.url,
        'GET /feed.json HTTP/1.1',
        `Host: ${host}`,
        `Host: ${other}`,
        'Connection: close',
      );
      expect(response).toMatch(/^HTTP\/1\.1 400 /);
    }
  });
});

describe('any other path', () => {
  test.each([
    '/favicon.ico',
    '/index.html',
    '/healthz/',
    '/healthz/x',
    '/metricsx',
    '/..%2fetc',
    '//',
    '/%',
    '/%00',
    '/v1x',
    '/graphqlx',
    '/Healthz',
  ])('answers a plain text 404: %s', async path => {
    const response = await sendTo('localhost', path);
    expect(response.status).toBe(404);
    expect(response.head).toMatch(/\r\nContent-Type: text\/plain; charset=utf-8/);
    expect(response.head).toMatch(/\r\nX-Content-Type-Options: nosniff/);
  });

  test('answers 404 to every method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect((await sendTo('localhost', '/nothing', method)).status).toBe(404);
  });
});

describe('health checks and metrics', () => {
  test('report that the process runs and reaches its database', async () => {
    expect((await service.get('/healthz', { token: null })).text).toMatch(/^ok \d+\.\d+\.\d+\n$/);
    expect((await service.get('/readyz', { token: null })).text).toBe('ready\n');
    expect((await service.get('/healthz/pages', { token: null })).text).toBe('ok\n');
    for (const path of ['/healthz', '/healthz/pages', '/readyz', '/metrics'])
      expect((await service.call('HEAD', path, { token: null })).status).toBe(200);
  });

  test('answer a load balancer that asks by HTTP/1.0, without a Host header', async () => {
    for (const path of ['/healthz', '/healthz/pages', '/readyz'])
      expect(await sendRaw(service.url, `GET ${path} HTTP/1.0`)).toMatch(/^HTTP\/1\.1 200 /);
    for (const line of ['POST /healthz', 'GET /metrics', 'GET /healthz/installation'])
      expect(await sendRaw(service.url, `${line} HTTP/1.0`)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('count requests for Prometheus, without data of the requests', async () => {
    await service.get(`/v1/pages/${id}?secret=of-the-caller`);
    const { text, headers } = await service.get('/metrics', { token: null });
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=/);
    expect(text).toMatch(/^http_requests_total\{interface="rest",status="200"\} \d+$/m);
    expect(text).toMatch(/^process_cpu_seconds_total /m);
    expect(text).not.toMatch(new RegExp(`${id}|secret|${service.tokens.write}`));
  });

  test('answer 404 for metrics if those are switched off', async () => {
    service.settings.metrics = false;
    expect((await service.get('/metrics')).status).toBe(404);
    expect((await service.get('/healthz')).status).toBe(200);
  });
});

describe('a failing database', () => {
  /** Starts the service with a database that fails every query. */
  async function withFailingDatabase(error: Error, use: (url: string) => Promise<void>): Promise<void> {
    const fail = () => Promise.reject(error);
    const broken: Database = { ...service.database, read: fail, readAnonymous: fail, query: fail };
    const graphql = createGraphqlServer(schema, broken.log);
    await graphql.start();
    const settings = createTestSettings();
    const services = {} as ExternalServices;
    const admission = new Admission({ ...settings, connections: 8 });
    const rateLimiter = new RateLimiter(settings);
    const authenticator = new Authenticator(broken, settings);
    const identifyCaller = createCallerIdentification({ authenticator, settings, rateLimiter, admission });
    const api = {
      schema: restSchema,
      database: broken,
      settings,
      rateLimiter,
      admission,
      authenticator,
      identifyCaller,
      services,
      ...createApiParts(broken),
    };
    const server = createServer(
      createApp(api, graphql, {} as never, {
        lifecycle: { findPagesProblem: () => null },
        readiness: [() => checkDatabase(broken)],
        metrics: {} as never,
      }),
    );
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    try {
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    } finally {
      server.closeAllConnections();
      await new Promise(done => server.close(done));
      await graphql.stop();
    }
  }

  test('answers 503 with Retry-After if it is unreachable', async () => {
    await withFailingDatabase(
      Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { code: 'ECONNREFUSED' }),
      async url => {
        const response = await fetch(`${url}/v1/pages/${id}`);
        expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([503, true]);
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
        expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
        const body = await response.text();
        expect(JSON.parse(body)).toEqual({ error: 'unavailable', error_description: expect.any(String) });
        expect(body).not.toMatch(/ECONN|10\.1\.2\.3/);
        const ready = await fetch(`${url}/readyz`);
        expect([ready.status, await ready.text()]).toEqual([503, 'database unavailable\n']);
        expect((await fetch(`${url}/healthz`)).status).toBe(200);
      },
    );
  });

  test('answers 500 without internals for any other error', async () => {
    await withFailingDatabase(new Error('syntax error at or near "secret_column"'), async url => {
      const response = await fetch(`${url}/v1/pages/${id}`);
      expect([response.status, await response.json()]).toEqual([
        500,
        { error: 'system', error_description: 'An unknown error has occurred.' },
      ]);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect((await fetch(`${url}/v1/hello`, { headers: { Authorization: 'Bearer some' } })).status).toBe(500);
    });
  });
});
