const intervalMs = 50;

/** Measures by how much timers are late: for that long every request has waited. */
export class LoopDelay {
  private dueAt = performance.now() + intervalMs;
  private readonly timer = setInterval(() => this.measure(), intervalMs).unref();
  private delayMs = 0;

  /** By the last measurement, or by now if that is due for longer. */
  get currentMs(): number {
    return Math.max(this.delayMs, performance.now() - this.dueAt);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private measure(): void {
    const now = performance.now();
    this.delayMs = Math.max(0, now - this.dueAt);
    this.dueAt = now + intervalMs;
  }
}
