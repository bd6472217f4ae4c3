import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, expect, jest, test } from '@jest/globals';
import { EventLoopTurns } from '../../../../src/core/queues/event-loop-turns.js';

afterEach(() => {
  jest.restoreAllMocks();
});

function occupy(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test('connections are accepted between two turns, and not one in each', async () => {
  const server = createServer(socket => socket.end('answer'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const turns = new EventLoopTurns();
  let taken = 0;
  const work = Array.from({ length: 40 }, async () => {
    await turns.take();
    taken += 1;
    occupy(20);
  });
  const clients = Array.from({ length: 20 }, () => connect((server.address() as AddressInfo).port, '127.0.0.1'));
  await Promise.all(clients.map(client => once(client, 'data')));
  expect(taken).toBeLessThan(15);
  await Promise.all(work);
  expect(taken).toBe(40);
  for (const client of clients) client.destroy();
  await new Promise(done => server.close(done));
});

test('a turn ends after as long as its work took, however long each iteration of the event loop takes', async () => {
  let nowMs = 0;
  let iterations = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const workOfOthers = () => {
    nowMs += 50;
    iterations += 1;
    if (iterations < 100) setImmediate(workOfOthers);
  };
  const turns = new EventLoopTurns();
  setImmediate(workOfOthers);
  await turns.take();
  expect(iterations).toBeLessThan(5);
});
