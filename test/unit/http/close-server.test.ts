import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from '@jest/globals';
import { closeServer } from '../../../src/http/close-server.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

async function listen(): Promise<{ server: Server; port: number }> {
  const server = createServer((_, response) => {
    response.shouldKeepAlive = false;
    response.end('ok');
  });
  servers.push(server);
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return { server, port: (server.address() as AddressInfo).port };
}

/** Opens connections, tells that all are open, and returns what each has received until it was closed. */
const clients = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port, count, opened } } = require('node:worker_threads');
  const flag = new Int32Array(opened);
  const results = Array.from({ length: count }, () => new Promise(resolve => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n');
      if (Atomics.add(flag, 0, 1) === count - 1) Atomics.notify(flag, 0);
    });
    socket.on('data', chunk => (text += chunk)).on('error', error => (text = error.code));
    socket.on('close', () => resolve(text.slice(0, 15)));
  }));
  Promise.all(results).then(all => parentPort.postMessage(all));`;

test('answers the connections that wait in the queue of the system', async () => {
  const { server, port } = await listen();
  const count = 50;
  const opened = new SharedArrayBuffer(4);
  const worker = new Worker(clients, { eval: true, workerData: { port, count, opened } });
  const results = new Promise(resolve => worker.once('message', resolve));
  // The process is busy: it accepts none.
  const flag = new Int32Array(opened);
  for (let open = 0; open < count; open = Atomics.load(flag, 0)) Atomics.wait(flag, 0, open, 1_000);
  await closeServer(server, false);
  expect(await results).toEqual(Array(count).fill('HTTP/1.1 200 OK'));
  expect(server.listening).toBe(false);
});

test('goes on while a load balancer sends requests, and not because of its health checks', async () => {
  const { server, port } = await listen();
  const url = `http://127.0.0.1:${port}`;
  let isClosed = false;
  const closed = closeServer(server, true).then(() => {
    isClosed = true;
  });
  const startedAt = performance.now();
  // Longer than without a request.
  while (performance.now() - startedAt < 1_000) expect((await fetch(`${url}/page`)).status).toBe(200);
  expect(isClosed).toBe(false);
  const checks = (async () => {
    while (await fetch(`${url}/readyz`).catch(() => null));
  })();
  await closed;
  await checks;
});
