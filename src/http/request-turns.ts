import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import PQueue from 'p-queue';
import { type FairOptions, FairQueue } from '../core/queues/fair-queue.js';
import { customerPrefix, toClientNetwork } from './client-address.js';
import { onClosed } from './connection-limiter.js';

/** For how long requests begin in an iteration of the event loop: visits of dozens of pages from memory. */
const turnMs = 1;

/**
 * Has requests begin for a millisecond in each iteration of the event loop, in turns of the networks that send them.
 * Hundreds of connections would begin one each in an iteration otherwise, also where all are refused: what others have
 * begun takes dozens of iterations, a statement of the database each, and a new connection waits for one.
 */
export class RequestTurns {
  private readonly queue = new PQueue<FairQueue, FairOptions>({ concurrency: 1, queueClass: FairQueue });
  private endsAt = 0;

  /**
   * Calls `begin` at once where there is time in this iteration, and not at all where the client has left meanwhile.
   * `findAddress`: that of the client.
   */
  add(findAddress: () => string, response: ServerResponse, begin: () => void): void {
    if (!this.queue.pending && performance.now() < this.endsAt) {
      begin();
      return;
    }
    // One whose client has left takes no turn, and keeps nothing while it waits.
    let waiting: (() => void) | null = begin;
    const stopListening = onClosed(response, () => {
      waiting = null;
    });
    const beginInTurn = async () => {
      if (!waiting) return;
      stopListening();
      waiting();
      if (performance.now() < this.endsAt) return;
      await setImmediate();
      this.endsAt = performance.now() + turnMs;
    };
    const address = findAddress();
    const turnOf = [toClientNetwork(address, customerPrefix), toClientNetwork(address)] as const;
    void this.queue.add(beginInTurn, { turnOf });
  }
}
