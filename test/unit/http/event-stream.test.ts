import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { type EventStream, EventStreams, formatEvent } from '../../../src/http/event-stream.js';

test.each([
  [{ data: '{}' }, 'data: {}\n\n'],
  [{ id: '1', type: 'next', data: '{"a":1}' }, 'id: 1\nevent: next\ndata: {"a":1}\n\n'],
  [{ data: '[1, \n 2]' }, 'data: [1,  2]\n\n'],
])('an event is formatted', (event, expected) => {
  expect(formatEvent(event)).toBe(expected);
});

const clientAddress = ({ headers }: IncomingMessage) => (headers['x-client'] as string | undefined) ?? null;
const requestOf = (client: string) => ({ headers: { 'x-client': client } }) as unknown as IncomingMessage;

/** A server whose responses are event streams. */
async function startServer(max: number, maxPerAddress = max, maxWaitingBytes?: number) {
  const streams = new EventStreams({ max, maxPerAddress, clientAddress, maxWaitingBytes });
  const opened: EventStream[] = [];
  let closed = 0;
  const server = createServer((_, response) => {
    opened.push(streams.open(response, { 'X-Extra': 'yes' }, () => (closed += 1)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    streams,
    opened,
    closedCount: () => closed,
    connect: async (client = '192.0.2.1') => {
      const headers = { 'x-client': client };
      const [response] = await once(get({ port, host: '127.0.0.1', agent: false, headers }), 'response');
      return response as IncomingMessage;
    },
    stop: async () => {
      streams.close();
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}

/** Reads until the text contains `end`. */
async function readUntil(response: IncomingMessage, end: string): Promise<string> {
  let text = '';
  response.setEncoding('utf8');
  for await (const chunk of response.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.includes(end)) return text;
  }
  return text;
}

test('a client that reads slowly gets the latest event, and not those in between', async () => {
  const server = await startServer(10);
  const response = await server.connect();
  const [stream] = server.opened;
  const large = 'x'.repeat(1_000_000);
  for (let number = 0; number < 100; number++) stream!.send(formatEvent({ id: String(number), data: large }));
  stream!.send(formatEvent({ id: 'latest', data: '' }));
  const text = await readUntil(response, 'id: latest');
  expect(text.length).toBeLessThan(50_000_000);
  expect(text).toContain('id: 0\n');
  await server.stop();
});

test('streams count until they are closed, by either side', async () => {
  const server = await startServer(2);
  const one = await server.connect();
  const two = await server.connect();
  expect(one.headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8', 'x-extra': 'yes' });
  expect(await readUntil(one, '\n\n')).toMatch(/^retry: \d{4}\n\n$/);
  expect(server.streams.isFull(requestOf('192.0.2.9'))).toBe(true);
  const ended = once(two.resume(), 'end');
  server.opened[1]!.end();
  await ended;
  one.destroy();
  for (let tries = 0; server.closedCount() < 2 && tries < 200; tries++) await new Promise(setImmediate);
  expect(server.closedCount()).toBe(2);
  expect(server.streams.isFull(requestOf('192.0.2.9'))).toBe(false);
  await server.stop();
  expect(server.streams.isFull(requestOf('192.0.2.9'))).toBe(true);
});

test('an address, and the networks of an IPv6 customer, have a share of the streams until they are closed', async () => {
  const server = await startServer(100, 2);
  const isFull = (client: string) => server.streams.isFull(requestOf(client));
  const [first] = [await server.connect(), await server.connect()];
  expect([isFull('192.0.2.1'), isFull('::ffff:192.0.2.1'), isFull('192.0.2.2')]).toEqual([true, true, false]);
  for (let network = 0; network < 8; network++) await server.connect(`2001:db8:1:${network}::1`);
  expect([isFull('2001:db8:1:99::1'), isFull('2001:db8:2::1')]).toEqual([true, false]);
  first!.destroy();
  for (let tries = 0; server.closedCount() < 1 && tries < 200; tries++) await new Promise(setImmediate);
  expect(isFull('192.0.2.1')).toBe(false);
  await server.stop();
});

test('a stream that is opened for a client that has left does not count', async () => {
  const streams = new EventStreams({ max: 1, maxPerAddress: 1, clientAddress });
  let closed = 0;
  const server = createServer((_, response) => {
    response.once('close', () => streams.open(response, {}, () => (closed += 1)));
    client.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
  client.on('error', () => {});
  for (let tries = 0; closed === 0 && tries < 200; tries++) await new Promise(setImmediate);
  expect([closed, streams.isFull(requestOf('192.0.2.1'))]).toEqual([1, false]);
  streams.close();
  await new Promise(done => server.close(done));
});

test('of clients that do not read, those whose events wait longest are disconnected when all have too many bytes', async () => {
  const server = await startServer(10, 10, 2_500_000);
  const responses = [await server.connect(), await server.connect(), await server.connect()];
  const event = 'x'.repeat(1_000_000);
  responses[0]!.on('error', () => {});
  // Until more than the buffers of the system hold is written to each, and one waits.
  for (const stream of server.opened) for (let count = 0; count < 20; count++) stream.send(event);
  for (let tries = 0; server.closedCount() < 1 && tries < 200; tries++) await new Promise(setImmediate);
  expect(server.closedCount()).toBe(1);
  const stayed = readUntil(responses[2]!, 'last');
  server.opened[2]!.send('last');
  expect(await stayed).toMatch(/last$/);
  await server.stop();
});
