/** Jobs that run at the same time. More would only wait for database connections and for the one rendering thread. */
const concurrency = 3;
/** A key rests for as long as its job had a slot, at most for this time. */
const maxRestMs = 500;
const firstRetryDelayMs = 200;
const maxRetryDelayMs = 5_000;

/**
 * Runs a job per key in order of arrival, at most one at a time per key.
 * A key that is added while its job runs gets exactly one more run, after a rest: so a key that is added all the time
 * takes at most half of the time, however long its jobs are. A failed job is retried with exponential backoff.
 */
export class RefreshQueue {
  private readonly waiting = new Set<string>();
  private readonly resting = new Map<string, NodeJS.Timeout>();
  private readonly running = new Set<string>();
  /** The running keys that count towards the concurrency, and since when. */
  private readonly slots = new Map<string, number>();
  private readonly restsMs = new Map<string, number>();
  private readonly failureCounts = new Map<string, number>();
  private readonly retryTimers = new Map<string, NodeJS.Timeout>();
  private isClosed = false;

  constructor(
    private readonly work: (key: string) => Promise<void>,
    private readonly now = () => performance.now(),
  ) {}

  add(key: string): void {
    if (this.isClosed) return;
    clearTimeout(this.retryTimers.get(key));
    this.retryTimers.delete(key);
    this.waiting.add(key);
    this.startNext();
  }

  /** Whether the key waits, runs or is retried. */
  has(key: string): boolean {
    return this.waiting.has(key) || this.running.has(key) || this.retryTimers.has(key);
  }

  /** Lets another key run, for a job that waits for something else than the database and the rendering thread. */
  releaseSlot(key: string): void {
    const startedAt = this.slots.get(key);
    if (startedAt === undefined) return;
    this.slots.delete(key);
    this.restsMs.set(key, Math.min(this.now() - startedAt, maxRestMs));
    this.startNext();
  }

  close(): void {
    this.isClosed = true;
    this.waiting.clear();
    for (const timer of [...this.retryTimers.values(), ...this.resting.values()]) clearTimeout(timer);
  }

  private startNext(): void {
    for (const key of this.waiting) {
      if (this.slots.size >= concurrency) return;
      if (this.running.has(key) || this.resting.has(key)) continue;
      this.waiting.delete(key);
      this.running.add(key);
      this.slots.set(key, this.now());
      void this.run(key);
    }
  }

  private async run(key: string): Promise<void> {
    try {
      await this.work(key);
      this.failureCounts.delete(key);
    } catch {
      const failures = this.failureCounts.get(key) ?? 0;
      this.failureCounts.set(key, failures + 1);
      const delayMs = Math.min(firstRetryDelayMs * 2 ** failures, maxRetryDelayMs);
      if (!this.isClosed)
        this.retryTimers.set(
          key,
          setTimeout(() => this.add(key), delayMs),
        );
    }
    this.releaseSlot(key);
    this.running.delete(key);
    this.rest(key);
    this.startNext();
  }

  private rest(key: string): void {
    const durationMs = this.restsMs.get(key);
    this.restsMs.delete(key);
    if (this.isClosed) return;
    const wake = () => {
      this.resting.delete(key);
      this.startNext();
    };
    this.resting.set(key, setTimeout(wake, durationMs));
  }
}
