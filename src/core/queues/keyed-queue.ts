import PQueue from 'p-queue';
import { type FairOptions, FairQueue } from './fair-queue.js';
import { restAfter } from './rest.js';

/** What is shorter needs no rest. */
const minRestedMs = 100;

interface JobOptions {
  /** Whose turn it is of those that wait for the key. Absent: the job goes first. */
  member?: string;
  /** Whether the next job of the key begins later by as long as this one took, if that was a tenth of a second. */
  rests?: boolean;
  /** How many jobs of the key run at a time, the same for all of them. Default: 1. */
  concurrency?: number;
}

/** Runs jobs one after the other for each key, or a few at a time: in the order in which they came, or in turns. */
export class KeyedQueue<Key = string> {
  private readonly queues = new Map<Key, PQueue<FairQueue, FairOptions>>();

  run<Result>(
    key: Key,
    job: () => Promise<Result>,
    { member, rests = false, concurrency = 1 }: JobOptions = {},
  ): Promise<Result> {
    const queue = this.queues.get(key) ?? new PQueue({ concurrency, queueClass: FairQueue });
    this.queues.set(key, queue);
    const run = async () => job();
    return new Promise((resolve, reject) => {
      const runAndRest = async () => {
        const startedAt = performance.now();
        await run().then(resolve, reject);
        const tookMs = performance.now() - startedAt;
        if (rests && tookMs >= minRestedMs) await new Promise(done => setTimeout(done, restAfter(tookMs)).unref());
        if (!queue.size && queue.pending === 1) this.queues.delete(key);
      };
      queue.add(runAndRest, { turnOf: member === undefined ? undefined : [member, member] }).catch(reject);
    });
  }
}
