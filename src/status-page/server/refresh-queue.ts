/** Jobs that run at the same time. More would only wait for database connections and for the one rendering thread. */
const concurrency = 3;
const firstRetryDelayMs = 200;
const maxRetryDelayMs = 5_000;

/**
 * Runs a job per key in order of arrival, at most one at a time per key.
 * A key that is added while its job runs gets exactly one more run. A failed job is retried with exponential backoff.
 */
export class RefreshQueue {
  private readonly waiting = new Set<string>();
  private readonly running = new Set<string>();
  private readonly failureCounts = new Map<string, number>();
  private readonly retryTimers = new Map<string, NodeJS.Timeout>();
  private isClosed = false;

  constructor(private readonly work: (key: string) => Promise<void>) {}

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
    for (const timer of this.retryTimers.values()) clearTimeout(timer);
  }

  private startNext(): void {
    for (const key of this.waiting) {
      if (this.running.size >= concurrency) return;
      if (this.running.has(key)) continue;
      this.waiting.delete(key);
      this.running.add(key);
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
    this.running.delete(key);
    this.startNext();
  }
}
