import PQueue from 'p-queue';
import { KeyedQueue } from './keyed-queue.js';

/** Jobs that run at the same time. More would only wait for database connections and for the one rendering thread. */
const concurrency = 3;
/** A key rests for as long as its job had a slot, at most for this time. */
const maxRestMs = 500;
const firstRetryDelayMs = 200;
const maxRetryDelayMs = 5_000;

/** A key from its first run until its rest has ended without another request. */
interface Entry {
  isRequested: boolean;
  failureCount: number;
  /** The rest after a run, or the delay of a retry. */
  timer?: NodeJS.Timeout;
}

/** What a job does after its slot is free again, since it does not wait for the database or this thread. */
type Remainder = () => Promise<void>;

/**
 * Runs a job per key in order of arrival, at most one at a time for each key, and once more if the key is added
 * meanwhile. It rests in between, so that a key that is added all the time takes at most half of the time.
 * Of the keys of a group one runs at a time, so that many of them leave slots to others. A failed job is retried with
 * exponential backoff.
 */
export class CoalescingQueue {
  private readonly slots = new PQueue({ concurrency });
  private readonly ofGroups = new KeyedQueue();
  private readonly entries = new Map<string, Entry>();
  private isClosed = false;

  constructor(
    // biome-ignore lint/suspicious/noConfusingVoidType: most jobs return nothing
    private readonly work: (key: string) => Promise<Remainder | void>,
    private readonly groupOf: (key: string) => string = key => key,
  ) {}

  add(key: string): void {
    if (this.isClosed) return;
    const entry = this.entries.get(key);
    if (!entry) this.start(key, { isRequested: false, failureCount: 0 });
    else if (entry.timer && entry.failureCount) this.start(key, entry);
    else entry.isRequested = true;
  }

  /** Whether the key waits, runs or rests. */
  has(key: string): boolean {
    return this.entries.has(key);
  }

  close(): void {
    this.isClosed = true;
    this.slots.clear();
    for (const { timer } of this.entries.values()) clearTimeout(timer);
  }

  private start(key: string, entry: Entry): void {
    clearTimeout(entry.timer);
    entry.timer = undefined;
    this.entries.set(key, entry);
    void this.run(key, entry);
  }

  private async run(key: string, entry: Entry): Promise<void> {
    let delayMs = 0;
    try {
      const job = async () => {
        entry.isRequested = false;
        const startedAt = performance.now();
        const result = await this.work(key);
        delayMs = Math.min(performance.now() - startedAt, maxRestMs);
        return result;
      };
      const remainder = await this.ofGroups.run(this.groupOf(key), () => this.slots.add(job));
      await remainder?.();
      entry.failureCount = 0;
    } catch {
      delayMs = Math.min(firstRetryDelayMs * 2 ** entry.failureCount, maxRetryDelayMs);
      entry.failureCount += 1;
    }
    if (this.isClosed) return;
    entry.timer = setTimeout(() => {
      if (entry.isRequested || entry.failureCount) this.start(key, entry);
      else this.entries.delete(key);
    }, delayMs);
  }
}
