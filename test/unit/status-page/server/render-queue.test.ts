import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type RenderClass, RenderQueue } from '../../../../src/status-page/server/render-queue.js';

let queue: RenderQueue;
let started: string[];
let finishers: Map<string, () => void>;
beforeEach(() => {
  // Without pauses, which depend on how long a render takes.
  jest.spyOn(performance, 'now').mockReturnValue(0);
  queue = new RenderQueue();
  started = [];
  finishers = new Map();
});

afterEach(() => void jest.restoreAllMocks());

/** `name` is the id of the page and a number. */
const run = (name: string, renderClass: RenderClass = 'common') =>
  queue.run(name[0]!, renderClass, () => {
    started.push(name);
    return new Promise<string>(done => finishers.set(name, () => done(name)));
  });

async function finish(name: string): Promise<void> {
  finishers.get(name)!();
  await setImmediate();
}

test('runs two renders at once, and the next when one has finished', async () => {
  const renders = ['a1', 'a2', 'a3'].map(name => run(name));
  expect(started).toEqual(['a1', 'a2']);
  await finish('a2');
  expect(started).toEqual(['a1', 'a2', 'a3']);
  await finish('a1');
  await finish('a3');
  expect(await Promise.all(renders)).toEqual(['a1', 'a2', 'a3']);
  const last = run('a4');
  expect(started).toContain('a4');
  await finish('a4');
  expect(await last).toBe('a4');
});

test('lets pages take turns, however many renders one of them waits for', async () => {
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1']) void run(name);
  for (let index = 0; index < 6; index++) await finish(started[index]!);
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4', 'a5']);
});

test('lets no page wait for others that have one render each again and again', async () => {
  for (const name of ['a1', 'b1', 'c1', 'd1', 'v1', 'v2', 'v3']) void run(name, 'variant');
  for (let index = 0; index < 12; index++) {
    const finished = started[index]!;
    await finish(finished);
    // The next one arrives when the response has been read.
    if (!finished.startsWith('v')) void run(`${finished[0]}${Number(finished.slice(1)) + 1}`, 'variant');
  }
  expect(started.filter(name => name.startsWith('v'))).toEqual(['v1', 'v2', 'v3']);
});

test('runs the common responses of a page before its variants', async () => {
  for (const name of ['a1', 'a2']) void run(name);
  for (const name of ['a3', 'a4']) void run(name, 'variant');
  for (const name of ['a5', 'a6']) void run(name);
  await finish('a1');
  await finish('a2');
  await finish('a5');
  expect(started).toEqual(['a1', 'a2', 'a5', 'a6', 'a3']);
});

test('refuses a render while 50 of the class and the page wait, and no other', async () => {
  for (let number = 0; number < 52; number++) void run(`a${number}`, 'variant');
  await expect(run('a52', 'variant')).rejects.toMatchObject({ code: 'UNAVAILABLE', details: { retryAfter: 1 } });
  void run('a-common');
  void run('b-variant', 'variant');
  await finish('a0');
  expect(started.at(-1)).toBe('a-common');
});

test('goes on after a render that fails', async () => {
  const failing = queue.run('a', 'common', async () => {
    throw new Error('failed');
  });
  await expect(failing).rejects.toThrow('failed');
  for (const name of ['a1', 'a2', 'a3']) void run(name);
  expect(started).toEqual(['a1', 'a2']);
  await finish('a1');
  expect(started).toEqual(['a1', 'a2', 'a3']);
});

test('pauses after a variant for as long as it took while others wait', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const renders = ['a1', 'a2', 'a3'].map(name => run(name, 'variant'));
  now = 5;
  await finish('a1');
  expect(await renders[0]).toBe('a1');
  expect(started).toEqual(['a1', 'a2']);
  await wait(20);
  expect(started).toEqual(['a1', 'a2', 'a3']);
  await finish('a3');
  await finish('a2');
  expect(await Promise.all(renders)).toEqual(['a1', 'a2', 'a3']);
});
