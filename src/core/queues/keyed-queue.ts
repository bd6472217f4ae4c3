import PQueue from 'p-queue';

/** Runs jobs one after the other for each key, in the order in which they came. */
export class KeyedQueue<Key = string> {
  private readonly queues = new Map<Key, PQueue>();

  async run<Result>(key: Key, job: () => Promise<Result>): Promise<Result> {
    const queue = this.queues.get(key) ?? new PQueue({ concurrency: 1 });
    this.queues.set(key, queue);
    try {
      return await queue.add(job);
    } finally {
      if (!queue.size && !queue.pending) this.queues.delete(key);
    }
  }
}
