import { setImmediate } from 'node:timers/promises';
import PQueue from 'p-queue';

/** Connections that are accepted between two turns, at most. */
const maxIterations = 64;

/**
 * Gives synchronous work turns of the event loop, one after another, so that other requests are answered between two of
 * them, whatever the number of clients that cause such work.
 */
export class EventLoopTurns {
  private readonly queue = new PQueue({ concurrency: 1 });

  get waiting(): number {
    return this.queue.size;
  }

  /** Waits for a turn. The work must begin without waiting for anything else. */
  take(): Promise<void> {
    return this.queue.add(waitForOthers);
  }
}

/**
 * libuv accepts one connection in each iteration of the event loop. Those that arrived during a long one would wait for
 * a turn each, so there is an iteration for each millisecond that it took.
 */
async function waitForOthers(): Promise<void> {
  const startedAt = performance.now();
  await setImmediate();
  const iterations = Math.min(performance.now() - startedAt, maxIterations);
  for (let iteration = 1; iteration < iterations; iteration++) await setImmediate();
}
