import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, expect, test } from '@jest/globals';
import { createFetch, type ProxySettings } from '../../../../src/http/proxies.js';
import type { SsrfGuard } from '../../../../src/http/guarded-request.js';
import { post } from '../../../../src/notifications/channels/http/post.js';
import { certificate } from '../../../support/certificate.js';
import { startForwardProxy } from '../../../support/forward-proxy.js';
import { useReceivers } from '../../../support/receivers.js';

const receiver = useReceivers();
let proxy: Awaited<ReturnType<typeof startForwardProxy>> | undefined;
afterEach(async () => {
  await proxy?.stop();
  proxy = undefined;
});

async function start(isSecure: boolean) {
  const target = await receiver(() => ({}), isSecure);
  proxy = await startForwardProxy(Number(new URL(target.url).port));
  const proxies = (changes: Partial<ProxySettings> = {}): ProxySettings => ({
    httpProxy: '',
    httpsProxy: proxy!.url,
    noProxy: '',
    ...changes,
  });
  return { target, proxy, proxies };
}

const send = (url: string, guard: SsrfGuard) => post({ url, headers: {}, body: 'hello' }, guard);
const toPublic = async () => [{ address: '8.8.8.8', family: 4 }];
const unknownName = () => Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' }));
const hook = 'https://hooks.example/services/1';
const ca = certificate.cert;

test('a request to an https URL goes through a tunnel, encrypted up to the target', async () => {
  const { target, proxy, proxies } = await start(true);
  const password = proxy.url.replace('//', '//ann:p%40ss@');
  const guard = { allowPrivate: false, resolve: toPublic, ca, proxies: proxies({ httpsProxy: password }) };
  expect(await send(hook, guard)).toMatchObject({ status: 200, body: 'ok' });
  const authorization = `Basic ${btoa('ann:p@ss')}`;
  expect(proxy.requests).toEqual([{ line: 'CONNECT hooks.example:443', authorization }]);
  expect(target.requests).toMatchObject([{ method: 'POST', path: '/services/1', body: 'hello' }]);
  expect(target.requests[0]!.headers['proxy-authorization']).toBeUndefined();
  // The certificate is that of the target.
  await expect(send(hook, { ...guard, ca: undefined })).rejects.toThrow(/self.signed/);
});

test('a request to an http URL goes through the proxy for them', async () => {
  const { target, proxy, proxies } = await start(false);
  const guard = { allowPrivate: true, resolve: toPublic, proxies: proxies({ httpProxy: proxy!.url, httpsProxy: '' }) };
  expect(await send('http://sms.example/send', guard)).toMatchObject({ status: 200 });
  expect(proxy!.requests).toHaveLength(1);
  expect(target.requests).toMatchObject([{ path: '/send', body: 'hello' }]);
});

test('addresses that are not public are refused before the proxy is asked', async () => {
  const { proxy, proxies } = await start(true);
  const guard = (address: string) => ({
    allowPrivate: false,
    resolve: async () => [{ address, family: 4 }],
    ca,
    proxies: proxies(),
  });
  for (const address of ['127.0.0.1', '10.0.0.7', '169.254.169.254'])
    await expect(send(hook, guard(address))).rejects.toThrow('hooks.example does not resolve to a public address.');
  await expect(send('https://127.0.0.1/', guard('8.8.8.8'))).rejects.toThrow('127.0.0.1 is not a public address.');
  await expect(send('http://hooks.example/', guard('8.8.8.8'))).rejects.toThrow('Only https URLs are allowed.');
  for (const host of ['localhost', 'metrics.localhost'])
    await expect(send(`https://${host}/`, { ...guard(''), resolve: unknownName })).rejects.toThrow(
      `${host} does not resolve to a public address.`,
    );
  expect(proxy.requests).toEqual([]);
});

test('a name that this machine cannot resolve is left to the proxy', async () => {
  const { proxy, proxies } = await start(true);
  const guard = { allowPrivate: false, resolve: unknownName, ca };
  expect(await send(hook, { ...guard, proxies: proxies() })).toMatchObject({ status: 200 });
  await expect(send(hook, guard)).rejects.toThrow('hooks.example does not resolve to a public address.');
  await expect(send(hook, { ...guard, proxies: proxies({ noProxy: 'hooks.example' }) })).rejects.toThrow(
    'hooks.example does not resolve to a public address.',
  );
  expect(proxy.requests).toHaveLength(1);
});

