import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Admission, type Priority } from '../../../src/http/admission.js';
import { LoopDelay } from '../../../src/http/loop-delay.js';

/** Lets promises settle. */
const settle = () => setImmediate();
const priorities: Priority[] = ['list', 'read', 'write', 'noticeWrite'];

/** Starts a request and returns what ends it; null if it is refused. */
async function start(admission: Admission, priority: Priority): Promise<(() => Promise<void>) | null> {
  let end: (() => void) | undefined;
  const running = admission.run(priority, () => new Promise<void>(done => (end = done)));
  if (end)
    return () => {
      end!();
      return running;
    };
  await expect(running).rejects.toMatchObject({ code: 'UNAVAILABLE', details: { retryAfter: 1 } });
  return null;
}

test('admits lists up to a quarter of the limit, reads up to half, writes up to three quarters, and of notices up to all', async () => {
  const admission = new Admission({ maxRequests: 8, connections: 8, loopDelayMs: () => 0 });
  const admitted: Priority[] = [];
  for (const priority of priorities) while (await start(admission, priority)) admitted.push(priority);
  expect(admitted).toEqual(priorities.flatMap(priority => [priority, priority]));
  expect([admission.requestsInProgress, admission.refusedRequests]).toEqual([8, 4]);
});

test('admits four GraphQL queries without a token, beside requests of other classes', async () => {
  const admission = new Admission({ maxRequests: 100, connections: 8, loopDelayMs: () => 0 });
  const ends = [];
  for (const _ of [1, 2, 3, 4]) ends.push(await start(admission, 'anonymousQuery'));
  expect(ends).not.toContain(null);
  expect(await start(admission, 'anonymousQuery')).toBeNull();
  expect(await start(admission, 'list')).not.toBeNull();
  await ends[0]!();
  expect(await start(admission, 'anonymousQuery')).not.toBeNull();
});

