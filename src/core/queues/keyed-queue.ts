import PQueue from 'p-queue';
import { type FairOptions, FairQueue } from './fair-queue.js';

/** Runs jobs one after the other for each key, or a few at a time: in the order in which they came, or in turns. */
export class KeyedQueue<Key = string> {
  private readonly queues = new Map<Key, PQueue<FairQueue, FairOptions>>();

  constructor(private readonly concurrency = 1) {}

  /** `member`: whose turn it is of those that wait for the key. Without it the job goes first. */
  async run<Result>(key: Key, job: () => Promise<Result>, member?: string): Promise<Result> {
    const queue = this.queues.get(key) ?? new PQueue({ concurrency: this.concurrency, queueClass: FairQueue });
    this.queues.set(key, queue);
    try {
      return await queue.add(job, { turnOf: member === undefined ? undefined : [member, member] });
    } finally {
      if (!queue.size && !queue.pending) this.queues.delete(key);
    }
  }
}
