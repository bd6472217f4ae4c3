import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import type { Settings } from '../../../src/core/config.js';
import { createPage } from '../../support/factories.js';
import { createTestLogger } from '../../support/log-lines.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
afterEach(() => service.stop());

async function startLogging(level: Settings['logLevel']) {
  const { log, lines, text } = createTestLogger(level);
  service = await startTestService({}, { log });
  const requests = () => lines().filter(({ msg }) => msg === 'request');
  return {
    lines,
    text,
    /** The lines of so many requests, which are written when their connections have taken the responses. */
    waitForRequests: async (count: number) => {
      for (let tries = 0; requests().length < count && tries < 500; tries += 1)
        await new Promise(done => setTimeout(done, 10));
      return requests();
    },
  };
}

test('each request is a line at debug, without its query, its token and its links', async () => {
  const { text, waitForRequests } = await startLogging('debug');
  const { id } = await createPage(service);
  await service.get(`/v1/pages/${id}?api_key=query-secret`);
  await service.get(`/v1/pages/${id}/notices`, { token: service.tokens.read });
  await service.get(`/v1/pages/${id}/components`, { token: null });
  await service.get('/v1/pages', { token: 'mistyped-token-secret', headers: { 'x-request-id': 'proxy-17' } });
  await service.get(`/status/${id}/?lang=de`, { token: null });
  await service.get(`/status/${id}/unsubscribe/1a.....link-secret?x=1`, { token: null });
  await service.get(`/status/${id}/webhook/1a...link-secret`, { token: null });
  await service.graphql('{ hello }');
  const lines = await waitForRequests(9);
  expect(
    lines.map(({ method, path, status, caller }) => [method, path, status, caller].filter(Boolean).join(' ')),
  ).toEqual([
    'POST /v1/pages 201 token 1',
    `GET /v1/pages/${id} 200 token 1`,
    `GET /v1/pages/${id}/notices 200 token 2`,
    `GET /v1/pages/${id}/components 200 anonymous`,
    'GET /v1/pages 401',
    `GET /status/${id}/ 200`,
    `GET /status/${id}/unsubscribe/[…] 410`,
    `GET /status/${id}/webhook/[…] 410`,
    'POST /graphql 200 token 1',
  ]);
  for (const { level, ms, bytes, requestId } of lines)
    expect([level, typeof ms, (bytes as number) > 100, /^[\w-]+$/.test(String(requestId))]).toEqual([
      20,
      'number',
      true,
      true,
    ]);
  expect(lines[4]!.requestId).toBe('proxy-17');
  expect(new Set(lines.map(({ requestId }) => requestId)).size).toBe(9);
  expect(text()).not.toMatch(new RegExp(`secret|${service.tokens.write}|${service.tokens.read}|127\\.0\\.0\\.1`));
});

test('bytes are counted for each response of a connection', async () => {
  const { waitForRequests } = await startLogging('debug');
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const request = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
  socket.write(request.repeat(3));
  socket.resume();
  const lines = await waitForRequests(3);
  socket.destroy();
  await once(socket, 'close');
  expect(lines.map(({ bytes }) => bytes)).toEqual([lines[0]!.bytes, lines[0]!.bytes, lines[0]!.bytes]);
});

test('nothing is logged for requests at info', async () => {
  const { lines, waitForRequests } = await startLogging('info');
  await service.get('/v1/pages', { token: 'mistyped' });
  expect(await waitForRequests(0)).toEqual([]);
  expect(lines()).toEqual([expect.objectContaining({ msg: 'starting' })]);
});
