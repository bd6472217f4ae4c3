import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { PageVersions } from '../../../src/db/page-versions.js';
import { Admission } from '../../../src/http/admission.js';
import { RateLimiter } from '../../../src/http/rate-limit.js';
import { ResponseCache } from '../../../src/http/response-cache.js';

/** Too large for the buffers of a connection. */
const body = Buffer.alloc(16 * 1024 * 1024, 'x');
let admission: Admission;
let server: Server;
let version: string;
let isRefused: boolean;
let validityReads: number;
let content: Buffer;
/** What was sent last from memory. */
let sent: Buffer;
beforeEach(async () => {
  version = 'first';
  isRefused = false;
  validityReads = 0;
  content = body;
  admission = new Admission({ maxRequests: 4, connections: 4, loopDelayMs: () => 0 });
  const responses = new ResponseCache({
    settings: { anonymousReads: 'page' },
    versions: { read: async () => version } as unknown as PageVersions,
    readValidityMs: async () => {
      validityReads += 1;
      return 60_000;
    },
    identifyCaller: async () => ({ kind: 'anonymous', reads: 'page' }),
    rateLimiter: new RateLimiter({ rateLimit: 0, trustedProxies: [] }),
    admission,
  });
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const end = response.end.bind(response);
    const send = (chunk: Buffer) => {
      sent = chunk;
      return end(chunk);
    };
    Object.assign(response, { end: send });
    if (await responses.respond(request, response)) return;
    if (isRefused) return void response.writeHead(503).end();
    await responses.prepare(request);
    responses.createKeeper(request, response, { pageIds: new Set(['a']), isComplete: true } as never)?.(content);
    response.end();
  };
  server = createServer((request, response) => void respond(request, response));
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise(done => server.close(done));
});

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/list`;
const get = async () =>
  (await (await fetch(url(), { headers: { authorization: 'Bearer a-token' } })).arrayBuffer()).byteLength;
async function waitFor(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition() && tries < 1_000; tries += 1) await new Promise(done => setTimeout(done, 10));
  expect(condition()).toBe(true);
}
/** Sends the request until its response is kept. */
async function warm(): Promise<void> {
  await get();
  await get();
  expect(await get()).toBe(body.length);
}

test('a small body that is kept does not keep the pool of buffers that it was made in', async () => {
  content = Buffer.from('short');
  expect(content.buffer.byteLength).toBeGreaterThan(8_000);
  for (const _ of [1, 2, 3]) await get();
  expect([String(sent), sent.buffer.byteLength]).toEqual(['short', 5]);
});

test('a large response counts as a list in progress while the client takes it, but not for ever', async () => {
  await warm();
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  // As fetch sends them: the response depends on these headers.
  const lines = [
    'GET /v1/list HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Accept: */*',
    'Accept-Encoding: gzip, deflate',
    'Authorization: Bearer a-token',
  ];
  socket.pause().write(`${lines.join('\r\n')}\r\n\r\n`);
  await waitFor(() => admission.requestsInProgress === 1);
  await waitFor(() => admission.requestsInProgress === 0);
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});

test('does not read until when a response will be valid for a request that is refused', async () => {
  await warm();
  const before = validityReads;
  version = 'second';
  isRefused = true;
  expect(await get()).toBe(0);
  expect(validityReads).toBe(before);
  isRefused = false;
  await get();
  expect(validityReads).toBe(before + 1);
});
