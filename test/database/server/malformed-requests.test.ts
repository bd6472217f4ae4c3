import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { createTestLogger } from '../../support/log-lines.js';
import { startTestService } from '../../support/service.js';

interface MalformedRequest {
  head: string[];
  body?: string | Buffer;
  /** How the client ends a request that the service cannot answer yet. */
  ending?: 'end' | 'reset' | 'close';
}

/** What a client can get wrong in a request for a path with its token. */
const malformedRequests = (path: string, token: string): Record<string, MalformedRequest> => {
  const host = 'Host: localhost';
  const authorization = `Authorization: Bearer ${token}`;
  const post = (...headers: string[]) => [`POST ${path} HTTP/1.1`, host, authorization, ...headers];
  const get = (...headers: string[]) => [`GET ${path} HTTP/1.1`, host, authorization, 'Connection: close', ...headers];
  const json = ['Content-Type: application/json', 'Connection: close'];
  const sized = (body: string) => ({ head: post(...json, `Content-Length: ${Buffer.byteLength(body)}`), body });
  return {
    'a chunk size that is no number': { head: post('Transfer-Encoding: chunked'), body: `ZZ\r\n${token}\r\n` },
    'a chunk extension of 40 kB': { head: post('Transfer-Encoding: chunked'), body: `5;${'x'.repeat(40_000)}\r\n` },
    'a chunk without its end': { head: post('Transfer-Encoding: chunked'), body: `40\r\n${token}`, ending: 'end' },
    'a body that ends early': { head: post('Content-Length: 100'), body: token, ending: 'end' },
    'a body that is awaited, and never comes': {
      head: post('Expect: 100-continue', 'Content-Length: 100'),
      ending: 'close',
    },
    'a connection that is reset in the body': { head: post('Content-Length: 100'), body: token, ending: 'reset' },
    'a header that ends early': { head: [`GET ${path} HTTP/1.1`, host, `${authorization}`], ending: 'end' },
    'two lengths': { head: post('Content-Length: 1', 'Content-Length: 2') },
    'a length and chunks': { head: post('Content-Length: 1', 'Transfer-Encoding: chunked') },
    'an unknown transfer encoding': { head: post('Transfer-Encoding: gzip') },
    'data after the last request': { head: get(), body: `${token}\r\n\r\n` },
    'a control character in a header': { head: get('X-Name: \u0001') },
    'a header without a name': { head: get(`: ${token}`) },
    '200 headers': { head: get(...Array.from({ length: 200 }, (_, index) => `a${index}: b`)) },
    'headers of 20 kB': { head: get(`X-Pad: ${'x'.repeat(20_000)}`) },
    'no Host': { head: [`GET ${path} HTTP/1.1`, authorization, 'Connection: close'] },
    'two Hosts': { head: get('Host: other') },
    'a malformed Host': { head: [`GET ${path} HTTP/1.1`, `Host: ${token}/`, authorization, 'Connection: close'] },
    'an unknown method': { head: [`${token} ${path} HTTP/1.1`, host, authorization] },
    'an unknown version': { head: [`GET ${path}?token=${token} HTTP/9.9`, host, authorization] },
    'a target with a space': { head: [`GET ${path} ?token=${token} HTTP/1.1`, host, authorization] },
    'a target whose host is malformed': { head: [`GET http://[::1${path}?t=${token} HTTP/1.1`, ...get().slice(1)] },
    'a target whose user is malformed': { head: [`GET http://%zz@localhost${path} HTTP/1.1`, ...get().slice(1)] },
    'a malformed Host, and a target whose host is malformed': {
      head: [`GET http://[::1${path}?t=${token} HTTP/1.1`, `Host: ${token}/`, authorization, 'Connection: close'],
    },
    'two Hosts, and a target whose host is malformed': {
      head: [`GET http://[::1${path}?t=${token} HTTP/1.1`, ...get('Host: other').slice(1)],
    },
    'no Host, and a target whose host is malformed': {
      head: [`GET http://[::1${path}?t=${token} HTTP/1.0`, authorization, 'Connection: close'],
    },
    'percent signs that encode nothing': { head: [`GET ${path}%zz?t=${token}&a=%zz HTTP/1.1`, ...get().slice(1)] },
    'bytes that are no HTTP': { head: [`\u0016\u0003\u0001${token}`] },
    'a body that is no JSON': sized(`{"token":"${token}`),
    'a body that is no UTF-8': {
      head: post(...json, `Content-Length: ${token.length + 1}`),
      body: Buffer.from(`${token}\u00ff`, 'latin1'),
    },
    'a body with a content encoding': {
      head: post(...json, 'Content-Encoding: gzip', `Content-Length: ${token.length}`),
      body: token,
    },
    'a multipart body without a boundary': {
      head: post('Content-Type: multipart/form-data', 'Connection: close', `Content-Length: ${token.length}`),
      body: token,
    },
  };
};

