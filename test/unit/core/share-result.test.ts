import { mock } from 'node:test';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { shareResult, shareResultByKey } from '../../../src/core/share-result.js';

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => mock.timers.reset());

test('callers while the work is in progress, and for 250 ms after it, share its result', async () => {
  let runs = 0;
  let finish: (() => void) | undefined;
  const read = shareResult(async () => {
    const run = ++runs;
    await new Promise<void>(done => (finish = done));
    return run;
  });
  const first = read();
  mock.timers.tick(10_000);
  const second = read();
  finish!();
  expect(await Promise.all([first, second])).toEqual([1, 1]);
  mock.timers.tick(249);
  expect(await read()).toBe(1);
  mock.timers.tick(1);
  const third = read();
  finish!();
  expect(await third).toBe(2);
});

test('a failure is shared as a result is', async () => {
  let runs = 0;
  const read = shareResult(() => Promise.reject(new Error(`run ${++runs}`)));
  await expect(read()).rejects.toThrow('run 1');
  await expect(read()).rejects.toThrow('run 1');
  mock.timers.tick(250);
  await expect(read()).rejects.toThrow('run 2');
});

test('callers with the same key share a result while the work is in progress, and not after it', async () => {
  let runs = 0;
  const share = shareResultByKey<string>();
  const read = (key: string) => share(key, async () => `${key} ${++runs}`);
  expect(await Promise.all([read('a'), read('a'), read('b')])).toEqual(['a 1', 'a 1', 'b 2']);
  expect(await read('a')).toBe('a 3');
  await expect(share('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await read('a')).toBe('a 4');
});
