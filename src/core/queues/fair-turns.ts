/** Turns in a queue: a key of which many wait, or which comes again and again, delays each other by one of its own. */
export class FairTurns {
  /** By key: its last turn, and how many of it wait. It is deleted once none waits, and a later turn has begun. */
  private readonly entries = new Map<string, { last: number; waiting: number }>();
  private current = 0;

  /** Start-time fair queueing: one of a key in each turn. Null, and nothing is taken, where `maxWaiting` of it wait. */
  take(key: string, maxWaiting: number): number | null {
    const { last, waiting } = this.entries.get(key) ?? { last: -1, waiting: 0 };
    if (waiting >= maxWaiting) return null;
    const turn = Math.max(this.current, last + 1);
    this.entries.set(key, { last: turn, waiting: waiting + 1 });
    return turn;
  }

  /** The one with this turn does not wait any more. */
  begin(key: string, turn: number): void {
    this.entries.get(key)!.waiting -= 1;
    if (turn <= this.current) return;
    this.current = turn;
    for (const [other, { last, waiting }] of this.entries) if (!waiting && last < turn) this.entries.delete(other);
  }
}