test.each(['hooks.example', '.example', '*'])(
  'NO_PROXY %s: the connection goes to the checked address',
  async noProxy => {
    const { target, proxy, proxies } = await start(true);
    const guard = {
      allowPrivate: true,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      ca,
      proxies: proxies({ noProxy }),
    };
    expect(await send(`https://hooks.example:${new URL(target.url).port}/`, guard)).toMatchObject({ status: 200 });
    expect(proxy.requests).toEqual([]);
  },
);

test('a fetch goes through the proxy, and its response is whole', async () => {
  const { target, proxies } = await start(false);
  const fetchUrl = createFetch(proxies({ httpProxy: proxy!.url, httpsProxy: '' }));
  const response = await fetchUrl('http://id.example/token', { method: 'POST', body: new URLSearchParams({ a: '1' }) });
  expect([response.status, await response.text()]).toEqual([200, 'ok']);
  expect(target.requests).toMatchObject([{ method: 'POST', path: '/token', body: 'a=1' }]);
  expect(proxy!.requests).toHaveLength(1);
  expect(createFetch(proxies({ httpsProxy: '' }))).toBe(fetch);
});

test('a proxy that does not answer is named as the reason', async () => {
  const { proxy, proxies } = await start(true);
  await proxy.stop();
  const guard = { allowPrivate: false, resolve: toPublic, ca, proxies: proxies() };
  await expect(send(hook, guard)).rejects.toThrow(/ECONNREFUSED|Proxy/);
});

test('a fetch through the proxy passes on a response before it has ended', async () => {
  const target = createServer((_, response) => response.write('begun')).listen(0, '127.0.0.1');
  await once(target, 'listening');
  proxy = await startForwardProxy((target.address() as AddressInfo).port);
  const fetchUrl = createFetch({ httpProxy: proxy.url, httpsProxy: '', noProxy: '' });
  try {
    const { body } = await fetchUrl('http://status.example/console/import', { signal: AbortSignal.timeout(20_000) });
    const { value } = await body!.getReader().read();
    expect(new TextDecoder().decode(value)).toBe('begun');
  } finally {
    target.closeAllConnections();
    target.close();
  }
});

test('HTTP/2, whose frames have no bound, is not spoken, with a proxy or without', async () => {
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, ({ httpVersion }, response) => {
    response.end(httpVersion);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  proxy = await startForwardProxy(port);
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  const guard = { allowPrivate: true, resolve, ca };
  const url = `https://hooks.example:${port}/`;
  try {
    expect(await send(url, guard)).toMatchObject({ body: '1.1' });
    const proxies = { httpProxy: '', httpsProxy: proxy.url, noProxy: '' };
    expect(await send(url, { ...guard, proxies })).toMatchObject({ body: '1.1' });
    expect(proxy.requests).toHaveLength(1);
  } finally {
    server.close();
  }
});

test('a server cannot begin another handshake', async () => {
  const renegotiated = Promise.withResolvers<Error | null>();
  const server = createTlsServer({ ...certificate, maxVersion: 'TLSv1.2' }, socket => {
    socket.on('error', renegotiated.resolve);
    socket.renegotiate({}, renegotiated.resolve);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  try {
    const sent = send(`https://hooks.example:${port}/`, { allowPrivate: true, resolve, ca, timeoutMs: 500 });
    await expect(sent).rejects.toThrow();
    expect(await renegotiated.promise).toBeInstanceOf(Error);
  } finally {
    server.close();
  }
});

test.each([
  [8, { status: 200 }],
  [11, { message: 'The server sent more than the size of its body allows.' }],
])('of a server that offers %i more sessions of TLS than two the outcome is %o', async (count, outcome) => {
  const { target } = await start(true);
  const offer = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    for (let number = 0; number < count; number++) socket.emit('session', Buffer.alloc(1));
  };
  subscribe('undici:client:connected', offer);
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  try {
    const url = target.url.replace('127.0.0.1', 'hooks.example').replace('localhost', 'hooks.example');
    const result = await send(url, { allowPrivate: true, resolve, ca }).catch(error => error);
    expect(result).toMatchObject(outcome);
  } finally {
    unsubscribe('undici:client:connected', offer);
  }
});
