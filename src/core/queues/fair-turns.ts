/** Turns in a queue: a key with many in it, or again and again one, delays no other by more than one of them. */
export class FairTurns {
  /** The last turn of a key, and how many of it wait. Of those that wait, and of those that had the present turn. */
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
