import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import PQueue from 'p-queue';
import { type FairOptions, FairQueue } from '../core/queues/fair-queue.js';
import { customerPrefix, toClientNetwork } from './client-address.js';
import { onClosed } from './connection-limiter.js';

/**
 * Has one request begin in each iteration of the event loop, in turns of the networks that send them. Hundreds of
 * connections would begin one each in an iteration otherwise, also where all are refused: what others have begun takes
 * dozens of iterations, a statement of the database each, and a new connection waits for one.
 */
export class RequestTurns {
  private readonly queue = new PQueue<FairQueue, FairOptions>({ concurrency: 1, queueClass: FairQueue });

  /**
   * Calls `begin` at once where no other request has begun in this iteration, and not at all where the client has left
   * meanwhile. `address`: that of the client.
   */
  add(address: string, response: ServerResponse, begin: () => void): void {
    // One whose client has left takes no turn, and keeps nothing while it waits.
    let waiting: (() => void) | null = begin;
    const stopListening = onClosed(response, () => {
      waiting = null;
    });
    const beginAndWait = async () => {
      if (!waiting) return;
      stopListening();
      waiting();
      await setImmediate();
    };
    const turnOf = [toClientNetwork(address, customerPrefix), toClientNetwork(address)] as const;
    void this.queue.add(beginAndWait, { turnOf });
  }
}
