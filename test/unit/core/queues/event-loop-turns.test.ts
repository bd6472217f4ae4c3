import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { EventLoopTurns } from '../../../../src/core/queues/event-loop-turns.js';

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
  expect(turns.waiting).toBeGreaterThan(0);
  await Promise.all(work);
  expect([taken, turns.waiting]).toEqual([40, 0]);
  for (const client of clients) client.destroy();
  await new Promise(done => server.close(done));
});
