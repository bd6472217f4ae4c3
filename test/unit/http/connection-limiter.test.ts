import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { type ConnectionLimits, ConnectionLimiter } from '../../../src/http/connection-limiter.js';

let server: Server;
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  server.closeAllConnections();
  await new Promise(done => server.close(done));
});

async function listen(
  limits: Partial<ConnectionLimits>,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<ConnectionLimiter> {
  const connections = new ConnectionLimiter({
    maxConnections: 100,
    maxConnectionsPerAddress: 100,
    maxRequestsPerRead: 1_000,
    isProxy: () => false,
    ...limits,
  });
  server = createServer(connections.handleInOrder(handle));
  connections.attach(server);
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return connections;
}

async function open(): Promise<Socket> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(client.on('error', () => {}));
  await once(client, 'connect');
  return client;
}

const requestLine = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

/** Waits until the condition holds, for 20 seconds at most. */
async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition() && tries < 1_000; tries += 1) await wait(20);
  expect(condition()).toBe(true);
}

test('handles the requests of a connection one after another', async () => {
  const handled: string[] = [];
  const responses: ServerResponse[] = [];
  await listen({}, ({ url }, response) => {
    handled.push(url!);
    responses.push(response);
  });
  const client = await open();
  let received = '';
  client.on('data', data => (received += data));
  client.write(['/1', '/2', '/3'].map(requestLine).join(''));
  const other = await open();
  other.write(requestLine('/other'));
  await until(() => handled.includes('/other'));
  expect(handled).toEqual(['/1', '/other']);
  responses[0]!.end('first');
  await until(() => handled.length === 3);
  expect(handled).toEqual(['/1', '/other', '/2']);
  responses[2]!.end('second');
  await until(() => handled.length === 4);
  responses[3]!.end('third');
  // The connection is read again afterwards.
  await until(() => received.includes('third'));
  client.write(requestLine('/4'));
  await until(() => handled.includes('/4'));
  expect(received).toMatch(/first.*second.*third/s);
});

test('answers hundreds of requests that a client sends at once', async () => {
  await listen({ maxWaitingPerConnection: 1_000 }, ({ url }, response) => response.end(`<${url}>`));
  const client = await open();
  let received = '';
  client.on('data', data => (received += data));
  const paths = Array.from({ length: 400 }, (_, index) => `/${index}`);
  client.write(paths.slice(0, 200).map(requestLine).join(''));
  client.write(paths.slice(200).map(requestLine).join(''));
  await until(() => received.includes(`<${paths.at(-1)}>`));
  expect(received.match(/<[^>]+>/g)).toEqual(paths.map(path => `<${path}>`));
});

