/** The turns of those who wait in a queue, so that one who has many in it delays no other by more than one of them. */
export class FairTurns {
  /** The turn of the last one that waits, by key. */
  private readonly lastTurns = new Map<string, number>();
  private current = 0;

  /**
   * Start-time fair queueing: a key has one in each turn. Null, and nothing is taken, where `maxWaiting` of the key
   * wait. Without a key it is the present turn, before those that wait for later ones.
   */
  take(key: string | undefined, maxWaiting: number): number | null {
    if (key === undefined) return this.current;
    const turn = Math.max(this.current, (this.lastTurns.get(key) ?? -1) + 1);
    if (turn - this.current >= maxWaiting) return null;
    this.lastTurns.set(key, turn);
    return turn;
  }

  /** The one with this turn does not wait any more. */
  begin(key: string | undefined, turn: number): void {
    this.current = Math.max(this.current, turn);
    if (key !== undefined && this.lastTurns.get(key) === turn) this.lastTurns.delete(key);
  }
}
