/** Milliseconds. Whoever has nothing to say confirms what was heard after 40. */
const longPause = 30;
const believedAfter = 3;

/**
 * A server may write the replies to what it was told at once one by one. TCP then keeps the second back until the first is confirmed, which happens at once when
 * there is something to say, and late when there is not: so to say one thing after the other goes many times faster to it. All connections to a server learn it
 * together. Far away it is not worth it: what is saved must be more than the round trips.
 */
export class SmtpPace {
  #pauses = 0;
  #trip = Number.POSITIVE_INFINITY;

  get isHalting(): boolean {
    return this.#pauses >= believedAfter;
  }

  /** From something said to the first reply. */
  heardAfter(milliseconds: number): void {
    this.#trip = Math.min(this.#trip, milliseconds);
  }

  /** From one reply to the next, with nothing said in between. */
  heardAgainAfter(milliseconds: number): void {
    if (milliseconds > longPause && milliseconds > 4 * this.#trip) this.#pauses += 1;
  }
}
