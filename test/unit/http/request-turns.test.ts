import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { RequestTurns } from '../../../src/http/request-turns.js';

let nowMs = 0;
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Each request takes this long to begin. */
function start(beginMs = 1) {
  const turns = new RequestTurns();
  const begun: string[] = [];
  const send = (address: string, name: string) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const findAddress = () => address;
    turns.add(findAddress, response, () => {
      begun.push(name);
      nowMs += beginMs;
    });
    return response;
  };
  return { begun, send };
}

test('a request begins at once, and the next in the next iteration of the event loop', async () => {
  const { begun, send } = start();
  for (const name of ['1', '2', '3']) send('192.0.2.1', name);
  expect(begun).toEqual(['1']);
  for (let iterations = 1; begun.length < 3; iterations++) {
    await setImmediate();
    expect(begun.length).toBeLessThanOrEqual(iterations + 1);
  }
  expect(begun).toEqual(['1', '2', '3']);
});

test('those that begin quickly begin in the same iteration, for a millisecond', async () => {
  const { begun, send } = start(0.1);
  for (let number = 0; number < 100; number++) send('192.0.2.1', 'one');
  for (let iterations = 1; begun.length < 100; iterations++) {
    await setImmediate();
    expect(begun.length).toBeLessThanOrEqual(1 + iterations * 12);
    expect(begun.length).toBeGreaterThan((iterations - 1) * 5);
  }
});

test('a client waits for one request of another network, and not for all', async () => {
  const { begun, send } = start();
  for (let number = 0; number < 100; number++) send('192.0.2.1', 'many');
  send('198.51.100.7', 'one');
  while (!begun.includes('one')) await setImmediate();
  expect(begun.length).toBeLessThan(4);
});

test('all networks of a customer of a provider take one turn', async () => {
  const { begun, send } = start();
  for (let number = 0; number < 100; number++) send(`2001:db8:0:${number.toString(16)}::1`, 'many');
  send('2001:db8:1::1', 'one');
  while (!begun.includes('one')) await setImmediate();
  expect(begun.length).toBeLessThan(4);
});

test('a request whose client has left takes no turn', async () => {
  const { begun, send } = start();
  send('192.0.2.1', 'first');
  for (let number = 0; number < 100; number++) send('192.0.2.1', 'left').emit('close');
  send('192.0.2.1', 'last');
  for (let iteration = 0; iteration < 3; iteration++) await setImmediate();
  expect(begun).toEqual(['first', 'last']);
});