test('a request that ended, with or without an error, makes room for another', async () => {
  const admission = new Admission({ maxRequests: 4, connections: 8, loopDelayMs: () => 0 });
  const end = await start(admission, 'list');
  expect(await start(admission, 'list')).toBeNull();
  await end!();
  await expect(admission.run('list', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await admission.run('list', async () => 'result')).toBe('result');
});

describe('with a limit that adapts to the load', () => {
  let nowMs = 0;
  let loopDelayMs = 0;
  let admission: Admission;
  let clock: ReturnType<typeof mock.method>;
  beforeAll(() => {
    clock = mock.method(performance, 'now', () => nowMs);
  });
  afterAll(() => clock.mock.restore());
  /** Starts requests, which begin at once or wait. Returns how many began. */
  const countStarted = (priority: Priority, count: number): { started: number; ends: (() => void)[] } => {
    const ends: (() => void)[] = [];
    for (let index = 0; index < count; index++)
      void admission.run(priority, () => new Promise<void>(done => ends.push(done))).catch(() => {});
    return { started: ends.length, ends };
  };
  /** Measures the delay each 20 ms, as requests do that arrive. */
  const pass = (steps: number) => {
    for (let step = 0; step < steps; step++) {
      nowMs += 20;
      countStarted('noticeWrite', 1).ends[0]!();
    }
    return settle();
  };
  beforeEach(() => {
    loopDelayMs = 0;
    admission = new Admission({ maxRequests: 256, connections: 256, loopDelayMs: () => loopDelayMs });
  });

  test('four lists start at once, others wait, and more start the longer those wait', async () => {
    expect(countStarted('list', 64).started).toBe(4);
    expect(admission.refusedRequests).toBe(0);
    await pass(40);
    // A quarter of 16 + 40.
    expect(admission.requestsInProgress).toBe(14);
  });

  test('the limit does not rise while no request waits', async () => {
    await pass(100);
    expect(countStarted('list', 10).started).toBe(4);
  });

  test('no more lists are in progress than twice the number of connections', async () => {
    admission = new Admission({ maxRequests: 256, connections: 3, loopDelayMs: () => 0 });
    countStarted('list', 40);
    await pass(20);
    expect(admission.requestsInProgress).toBe(6);
  });

  test('only sixteen lists wait once one has waited for 500 ms', async () => {
    loopDelayMs = 11;
    await pass(30);
    countStarted('list', 2 + 20);
    nowMs += 500;
    countStarted('list', 1);
    expect(admission.refusedRequests).toBe(0);
    nowMs += 1;
    countStarted('list', 1);
    expect(admission.refusedRequests).toBe(1);
  });

  /** Lists on a busy machine, where two are in progress. Each client sends the next when it has its response. */
  const sendInTurn = async (clients: number, { turns, turnMs }: { turns: number; turnMs: number }) => {
    loopDelayMs = 11;
    await pass(30);
    const { ends } = countStarted('list', clients);
    for (let turn = 0; turn < turns; turn++) {
      nowMs += turnMs;
      ends[turn]!();
      await settle();
      void admission.run('list', () => new Promise<void>(done => ends.push(done))).catch(() => {});
    }
  };

  test('a client that sends 32 lists at once, and each time that one is answered, is not refused', async () => {
    await sendInTurn(32, { turns: 200, turnMs: 2 });
    expect(admission.refusedRequests).toBe(0);
  });

  test('as many lists wait as have their turn within 500 ms', async () => {
    await sendInTurn(2 + 16, { turns: 100, turnMs: 20 });
    countStarted('list', 40);
    // 25 wait.
    expect(admission.refusedRequests).toBe(40 - (25 - 16));
  });

  test('sixteen lists wait however long their turns take', async () => {
    await sendInTurn(2 + 16, { turns: 100, turnMs: 100 });
    expect(admission.refusedRequests).toBe(0);
    countStarted('list', 1);
    expect(admission.refusedRequests).toBe(1);
  });

  test('nothing waits while the event loop is late by more than 200 ms', async () => {
    loopDelayMs = 201;
    await pass(30);
    expect(countStarted('list', 3).started).toBe(2);
    expect(admission.refusedRequests).toBe(1);
  });

  test('the limit falls to two lists, four reads and six writes, and rises again', async () => {
    loopDelayMs = 11;
    await pass(30);
    expect(countStarted('list', 10).started).toBe(2);
    expect(countStarted('read', 3).started).toBe(2);
    expect(countStarted('write', 3).started).toBe(2);
    loopDelayMs = 10;
    await pass(40);
    // Those that waited: lists get a quarter of 8 + 40.
    expect(admission.requestsInProgress).toBe(12);
  });

  test('requests of a class wait for their turn in order of arrival, and the most urgent class begins first', async () => {
    loopDelayMs = 11;
    await pass(30);
    const order: string[] = [];
    const ends: (() => void)[] = [];
    const send = (priority: Priority, index: number) =>
      void admission
        .run(priority, () => new Promise<void>(done => ends.push(done)).then(() => {}))
        .then(() => order.push(`${priority} ${index}`));
    for (const priority of ['list', 'write'] as const) for (let index = 0; index < 8; index++) send(priority, index);
    for (let index = 0; index < 16; index++) {
      ends[index]!();
      await settle();
    }
    const started = (priority: string) => order.filter(each => each.startsWith(priority));
    expect(started('list')).toEqual(Array.from({ length: 8 }, (_, index) => `list ${index}`));
    expect(started('write')).toEqual(Array.from({ length: 8 }, (_, index) => `write ${index}`));
    expect(order.indexOf('write 7')).toBeLessThan(order.indexOf('list 2'));
  });

  test('writes of notices never wait, and GraphQL queries without a token are refused at once', async () => {
    loopDelayMs = 10_000;
    await pass(30);
    expect(countStarted('noticeWrite', 100).started).toBe(100);
    expect(await start(admission, 'anonymousQuery')).toBeNull();
  });
});

test('admits no list while a request waits for a connection for half a second, and no read after a second', async () => {
  let nowMs = 0;
  const clock = mock.method(performance, 'now', () => nowMs);
  try {
    const admission = new Admission({ maxRequests: 100, connections: 2, loopDelayMs: () => 0 });
    const ends = [await start(admission, 'list'), await start(admission, 'list')];
    nowMs = 10_000;
    // Both have a connection.
    ends.push(await start(admission, 'list'));
    nowMs += 500;
    expect(await start(admission, 'list')).not.toBeNull();
    nowMs += 1;
    expect(await start(admission, 'list')).toBeNull();
    expect(await start(admission, 'read')).not.toBeNull();
    nowMs += 500;
    expect(await start(admission, 'read')).toBeNull();
    expect(await start(admission, 'write')).not.toBeNull();
    nowMs += 1_000;
    expect(await start(admission, 'write')).toBeNull();
    expect(await start(admission, 'noticeWrite')).not.toBeNull();
    for (const end of ends) await end!();
    expect(await start(admission, 'write')).not.toBeNull();
  } finally {
    clock.mock.restore();
  }
});

test('the delay of the event loop is known while it lasts, and over some measurements later', async () => {
  const delay = new LoopDelay();
  const blockMs = 300;
  for (const start = performance.now(); performance.now() - start < blockMs + 50; );
  expect(delay.currentMs).toBeGreaterThanOrEqual(blockMs / 2);
  for (let tries = 0; delay.currentMs > 50 && tries < 1_000; tries += 1)
    await new Promise(done => setTimeout(done, 10));
  expect(delay.currentMs).toBeLessThanOrEqual(50);
  delay.close();
});

test('what yields waits until no notice is being written', async () => {
  const admission = new Admission({ maxRequests: 8, connections: 8, loopDelayMs: () => 0 });
  let isDone = false;
  await admission.yieldToNoticeWrites();
  const ends = [await start(admission, 'noticeWrite'), await start(admission, 'noticeWrite')];
  const yielding = admission.yieldToNoticeWrites().then(() => {
    isDone = true;
  });
  await ends[0]!();
  await settle();
  expect(isDone).toBe(false);
  await ends[1]!();
  await yielding;
});
