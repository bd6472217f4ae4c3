import { mock } from 'node:test';
import { expect, test } from '@jest/globals';
import { Admission, type Priority } from '../../../src/http/admission.js';
import { LoopDelay } from '../../../src/http/loop-delay.js';

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

test('admits half as many while the event loop is late by more than 200 ms, but all writes of notices', async () => {
  let loopDelayMs = 201;
  const admission = new Admission({ maxRequests: 32, connections: 32, loopDelayMs: () => loopDelayMs });
  const countAdmitted = async (priority: Priority) => {
    let count = 0;
    while (await start(admission, priority)) count += 1;
    return count;
  };
  expect([await countAdmitted('list'), await countAdmitted('read'), await countAdmitted('write')]).toEqual([4, 4, 4]);
  loopDelayMs = 200;
  expect(await countAdmitted('write')).toBe(12);
  loopDelayMs = 10_000;
  expect(await countAdmitted('noticeWrite')).toBe(8);
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

test('the delay of the event loop is known at once, and over with the next measurement', async () => {
  const delay = new LoopDelay();
  const blockMs = 300;
  for (const start = performance.now(); performance.now() - start < blockMs + 50; );
  expect(delay.currentMs).toBeGreaterThanOrEqual(blockMs - 50);
  for (let tries = 0; delay.currentMs > 200 && tries < 1_000; tries += 1)
    await new Promise(done => setTimeout(done, 10));
  expect(delay.currentMs).toBeLessThan(200);
  delay.close();
});
