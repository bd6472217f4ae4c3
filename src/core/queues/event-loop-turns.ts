import { setImmediate } from 'node:timers/promises';
import PQueue from 'p-queue';
import { type FairOptions, FairQueue } from './fair-queue.js';

/** Connections that are accepted between two turns, at most. */
const maxIterations = 64;

/**
 * Gives synchronous work turns of the event loop, one after another, so that other requests are answered between two of
 * them, whatever the number of clients that cause such work.
 */
export class EventLoopTurns {
  private readonly queue = new PQueue<FairQueue, FairOptions>({ concurrency: 1, queueClass: FairQueue });

  /** Waits for a turn. The work must begin without waiting for anything else. Without `turnOf` it is before others. */
  take(turnOf?: FairOptions['turnOf']): Promise<void> {
    return this.queue.add(waitForOthers, { turnOf });
  }
}

/**
 * libuv accepts one connection in each iteration of the event loop. Those that arrived during a long one would wait for
 * a turn each, so there is an iteration for each millisecond that it took. They end after as long as it took, since
 * each takes long while many clients send requests.
 */
async function waitForOthers(): Promise<void> {
  const startedAt = performance.now();
  await setImmediate();
  const tookMs = performance.now() - startedAt;
  const iterations = Math.min(tookMs, maxIterations);
  for (let iteration = 1; iteration < iterations && performance.now() < startedAt + 2 * tookMs; iteration++)
    await setImmediate();
}
