import { afterEach, expect, jest, test } from '@jest/globals';
import { createLogger } from '../../../src/core/logger.js';
import { idleMs, WorkLoop } from '../../../src/db/work-loop.js';

const log = createLogger('silent');
let loop: WorkLoop | undefined;
afterEach(async () => {
  await loop?.stop();
  jest.restoreAllMocks();
});

/** Starts a loop, each of whose rounds waits for the test. */
function start(results: (() => number)[], onRound?: () => void, { rests = false } = {}) {
  const rounds: PromiseWithResolvers<void>[] = [Promise.withResolvers()];
  const releases: (() => void)[] = [];
  loop = new WorkLoop(
    async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      releases.push(resolve);
      rounds.push(Promise.withResolvers());
      rounds.at(-2)!.resolve();
      await promise;
      return (results.shift() ?? (() => idleMs))();
    },
    { failureMessage: 'the work failed', log, onRound, rests },
  );
  return {
    loop,
    /** Waits until the round begins. */
    round: (index: number) => rounds[index]!.promise,
    finish: (index: number) => releases[index]!(),
  };
}

const nextTurn = () => new Promise<void>(done => setImmediate(done));
const fail = () => {
  throw new Error('no');
};

test('runs again at once where there is more', async () => {
  const { round, finish } = start([() => 0, () => 0]);
  for (const index of [0, 1, 2]) {
    await round(index);
    finish(index);
  }
});

test('is woken from its sleep', async () => {
  const { loop, round, finish } = start([]);
  await round(0);
  finish(0);
  await nextTurn();
  loop.wake();
  await round(1);
  finish(1);
});

test('a wake while it works leads to another round', async () => {
  const { loop, round, finish } = start([]);
  await round(0);
  loop.wake();
  finish(0);
  await round(1);
  finish(1);
});

test('a failed round is repeated, and not reported as done', async () => {
  let done = 0;
  const { round, finish } = start([fail, () => 0], () => (done += 1));
  await round(0);
  finish(0);
  await round(1);
  expect(done).toBe(0);
  finish(1);
  await round(2);
  expect(done).toBe(1);
  finish(2);
});

test('stops without another round, after the one in progress', async () => {
  const { loop, round, finish } = start([() => 0]);
  await round(0);
  const stopped = loop.stop().then(() => 'stopped');
  expect(await Promise.race([stopped, nextTurn()])).toBeUndefined();
  finish(0);
  expect(await stopped).toBe('stopped');
  expect(await Promise.race([round(1).then(() => 'another'), nextTurn()])).toBeUndefined();
});

test.each([
  ['for as long as its round took', 200, 200],
  ['for half a second after a longer round', 5_000, 500],
])('a loop that rests does so %s, although there is more and it is woken', async (_, tookMs, restMs) => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const timer = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, ms: number) => {
    now += ms;
    return setImmediate(callback);
  }) as unknown as typeof setTimeout);
  const { loop, round, finish } = start([() => 0], undefined, { rests: true });
  await round(0);
  loop.wake();
  now += tookMs;
  finish(0);
  await round(1);
  expect(timer.mock.calls.map(([, ms]) => ms)).toEqual([restMs]);
  finish(1);
});
