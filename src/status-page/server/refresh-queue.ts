/** A few at once: more would only wait for one another, for the database's connections and for the one thread that draws. */
const atOnce = 3;
/** Milliseconds until what failed is tried again: the first time, and at most. */
const patience = { first: 200, longest: 5_000 };

/** Does a thing for each name it is given, in their order, never twice at a time for one. What fails stays, and is tried again, later and later. */
export class PatientQueue {
  private readonly waiting = new Set<string>();
  private readonly running = new Set<string>();
  private readonly failures = new Map<string, number>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private closed = false;

  constructor(private readonly work: (name: string) => Promise<void>) {}

  /** Of a name that is being worked on there is one more turn. */
  add(name: string): void {
    if (this.closed) return;
    clearTimeout(this.timers.get(name));
    this.timers.delete(name);
    this.waiting.add(name);
    this.next();
  }

  close(): void {
    this.closed = true;
    this.waiting.clear();
    for (const timer of this.timers.values()) clearTimeout(timer);
  }

  private next(): void {
    for (const name of this.waiting) {
      if (this.running.size >= atOnce) return;
      if (this.running.has(name)) continue;
      this.waiting.delete(name);
      this.running.add(name);
      void this.run(name);
    }
  }

  private async run(name: string): Promise<void> {
    try {
      await this.work(name);
      this.failures.delete(name);
    } catch {
      const times = this.failures.get(name) ?? 0;
      this.failures.set(name, times + 1);
      if (!this.closed)
        this.timers.set(
          name,
          setTimeout(() => this.add(name), Math.min(patience.first * 2 ** times, patience.longest)),
        );
    }
    this.running.delete(name);
    this.next();
  }
}
