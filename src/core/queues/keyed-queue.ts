import PQueue from 'p-queue';

/** Runs jobs one after the other for each key, or a few at a time, in the order in which they came. */
export class KeyedQueue<Key = string> {
  private readonly queues = new Map<Key, PQueue>();

  constructor(private readonly concurrency = 1) {}

  async run<Result>(key: Key, job: () => Promise<Result>): Promise<Result> {
    const queue = this.queues.get(key) ?? new PQueue({ concurrency: this.concurrency });
    this.queues.set(key, queue);
    try {
      return await queue.add(job);
    } finally {
      if (!queue.size && !queue.pending) this.queues.delete(key);
    }
  }
}
