import PQueue from 'p-queue';
import { type FairOptions, FairQueue } from '../../core/queues/fair-queue.js';

/** Runs an attempt to render a page when it is the turn of the page. */
export type TryInTurn = <Result>(pageId: string, attempt: () => Promise<Result>) => Promise<Result>;

/**
 * Tries how a page looks: one at a time of a process, in turns of the pages. A theme that is not stored has 50 MB when
 * it is unpacked, as much again for the process that renders it, and is in no cache; a page can have 25 MB of texts.
 */
export function createThemeTries(): TryInTurn {
  const queue = new PQueue<FairQueue, FairOptions>({ concurrency: 1, queueClass: FairQueue });
  return (pageId, attempt) => queue.add(attempt, { turnOf: [pageId, pageId] });
}
