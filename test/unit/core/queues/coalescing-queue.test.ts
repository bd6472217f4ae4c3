import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { CoalescingQueue } from '../../../../src/core/queues/coalescing-queue.js';

let queue: CoalescingQueue;
afterEach(() => {
  jest.restoreAllMocks();
  queue.close();
});

async function waitUntil(isReached: () => boolean): Promise<void> {
  for (let tries = 0; !isReached() && tries < 500; tries++) await wait(10);
  expect(isReached()).toBe(true);
}

/** A queue whose jobs run until they are finished by their key. */
function createHeldQueue() {
  const started: string[] = [];
  const finishers = new Map<string, () => void>();
  queue = new CoalescingQueue(key => {
    started.push(key);
    return new Promise<void>(done => finishers.set(key, done));
  });
  return { started, finish: (key: string) => finishers.get(key)!() };
}

test('runs one job at a time per key, and once more when the key is added meanwhile', async () => {
  const { started, finish } = createHeldQueue();
  for (let count = 0; count < 5; count++) queue.add('a');
  await waitUntil(() => started.length === 1);
  for (let count = 0; count < 5; count++) queue.add('a');
  finish('a');
  await waitUntil(() => started.length === 2);
  finish('a');
  await waitUntil(() => !queue.has('a'));
  expect(started).toHaveLength(2);
});

test('runs three jobs at a time in order of arrival', async () => {
  const { started, finish } = createHeldQueue();
  for (const key of ['a', 'b', 'c', 'd', 'e']) queue.add(key);
  // Added again while it waits: that is one run.
  queue.add('d');
  await wait(0);
  expect(started).toEqual(['a', 'b', 'c']);
  finish('a');
  await waitUntil(() => started.length === 4);
  for (const key of ['b', 'c', 'd']) finish(key);
  await waitUntil(() => started.length === 5);
  finish('e');
  await waitUntil(() => !queue.has('d') && !queue.has('e'));
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('lets a key rest as long as its job ran, at most half a second, and runs others meanwhile', async () => {
  const started: string[] = [];
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const timer = jest.spyOn(globalThis, 'setTimeout');
  queue = new CoalescingQueue(async key => {
    started.push(key);
    now += key === 'slow' ? 60_000 : 7;
  });
  queue.add('slow');
  await wait(0);
  queue.add('slow');
  queue.add('other');
  await wait(0);
  expect(started).toEqual(['slow', 'other']);
  // Those of the test runner are longer.
  const rests = timer.mock.calls.map(([, delayMs]) => delayMs!).filter(delayMs => delayMs < 1_000);
  expect(rests).toEqual([500, 7]);
  await waitUntil(() => started.length === 3);
  expect(started).toEqual(['slow', 'other', 'slow']);
});

test('retries a failed job until it succeeds', async () => {
  let runs = 0;
  queue = new CoalescingQueue(async () => {
    runs += 1;
    if (runs < 3) throw new Error('not yet');
  });
  queue.add('a');
  await waitUntil(() => !queue.has('a'));
  expect(runs).toBe(3);
});

test('runs a failed job at once when its key is added again', async () => {
  let runs = 0;
  queue = new CoalescingQueue(async () => {
    runs += 1;
    throw new Error('failed');
  });
  queue.add('a');
  await wait(0);
  queue.add('a');
  expect(runs).toBe(2);
});

test('gives the slot of a job to another during its remainder, but starts none with the same key', async () => {
  const started: string[] = [];
  let finish = () => {};
  queue = new CoalescingQueue(async key => {
    started.push(key);
    if (key === 'd') return;
    return () => new Promise<void>(done => (finish = done));
  });
  for (const key of ['a', 'b', 'c', 'd']) queue.add(key);
  await waitUntil(() => started.length === 4);
  queue.add('c');
  await wait(20);
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  finish();
  await waitUntil(() => started.length === 5);
  expect(started[4]).toBe('c');
  expect(['c', 'e'].map(key => queue.has(key))).toEqual([true, false]);
});

test('starts nothing after it was closed', async () => {
  const { started, finish } = createHeldQueue();
  for (const key of ['a', 'b', 'c', 'd']) queue.add(key);
  queue.add('a');
  queue.close();
  for (const key of ['a', 'b', 'c']) finish(key);
  queue.add('e');
  await wait(20);
  expect(started).toEqual(['a', 'b', 'c']);
});

test('runs one job of a group at a time', async () => {
  const started: string[] = [];
  const finishers = new Map<string, () => void>();
  queue = new CoalescingQueue(
    key => {
      started.push(key);
      return new Promise<void>(done => finishers.set(key, done));
    },
    key => key[0]!,
  );
  for (const key of ['a1', 'a2', 'a3', 'b1']) queue.add(key);
  await waitUntil(() => started.length === 2);
  expect(started).toEqual(['a1', 'b1']);
  for (const key of ['a1', 'a2', 'a3']) {
    await waitUntil(() => started.includes(key));
    finishers.get(key)!();
  }
  finishers.get('b1')!();
  expect(started).toEqual(['a1', 'b1', 'a2', 'a3']);
});
