import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { RequestTurns } from '../../../src/http/request-turns.js';

function start() {
  const turns = new RequestTurns();
  const begun: string[] = [];
  const send = (address: string, name: string) => turns.add(address, () => void begun.push(name));
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
