import { expect, test } from '@jest/globals';
import PQueue from 'p-queue';
import { type FairOptions, FairQueue } from '../../../../src/core/queues/fair-queue.js';

test('groups take turns, and within them their members; what has no turn is first', async () => {
  const queue = new PQueue<FairQueue, FairOptions>({ concurrency: 1, autoStart: false, queueClass: FairQueue });
  const order: string[] = [];
  const add = (name: string, turnOf?: FairOptions['turnOf']) =>
    void queue.add(async () => void order.push(name), { turnOf });
  for (const name of ['a1 first', 'a1 second', 'a1 third']) add(name, ['a', '1']);
  for (const name of ['a2 first', 'a2 second']) add(name, ['a', '2']);
  for (const name of ['b1 first', 'b1 second']) add(name, ['b', '1']);
  add('without');
  expect(queue.size).toBe(8);
  queue.start();
  await queue.onIdle();
  expect(order).toEqual([
    'without',
    'a1 first',
    'b1 first',
    'a2 first',
    'b1 second',
    'a1 second',
    'a2 second',
    'a1 third',
  ]);
  expect(queue.size).toBe(0);
});

test.each([
  ['member', ['a', '2'], 'a2'],
  ['group', ['b', '1'], 'b1'],
] as const)('another %s that comes while one runs is before the next of the same', async (_, turnOf, name) => {
  const queue = new PQueue<FairQueue, FairOptions>({ concurrency: 1, autoStart: false, queueClass: FairQueue });
  const order: string[] = [];
  const add = (name: string, turnOf: FairOptions['turnOf'], work?: () => void) =>
    void queue.add(
      async () => {
        order.push(name);
        work?.();
      },
      { turnOf },
    );
  add('a1 first', ['a', '1'], () => add(name, turnOf));
  for (const name of ['a1 second', 'a1 third']) add(name, ['a', '1']);
  queue.start();
  await queue.onIdle();
  expect(order).toEqual(['a1 first', name, 'a1 second', 'a1 third']);
});
