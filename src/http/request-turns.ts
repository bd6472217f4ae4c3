import { setImmediate } from 'node:timers/promises';
import PQueue from 'p-queue';
import { type FairOptions, FairQueue } from '../core/queues/fair-queue.js';
import { customerPrefix, toClientNetwork } from './client-address.js';

/**
 * Has one request begin in each iteration of the event loop, in turns of the networks that send them. Hundreds of
 * connections would begin one each in an iteration otherwise, also where all are refused: what others have begun takes
 * dozens of iterations, a statement of the database each, and a new connection waits for one.
 */
export class RequestTurns {
  private readonly queue = new PQueue<FairQueue, FairOptions>({ concurrency: 1, queueClass: FairQueue });

  /** Calls `begin` at once where no other request has begun in this iteration. `address`: that of the client. */
  add(address: string, begin: () => void): void {
    const turnOf = [toClientNetwork(address, customerPrefix), toClientNetwork(address)] as const;
    const beginAndWait = () => {
      begin();
      return setImmediate();
    };
    void this.queue.add(beginAndWait, { turnOf });
  }
}
