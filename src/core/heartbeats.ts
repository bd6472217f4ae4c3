/** A statement takes 12 seconds at most, and a round of a task has few that take long. */
const longestRoundSeconds = 30;

interface Heartbeat {
  lastAt: number;
  maxAgeSeconds: number;
}

/** When each background task last completed a round. The time of a task that hangs or fails does not advance. */
export class Heartbeats {
  private readonly byTask = new Map<string, Heartbeat>();

  /** `readClock` returns milliseconds that never go back. */
  constructor(private readonly readClock = () => performance.now()) {}

  /** Expects a task to run from now on. Returns what it calls after each round. */
  expect(task: string, maxAgeSeconds = longestRoundSeconds): () => void {
    const beat = () => void this.byTask.set(task, { lastAt: this.readClock(), maxAgeSeconds });
    beat();
    return beat;
  }

  /** Seconds since the last round, by task. */
  get ages(): Map<string, number> {
    return this.map(({ age }) => age);
  }

  /** For how many seconds the next round has been overdue, by task. */
  get delays(): Map<string, number> {
    return this.map(({ age, maxAgeSeconds }) => Math.max(0, age - maxAgeSeconds));
  }

  private map(read: (heartbeat: { age: number; maxAgeSeconds: number }) => number): Map<string, number> {
    const now = this.readClock();
    return new Map(
      [...this.byTask].map(([task, { lastAt, maxAgeSeconds }]) => [
        task,
        read({ age: (now - lastAt) / 1_000, maxAgeSeconds }),
      ]),
    );
  }
}
