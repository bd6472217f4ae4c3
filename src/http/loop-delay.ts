const intervalMs = 20;
/** Of a new measurement in the average: a single pause, such as a garbage collection, is no overload. */
const weight = 0.2;

/** Measures by how much timers are late, on average over some 100 ms: for that long every request has waited. */
export class LoopDelay {
  private dueAt = performance.now() + intervalMs;
  private readonly timer = setInterval(() => this.measure(), intervalMs).unref();
  private averageMs = 0;

  get currentMs(): number {
    return this.average(Math.max(0, performance.now() - this.dueAt));
  }

  close(): void {
    clearInterval(this.timer);
  }

  private measure(): void {
    const now = performance.now();
    this.averageMs = this.average(Math.max(0, now - this.dueAt));
    this.dueAt = now + intervalMs;
  }

  private average(delayMs: number): number {
    // A measurement stands for all the intervals that passed meanwhile.
    const share = 1 - (1 - weight) ** (1 + delayMs / intervalMs);
    return this.averageMs + share * (delayMs - this.averageMs);
  }
}
