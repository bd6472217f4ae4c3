import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import { createApp } from '../../../src/server/app.js';
import { settings } from '../../../src/core/config.js';
import type { Database } from '../../../src/db/connection.js';
import { createGraphServer } from '../../../src/graphql/server.js';
import { log } from '../../../src/core/logger.js';
import { startTestService, type TestService } from '../../support/service.js';
import { onTheWire } from '../../support/raw-socket.js';

let service: TestService;
let id: string;
beforeAll(async () => {
  service = await startTestService();
  id = (await service.post('/v1/pages', { name: 'All' })).json.response.id;
});
afterAll(() => service.stop());
afterEach(() => {
  settings.metrics = true;
});

/** The status line and the body of a plain GET; fetch would not send the Host header that it is told to. */
async function at(host: string, path: string, method = 'GET'): Promise<{ status: number; head: string; body: string }> {
  const answer = await onTheWire(
    service.url,
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${service.tokens.write}`,
    'Connection: close',
  );
  const [head, body] = answer.split('\r\n\r\n', 2) as [string, string];
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, body };
}

const paths = ['/v1/hello', '/1/hello', '/graphql?query={hello}', '/healthz', '/readyz', '/metrics', '/widget.js'];

describe('the interface', () => {
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
  ])('answers on %s', async host => {
    for (const path of paths.filter(path => !path.startsWith('/graphql')))
      expect([path, (await at(host, path)).status]).toEqual([path, 200]);
  });

  test.each([
    '0a1b2c3d4.localhost',
    '0a1b2c3.localhost',
    'g0000000.localhost',
    'x.0a1b2c3d.localhost',
    '0a1b2c3d.localhost.example',
    '0a1b2c3dlocalhost',
    '0a1b2c3d.example',
  ])('answers on a host that is like that of a page, but is none: %s', async host => {
    expect((await at(host, '/v1/hello')).status).toBe(200);
  });

  test('is not there on the host of a page, in whatever way it is written', async () => {
    for (const host of [
      `${id}.localhost`,
      `${id}.localhost:3000`,
      `${id.toUpperCase()}.LocalHost.`,
      '00000000.localhost',
    ]) {
      for (const path of [...paths, '/v2/hello', '/v1/nothing']) {
        const answer = await at(host, path);
        expect([host, path, answer.status]).toEqual([host, path, 404]);
        expect(answer.head).toMatch(/\r\nContent-Type: text\/plain; charset=utf-8/);
        expect(answer.body).not.toMatch(/Hello|token|process_/);
      }
      expect((await at(host, '/v1/pages', 'OPTIONS')).status).toBe(404);
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
    const answer = await at(host, '/v1/hello');
    expect(answer.status).toBe(400);
    expect(answer.body).not.toContain('<script>');
  });

  test('refuses a request without Host, or with two', async () => {
    expect(await onTheWire(service.url, 'GET /v1/hello HTTP/1.1', 'Connection: close')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await onTheWire(service.url, 'GET /v1/hello HTTP/1.0')).toMatch(/^HTTP\/1\.1 400 /);
    const twice = await onTheWire(
      service.url,
      'GET /healthz HTTP/1.1',
      'Host: localhost',
      `Host: ${id}.localhost`,
      'Connection: close',
    );
    expect(twice).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('refuses two of them also where the first is that of a page that was visited before', async () => {
    const host = `${id}.localhost`;
    for (const _ of [1, 2]) expect((await at(host, '/feed.json')).status).toBe(200);
    for (const other of [host, 'localhost']) {
      const answer = await onTheWire(
        service.url,
        'GET /feed.json HTTP/1.1',
        `Host: ${host}`,
        `Host: ${other}`,
        'Connection: close',
      );
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    }
  });
});

describe('any other path', () => {
  test.each([
    '/',
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
  ])('is a plain 404: %s', async path => {
    const answer = await at('localhost', path);
    expect(answer.status).toBe(404);
    expect(answer.head).toMatch(/\r\nContent-Type: text\/plain; charset=utf-8/);
    expect(answer.head).toMatch(/\r\nX-Content-Type-Options: nosniff/);
  });

  test('is one for every method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect((await at('localhost', '/nothing', method)).status).toBe(404);
  });
});

describe('the paths for machines', () => {
  test('say that the process runs, and that it reaches its database', async () => {
    expect((await service.get('/healthz', { token: null })).text).toBe('ok\n');
    expect((await service.get('/readyz', { token: null })).text).toBe('ready\n');
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await service.call('HEAD', path, { token: null })).status).toBe(200);
  });

  test('count the requests for Prometheus, without anything of them', async () => {
    await service.get(`/v1/pages/${id}?secret=of-the-caller`);
    const { text, headers } = await service.get('/metrics', { token: null });
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=/);
    expect(text).toMatch(/^http_requests_total\{face="rest",status="200"\} \d+$/m);
    expect(text).toMatch(/^process_cpu_seconds_total /m);
    expect(text).not.toMatch(new RegExp(`${id}|secret|${service.tokens.write}`));
  });

  test('can be closed to Prometheus', async () => {
    settings.metrics = false;
    expect((await service.get('/metrics')).status).toBe(404);
    expect((await service.get('/healthz')).status).toBe(200);
  });
});

describe('a database that fails', () => {
  /** The same service over a database that answers everything with an error. */
  async function failingWith(error: Error, use: (url: string) => Promise<void>): Promise<void> {
    const fail = () => Promise.reject(error);
    const broken: Database = { ...service.database, read: fail, readForStranger: fail, query: fail };
    const graph = createGraphServer();
    await graph.start();
    const server = createServer(createApp(broken, graph));
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    log.level = 'silent';
    try {
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    } finally {
      log.level = settings.logLevel;
      server.closeAllConnections();
      await new Promise(done => server.close(done));
      await graph.stop();
    }
  }

  test('because it is away is a 503, which says when to come again', async () => {
    await failingWith(
      Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { code: 'ECONNREFUSED' }),
      async url => {
        const answer = await fetch(`${url}/v1/pages/${id}`);
        expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([503, true]);
        expect(answer.headers.get('access-control-allow-origin')).toBe('*');
        expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
        const body = await answer.text();
        expect(JSON.parse(body)).toEqual({ error: 'unavailable', error_description: expect.any(String) });
        expect(body).not.toMatch(/ECONN|10\.1\.2\.3/);
        const ready = await fetch(`${url}/readyz`);
        expect([ready.status, await ready.text()]).toEqual([503, 'the database is away\n']);
        expect((await fetch(`${url}/healthz`)).status).toBe(200);
      },
    );
  });

  test('for a reason of ours is a 500 with nothing internal in it', async () => {
    await failingWith(new Error('syntax error at or near "secret_column"'), async url => {
      const answer = await fetch(`${url}/v1/pages/${id}`);
      expect([answer.status, await answer.json()]).toEqual([
        500,
        { error: 'system', error_description: 'An unknown error has occurred.' },
      ]);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect((await fetch(`${url}/v1/hello`, { headers: { Authorization: 'Bearer some' } })).status).toBe(500);
    });
  });
});
