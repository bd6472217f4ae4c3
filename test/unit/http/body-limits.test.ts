import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { BodyLimits } from '../../../src/http/body-limits.js';
import { waitUntil, waitUntilEqual } from '../../support/wait-until-equal.js';

async function listen(bodyLimits: BodyLimits, handle: RequestListener) {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    bodyLimits.apply(request, response);
    void handle(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    /** Sends a part of a body. Returns what is answered until the connection is closed. */
    send(announced: number, sent: number) {
      const client = connect(port, '127.0.0.1');
      const parts: string[] = [];
      client.setEncoding('latin1').on('data', part => parts.push(String(part)));
      client.on('error', () => {});
      client.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${announced}\r\n\r\n`);
      client.write('x'.repeat(sent));
      return { client, closed: new Promise<string>(done => client.on('close', () => done(parts.join('')))) };
    },
    close: () => new Promise(done => server.close(done)),
  };
}

const readWhole: RequestListener = async (request, response) => {
  try {
    for await (const _ of request);
    response.setHeader('Connection', 'close').end('read');
  } catch {
    // It was ended.
  }
};

test('ends the largest body in progress with 503 when all take more memory than permitted', async () => {
  const server = await listen(new BodyLimits({ maxBytes: 600_000 }), readWhole);
  const small = server.send(2_000, 1_000);
  const large = server.send(500_000, 200_000);
  const larger = server.send(1_000_000, 450_000);
  expect(await larger.closed).toMatch(/^HTTP\/1.1 503 .*\r\nRetry-After: 1\r\n/s);
  small.client.write('x'.repeat(1_000));
  expect(await small.closed).toMatch(/^HTTP\/1.1 200 .*read/s);
  large.client.write('x'.repeat(300_000));
  expect(await large.closed).toMatch(/^HTTP\/1.1 200 .*read/s);
  await server.close();
});

test.each([
  ['counts the memory of each part, of a body in chunks of one byte as well', 600_000, 503],
  ['refuses a body of more than 10,000 parts of one byte', 64_000_000, 400],
])('%s', async (_, maxBytes, status) => {
  const server = await listen(new BodyLimits({ maxBytes }), readWhole);
  const client = connect(server.port, '127.0.0.1');
  const answer: string[] = [];
  client.setEncoding('latin1').on('data', part => answer.push(String(part)));
  client.on('error', () => {});
  client.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
  client.write('1\r\nx\r\n'.repeat(10_001));
  await waitUntil(
    () => answer.join(''),
    text => text.startsWith(`HTTP/1.1 ${status}`),
  );
  client.destroy();
  await server.close();
});

test('closes the connection of a body of many short parts that nobody reads', async () => {
  const server = await listen(new BodyLimits({ whole: 600_000 }), (_, response) => void response.end('answered'));
  const client = connect(server.port, '127.0.0.1');
  client.on('error', () => {});
  client.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
  await once(client, 'data');
  client.write('1\r\nx\r\n'.repeat(10_001));
  await once(client, 'close');
  await server.close();
});

/** Bodies of this length are those of callers that may write. */
const writersLength = 1_000_001;

const listenForWriters = (bodyLimits: BodyLimits) =>
  listen(bodyLimits, (request, response) => {
    if (request.headers['content-length'] === String(writersLength)) bodyLimits.countForWriters(request);
    return readWhole(request, response);
  });

test('ends the largest body of callers that may write when theirs take more memory than permitted', async () => {
  const server = await listenForWriters(new BodyLimits({ maxBytes: 500_000, maxBytesOfWriters: 600_000 }));
  const small = server.send(2_000, 1_000);
  const writer = server.send(writersLength, 200_000);
  const larger = server.send(writersLength, 450_000);
  expect(await larger.closed).toMatch(/^HTTP\/1.1 503 .*\r\nRetry-After: 1\r\n/s);
  small.client.write('x'.repeat(1_000));
  expect(await small.closed).toMatch(/^HTTP\/1.1 200 .*read/s);
  writer.client.destroy();
  await server.close();
});

test('counts the bodies of callers that may write apart from the others', async () => {
  const server = await listenForWriters(new BodyLimits({ maxBytes: 500_000 }));
  const writers = [server.send(1_000_001, 450_000), server.send(1_000_001, 450_000)];
  const other = server.send(1_000_000, 600_000);
  expect(await other.closed).toMatch(/^HTTP\/1.1 503 /);
  for (const { client } of writers) client.write('x'.repeat(550_001));
  for (const { closed } of writers) expect(await closed).toMatch(/^HTTP\/1.1 200 /);
  await server.close();
});

const countTimers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;

test.each([true, false])(
  'no timer outlives a client that left within its body (answered before: %s)',
  async isAnswered => {
    const bodyLimits = new BodyLimits({ whole: 60_000, pause: 60_000 });
    const server = createServer((request, response) => {
      bodyLimits.apply(request, response);
      if (isAnswered) response.writeHead(401).end();
      else response.writeProcessing();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const before = countTimers();
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
    await once(client, 'data');
    expect(countTimers()).toBe(before + 1);
    client.destroy();
    await waitUntil(countTimers, count => count <= before);
    await new Promise(done => server.close(done));
  },
);

test('leaves nothing at a connection on which many requests were answered before their bodies arrived', async () => {
  const listeners: number[] = [];
  const server = await listen(new BodyLimits(), (request, response) => {
    listeners.push(request.socket.listenerCount('close'));
    response.end('answered');
  });
  const { client, closed } = server.send(2, 0);
  for (let count = 1; count <= 20; count++) {
    await waitUntilEqual(async () => listeners.length, count);
    client.write(`xxPOST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n`);
  }
  await waitUntilEqual(async () => listeners.length, 21);
  client.destroy();
  await closed;
  expect(Math.max(...listeners) - listeners[0]!).toBeLessThanOrEqual(1);
  await server.close();
});