/** Sends a request and waits until the connection is closed. */
async function send(url: string, { head, body = '', ending }: MalformedRequest): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'connect');
  socket.write(`${head.join('\r\n')}${ending === 'end' && !body ? '\r\n' : '\r\n\r\n'}`, 'latin1');
  socket.write(body);
  if (ending === 'end') socket.end();
  if (ending === 'close') socket.write('', () => socket.destroy());
  if (ending === 'reset') socket.write('', () => socket.resetAndDestroy());
  if (!socket.destroyed) await once(socket, 'close');
}

/** The forms in which a library could print bytes. */
function encodingsOf(token: string): string[] {
  const bytes = Buffer.from(token);
  // The characters of base64 depend on where in a group of three bytes the token begins.
  const base64 = [0, 1, 2].map(offset => bytes.subarray(offset, offset + 30).toString('base64'));
  return [token, bytes.toString('hex'), [...bytes].join(','), ...base64];
}

test('no malformed request brings its token into the log, at any level', async () => {
  const warnings: string[] = [];
  const note = (warning: Error) => warnings.push(warning.message);
  process.on('warning', note);
  const { log, lines, text } = createTestLogger('debug');
  const service = await startTestService({}, { log });
  const page = await createPage(service);
  const wrongToken = 'wrong-token-0123456789012345678901234567890';
  const paths = [
    '/nope',
    '/v1/pages',
    '/graphql',
    '/healthz',
    '/healthz/installation',
    `/status/${page.id}/`,
    `/status/${page.id}/subscribe`,
  ];
  for (const path of paths)
    for (const token of [service.tokens.write, wrongToken])
      await Promise.all(Object.values(malformedRequests(path, token)).map(request => send(service.url, request)));
  await service.stop();

  process.off('warning', note);
  const printed = [text(), ...warnings].join('\n');
  for (const token of [service.tokens.write, wrongToken])
    expect(encodingsOf(token).filter(encoding => printed.includes(encoding))).toEqual([]);
  const failures = lines().filter(({ msg }) => msg === 'connections of clients failed');
  // Most of the requests break the connection.
  expect(failures.reduce((sum, { count }) => sum + (count as number), 0)).toBeGreaterThan(paths.length * 2 * 10);
  expect(lines().filter(({ level }) => (level as number) > 20)).toEqual([expect.objectContaining({ msg: 'starting' })]);
});

test('the log has no more than one line per second about the errors of clients', async () => {
  const { log, lines } = createTestLogger('debug');
  const service = await startTestService({}, { log });
  const startedAt = performance.now();
  const request = malformedRequests('/nope', 'some-token')['a chunk size that is no number']!;
  for (let round = 0; round < 10; round += 1)
    await Promise.all(Array.from({ length: 20 }, () => send(service.url, request)));
  const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
  await service.stop();
  const failures = lines().filter(({ msg }) => msg === 'connections of clients failed');
  expect(failures.reduce((sum, { count }) => sum + (count as number), 0)).toBe(200);
  // One at the beginning, and one at the end.
  expect(failures.length).toBeLessThanOrEqual(seconds + 2);
});

test('the log has no more than one line per second about sign-ins that nobody began', async () => {
  const { log, lines } = createTestLogger();
  const service = await startTestService({ oidcIssuer: 'http://127.0.0.1:9', oidcClientId: 'client' }, { log });
  const startedAt = performance.now();
  for (let round = 0; round < 10; round += 1) {
    const calls = Array.from({ length: 10 }, () => service.get('/sign-in/openid-connect/callback?code=a&state=b'));
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 403));
  }
  const seconds = Math.ceil((performance.now() - startedAt) / 1_000);
  await service.stop();
  const failures = lines().filter(({ msg }) => msg === 'a sign-in failed');
  expect(failures[0]).toMatchObject({ level: 40, reason: 'Error', count: 1 });
  expect(failures.length).toBeLessThanOrEqual(seconds + 1);
});