test('closes a connection on which many requests arrive at once, before they are handled', async () => {
  const handled: string[] = [];
  await listen({ maxRequestsPerRead: 10 }, (request, response) => {
    handled.push(request.url!);
    request.resume().on('end', () => response.end('done'));
  });
  for (const version of ['HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'RTSP/1.1']) {
    const beyond = await open();
    beyond.write(requestLine('/beyond').replace('HTTP/1.1', version).repeat(11));
    await once(beyond.resume(), 'close');
    expect([version, handled]).toEqual([version, []]);
  }
  const within = await open();
  within.resume();
  within.write(requestLine('/within').repeat(10));
  await until(() => handled.length === 10);
  const bodies = { '/json': JSON.stringify('GET / HTTP/1.1\r\n'.repeat(100)), '/lines': 'agent/1.1\r\n'.repeat(100) };
  for (const [path, body] of Object.entries(bodies)) {
    within.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    await until(() => handled.includes(path));
    expect(within.destroyed).toBe(false);
  }
});

test('closes a connection beyond its limit of requests that wait', async () => {
  let handled = 0;
  await listen({ maxWaitingPerConnection: 100, maxWaiting: 10_000 }, () => {
    handled += 1;
  });
  const within = await open();
  const beyond = await open();
  within.write(requestLine('/').repeat(51));
  await until(() => handled === 1);
  beyond.write(requestLine('/').repeat(102));
  beyond.resume();
  await once(beyond, 'close');
  expect([handled, within.destroyed]).toEqual([2, false]);
  // What waited on the closed connection does not count any more.
  const other = await open();
  other.write(requestLine('/').repeat(50));
  await until(() => handled === 3);
  expect(other.destroyed).toBe(false);
});

test('closes the connection whose requests wait longest for a response beyond the limit of all that wait', async () => {
  const responses: ServerResponse[] = [];
  await listen({ maxWaitingPerConnection: 100, maxWaiting: 100 }, ({ url }, response) => {
    if (url === '/slow') responses.push(response);
    else if (url !== '/endless') response.end(`<${url}>`);
  });
  const [busy, endless, other] = [await open(), await open(), await open()];
  busy.resume();
  busy.write(requestLine('/slow').repeat(50));
  await until(() => responses.length === 1);
  endless.resume();
  endless.write(requestLine('/endless').repeat(51));
  await wait(50);
  // Its requests have waited for longer, but not for this response.
  responses[0]!.end('slow');
  await until(() => responses.length === 2);
  let received = '';
  other.on('data', data => (received += data));
  const closed = once(endless, 'close');
  other.write(['/slow', ...Array.from({ length: 40 }, (_, index) => `/${index}`)].map(requestLine).join(''));
  await closed;
  await until(() => responses.length === 3);
  responses[2]!.end('slow');
  await until(() => received.includes('</39>'));
  expect([busy.destroyed, other.destroyed]).toEqual([false, false]);
  // What waited on the closed connection does not count any more.
  const next = await open();
  next.write(requestLine('/endless').repeat(50));
  await wait(50);
  expect([next.destroyed, busy.destroyed]).toEqual([false, false]);
});

test('closes the connections of an address beyond its limit, but not those of a proxy', async () => {
  let isProxy = false;
  const connections = await listen({ maxConnectionsPerAddress: 2, isProxy: () => isProxy }, (_, response) =>
    response.end(),
  );
  const [first] = [await open(), await open()];
  const third = await open();
  third.resume();
  await once(third, 'close');
  first.destroy();
  await until(() => connections.count === 1);
  const fourth = await open();
  fourth.write(requestLine('/'));
  await once(fourth, 'data');
  isProxy = true;
  const fifth = await open();
  fifth.write(requestLine('/'));
  await once(fifth, 'data');
  expect(connections.count).toBe(3);
});

test('closes the connections of a customer of a provider beyond four times that limit', async () => {
  const connections = await listen({ maxConnectionsPerAddress: 2 }, () => {});
  const connectFrom = (remoteAddress: string): Socket => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
    server.emit('connection', socket);
    clients.push(socket);
    return socket;
  };
  const networks = Array.from({ length: 10 }, (_, number) => connectFrom(`2001:db8:1:${number}::1`));
  expect(networks.map(({ destroyed }) => destroyed)).toEqual([...Array.from({ length: 8 }, () => false), true, true]);
  expect(connectFrom('2001:db8:2::1').destroyed).toBe(false);
  networks[0]!.destroy();
  await until(() => connections.count === 8);
  expect([connectFrom('2001:db8:1:ff::1'), connectFrom('2001:db8:1:fe::1')].map(({ destroyed }) => destroyed)).toEqual([
    false,
    true,
  ]);
});

test('closes connections beyond the limit of all', async () => {
  await listen({ maxConnections: 1, isProxy: () => true }, (_, response) => response.end());
  const first = await open();
  const second = await open();
  second.resume();
  await once(second, 'close');
  first.write(requestLine('/'));
  await once(first, 'data');
});

test('closes the connection of a client that does not read, and not that of one that reads slowly', async () => {
  const body = Buffer.alloc(24 * 1024 * 1024);
  const connections = await listen({ unreadTimeoutMs: 1_500 }, (_, response) => response.end(body));
  const slow = await open();
  slow.write(requestLine('/'));
  const idle = await open();
  idle.pause();
  idle.write(requestLine('/').repeat(3));
  let received = 0;
  await until(() => {
    received += (slow.read() as Buffer | null)?.length ?? 0;
    return connections.count === 1;
  });
  expect(received).toBeLessThan(body.length / 2);
  slow.on('data', (data: Buffer) => (received += data.length));
  await until(() => received > body.length);
  expect(slow.destroyed).toBe(false);
});

test('closes those that have not read for longest while responses exceed the limit of all', async () => {
  const body = Buffer.alloc(24 * 1024 * 1024);
  const connections = await listen({ maxUnreadBytes: 2.5 * body.length }, (_, response) => response.end(body));
  const idle: Socket[] = [];
  for (let count = 0; count < 4; count += 1) {
    const client = await open();
    client.pause();
    client.write(requestLine('/'));
    idle.push(client);
  }
  await until(() => connections.count === 2);
});

test('keeps a connection whose next response takes longer than the timeout', async () => {
  const body = Buffer.alloc(24 * 1024 * 1024);
  let finish = () => {};
  const connections = await listen({ unreadTimeoutMs: 3_000 }, ({ url }, response) => {
    if (url === '/large') response.end(body);
    else finish = () => response.end('done');
  });
  const sockets: Socket[] = [];
  server.on('connection', socket => sockets.push(socket));
  const openPaused = async () => {
    const client = await open();
    client.pause();
    client.write(requestLine('/large') + requestLine('/slow'));
    const socket = sockets.at(-1)!;
    await until(() => socket.timeout === 3_000);
    return client;
  };
  const client = await openPaused();
  let received = 0;
  let last = '';
  client.on('data', (data: Buffer) => {
    received += data.length;
    last = data.toString('latin1').slice(-4);
  });
  client.resume();
  await until(() => received > body.length);
  // Another one is found after it, and closed.
  await openPaused();
  await until(() => connections.count === 1);
  finish();
  await until(() => last === 'done');
});
