import PQueue from 'p-queue';
import { type FairOptions, FairQueue } from '../../core/queues/fair-queue.js';

const queue = new PQueue<FairQueue, FairOptions>({ concurrency: 1, queueClass: FairQueue });

/**
 * Tries how a page looks: one at a time of a process, in turns of the pages. A theme that is not stored has 50 MB when
 * it is unpacked, as much again for the process that renders it, and is in no cache; a page can have 25 MB of texts.
 */
export const tryInTurn = <Result>(pageId: string, attempt: () => Promise<Result>): Promise<Result> =>
  queue.add(attempt, { turnOf: [pageId, pageId] });
