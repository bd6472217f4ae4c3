/** When each background task last completed a round. The time of a task that hangs or fails does not advance. */
export class Heartbeats {
  private readonly lastAt = new Map<string, number>();

  /** `readClock` returns milliseconds that never go back. */
  constructor(private readonly readClock = () => performance.now()) {}

  /** Expects a task to run from now on. Returns what it calls after each round. */
  expect(task: string): () => void {
    const beat = () => void this.lastAt.set(task, this.readClock());
    beat();
    return beat;
  }

  /** Seconds since the last round, by task. */
  get ages(): Map<string, number> {
    const now = this.readClock();
    return new Map([...this.lastAt].map(([task, at]) => [task, (now - at) / 1_000]));
  }
}
