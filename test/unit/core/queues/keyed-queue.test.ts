import { afterEach, expect, jest, test } from '@jest/globals';
import { KeyedQueue } from '../../../../src/core/queues/keyed-queue.js';

afterEach(() => {
  jest.restoreAllMocks();
});

/** A job that ends when it is told to, and logs when it begins. */
const createJob = (log: string[], name: string) => {
  let end = (_: 'done' | 'failed') => {};
  const ended = new Promise<string>((resolve, reject) => {
    end = outcome => (outcome === 'done' ? resolve(name) : reject(new Error(name)));
  });
  const job = () => {
    log.push(name);
    return ended;
  };
  return { job, end: (outcome: 'done' | 'failed' = 'done') => end(outcome) };
};

test('jobs of one key run one after the other, in their order, and return their results', async () => {
  const queue = new KeyedQueue();
  const log: string[] = [];
  const first = createJob(log, 'first');
  const second = createJob(log, 'second');
  const results = [queue.run('page', first.job), queue.run('page', second.job)];
  await Promise.resolve();
  expect(log).toEqual(['first']);
  first.end();
  expect(await results[0]).toBe('first');
  second.end();
  expect(await results[1]).toBe('second');
  expect(log).toEqual(['first', 'second']);
});

test('jobs of different keys do not wait for each other', async () => {
  const queue = new KeyedQueue();
  const log: string[] = [];
  const one = createJob(log, 'one');
  const other = createJob(log, 'other');
  const results = [queue.run('a', one.job), queue.run('b', other.job)];
  await Promise.resolve();
  expect(log).toEqual(['one', 'other']);
  one.end();
  other.end();
  await Promise.all(results);
});

test('a job that fails rejects its own result only, and a key without jobs takes no memory', async () => {
  const queue = new KeyedQueue();
  const log: string[] = [];
  const first = createJob(log, 'first');
  const second = createJob(log, 'second');
  const results = [queue.run('page', first.job), queue.run('page', second.job)];
  first.end('failed');
  second.end();
  await expect(results[0]).rejects.toThrow('first');
  expect(await results[1]).toBe('second');
  await new Promise(setImmediate);
  expect(Reflect.get(queue, 'queues')).toEqual(new Map());
});

test.each([
  ['none after one of 99 ms', 99, []],
  ['as long as it took after a longer one', 300, [300]],
  ['half a second after one of ten', 10_000, [500]],
])('a key rests between two jobs, if they ask for it: %s', async (_, tookMs, rests) => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const endRest: (() => void)[] = [];
  const timer = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void) => {
    endRest.push(callback);
    return { unref: () => {} };
  }) as unknown as typeof setTimeout);
  const queue = new KeyedQueue();
  const log: string[] = [];
  const [first, second, other] = ['first', 'second', 'other'].map(name => createJob(log, name));
  const results = [queue.run('page', first!.job, { rests: true }), queue.run('page', second!.job)];
  now += tookMs;
  first!.end();
  // The result does not wait for the rest, and nor does another key.
  expect(await results[0]).toBe('first');
  const result = queue.run('another page', other!.job);
  other!.end();
  expect(await result).toBe('other');
  expect(timer.mock.calls.map(([, ms]) => ms)).toEqual(rests);
  expect(log.includes('second')).toBe(!rests.length);
  for (const end of endRest) end();
  second!.end();
  expect(await results[1]).toBe('second');
  expect(log.toSorted()).toEqual(['first', 'other', 'second']);
});
