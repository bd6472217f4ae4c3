import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { RefreshQueue } from '../../../src/core/refresh-queue.js';

let queue: RefreshQueue;
afterEach(() => queue.close());

async function waitUntil(isReached: () => boolean): Promise<void> {
  for (let tries = 0; !isReached() && tries < 500; tries++) await wait(10);
  expect(isReached()).toBe(true);
}

test('runs one job at a time per key, and once more when the key is added meanwhile', async () => {
  let runs = 0;
  let finish: () => void = () => {};
  queue = new RefreshQueue(async () => {
    runs += 1;
    await new Promise<void>(done => {
      finish = done;
    });
  });
  for (let count = 0; count < 5; count++) queue.add('a');
  await waitUntil(() => runs === 1);
  for (let count = 0; count < 5; count++) queue.add('a');
  finish();
  await waitUntil(() => runs === 2);
  finish();
  await wait(0);
  expect(runs).toBe(2);
});

test('runs three jobs at a time in order of arrival', async () => {
  const started: string[] = [];
  const finishers: (() => void)[] = [];
  queue = new RefreshQueue(
    key =>
      new Promise<void>(done => {
        started.push(key);
        finishers.push(done);
      }),
  );
  for (const key of ['a', 'b', 'c', 'd', 'e']) queue.add(key);
  await waitUntil(() => started.length === 3);
  expect(started).toEqual(['a', 'b', 'c']);
  finishers[0]!();
  await waitUntil(() => started.length === 4);
  expect(started.at(-1)).toBe('d');
  for (let index = 1; index < 5; index++) {
    await waitUntil(() => finishers.length > index);
    finishers[index]!();
  }
  await waitUntil(() => started.length === 5);
});

test('lets a key rest after its job before it runs again, and runs others meanwhile', async () => {
  const started: string[] = [];
  let now = 0;
  queue = new RefreshQueue(
    async key => {
      started.push(key);
      if (key === 'slow') now += 60_000;
    },
    () => now,
  );
  queue.add('slow');
  await wait(0);
  queue.add('slow');
  queue.add('other');
  await wait(0);
  expect(started).toEqual(['slow', 'other']);
  await waitUntil(() => started.length === 3);
  expect(started).toEqual(['slow', 'other', 'slow']);
});

test('retries a failed job until it succeeds', async () => {
  let runs = 0;
  queue = new RefreshQueue(async () => {
    runs += 1;
    if (runs < 3) throw new Error('not yet');
  });
  queue.add('a');
  await waitUntil(() => runs === 3);
});

test('runs another job when one releases its slot, but none with the same key', async () => {
  const started: string[] = [];
  queue = new RefreshQueue(key => {
    started.push(key);
    return new Promise<void>(() => {});
  });
  for (const key of ['a', 'b', 'c', 'd']) queue.add(key);
  await waitUntil(() => started.length === 3);
  queue.add('a');
  queue.releaseSlot('a');
  queue.releaseSlot('a');
  await waitUntil(() => started.length === 4);
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  expect(['a', 'd', 'e'].map(key => queue.has(key))).toEqual([true, true, false]);
});

test('lets a key rest only for the time that its job had a slot', async () => {
  let runs = 0;
  let now = 0;
  queue = new RefreshQueue(
    async key => {
      runs += 1;
      now += 7;
      queue.releaseSlot(key);
      now += 60_000;
    },
    () => now,
  );
  const timer = jest.spyOn(globalThis, 'setTimeout');
  queue.add('a');
  await wait(0);
  expect(runs).toBe(1);
  expect(timer.mock.calls.map(([, delayMs]) => delayMs)).toEqual([7]);
  timer.mockRestore();
});
