/** Jobs that run at the same time. More would only wait for database connections and for the one rendering thread. */
const concurrency = 3;
/** A key rests for as long as its job took, at most for this time. */
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

  close(): void {
    this.isClosed = true;
    this.waiting.clear();
    for (const timer of [...this.retryTimers.values(), ...this.resting.values()]) clearTimeout(timer);
  }

  private startNext(): void {
    for (const key of this.waiting) {
      if (this.running.size >= concurrency) return;
      if (this.running.has(key) || this.resting.has(key)) continue;
      this.waiting.delete(key);
      this.running.add(key);
      void this.run(key);
    }
  }

  private async run(key: string): Promise<void> {
    const startedAt = this.now();
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
    this.running.delete(key);
    this.rest(key, Math.min(this.now() - startedAt, maxRestMs));
    this.startNext();
  }

  private rest(key: string, durationMs: number): void {
    if (this.isClosed) return;
    const wake = () => {
      this.resting.delete(key);
      this.startNext();
    };
    this.resting.set(key, setTimeout(wake, durationMs));
  }
}
